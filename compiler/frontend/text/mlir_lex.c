#include "compiler/frontend/text/mlir_lex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EXCERPT 160 /* characters of a line that an error shows */

/* ---- character classes, independent of the locale -------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* A character of a name; symbols and values may also contain a '-'. */
static bool is_name(char c, bool dash)
{
    return is_letter(c) || is_digit(c) || c == '.' || c == '$' || (dash && c == '-');
}

static char at(const struct mlir_lex *lex, size_t offset)
{
    return offset < lex->size ? lex->text[offset] : 0;
}

static size_t skip_blank(const struct mlir_lex *lex, size_t i)
{
    for (; i < lex->size; i++) {
        char c = lex->text[i];
        if (c == '/' && at(lex, i + 1) == '/') {
            const char *line_end = memchr(lex->text + i, '\n', lex->size - i);
            i = line_end ? (size_t)(line_end - lex->text) : lex->size - 1;
        } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            break;
        }
    }
    return i;
}

static void finish(struct mlir_lex *lex, enum mlir_token token, size_t from, size_t to, size_t end)
{
    lex->token = token;
    lex->word = (struct string){to - from, lex->text + from};
    lex->end = end;
}

static void lex_string(struct mlir_lex *lex, enum mlir_token token, size_t quote)
{
    size_t i = quote + 1;
    while (i < lex->size && lex->text[i] != '"' && lex->text[i] != '\n')
        i += lex->text[i] == '\\' ? 2 : 1;
    if (at(lex, i) != '"')
        finish(lex, MLIR_TOKEN_INVALID, quote, quote + 1, quote + 1);
    else
        finish(lex, token, quote + 1, i, i + 1);
}

static void lex_name(struct mlir_lex *lex, enum mlir_token token, size_t from, bool dash)
{
    size_t i = from;
    while (is_name(at(lex, i), dash))
        i++;
    finish(lex, i == from ? MLIR_TOKEN_INVALID : token, from, i, i == from ? from + 1 : i);
    if (lex->end > lex->size)
        lex->end = lex->size;
}

static void lex_number(struct mlir_lex *lex, size_t from)
{
    size_t i = from + (at(lex, from) == '-');
    bool real = false;
    if (at(lex, i) == '0' && at(lex, i + 1) == 'x' && is_hex(at(lex, i + 2))) {
        for (i += 2; is_hex(at(lex, i));)
            i++;
    } else {
        while (is_digit(at(lex, i)))
            i++;
        if (at(lex, i) == '.') {
            real = true;
            for (i++; is_digit(at(lex, i));)
                i++;
        }
        size_t exponent = i + 1 + (at(lex, i + 1) == '-' || at(lex, i + 1) == '+');
        if ((at(lex, i) == 'e' || at(lex, i) == 'E') && is_digit(at(lex, exponent))) {
            real = true;
            for (i = exponent; is_digit(at(lex, i));)
                i++;
        }
    }
    finish(lex, real ? MLIR_TOKEN_REAL : MLIR_TOKEN_INTEGER, from, i, i);
}

void mlir_lex_seek(struct mlir_lex *lex, size_t offset)
{
    size_t i = lex->start = skip_blank(lex, offset);
    char c = at(lex, i);
    if (i >= lex->size)
        finish(lex, MLIR_TOKEN_END, lex->size, lex->size, lex->size);
    else if (is_letter(c))
        lex_name(lex, MLIR_TOKEN_WORD, i, false);
    else if (is_digit(c) || (c == '-' && is_digit(at(lex, i + 1))))
        lex_number(lex, i);
    else if (c == '-' && at(lex, i + 1) == '>')
        finish(lex, MLIR_TOKEN_ARROW, i, i + 2, i + 2);
    else if (c == '"')
        lex_string(lex, MLIR_TOKEN_STRING, i);
    else if (c == '@' && at(lex, i + 1) == '"')
        lex_string(lex, MLIR_TOKEN_SYMBOL, i + 1);
    else if (c == '@' || c == '%' || c == '^')
        lex_name(lex,
                 c == '@'   ? MLIR_TOKEN_SYMBOL
                 : c == '%' ? MLIR_TOKEN_VALUE
                            : MLIR_TOKEN_LABEL,
                 i + 1, true);
    else if ((c == '#' || c == '!') && is_letter(at(lex, i + 1)))
        lex_name(lex, c == '#' ? MLIR_TOKEN_HASH : MLIR_TOKEN_BANG, i + 1, false);
    else if (memchr("()[]{}<>:,=#?+*-", c, 16))
        finish(lex, MLIR_TOKEN_PUNCTUATION, i, i + 1, i + 1);
    else
        finish(lex, MLIR_TOKEN_INVALID, i, i + 1, i + 1);
    lex->punctuation = lex->token == MLIR_TOKEN_PUNCTUATION ? c : 0;
}

static void find_lines(struct mlir_lex *lex, struct arena *arena)
{
    lex->line_count = 1;
    for (size_t i = 0; i < lex->size; i++)
        lex->line_count += lex->text[i] == '\n';
    lex->lines = ARENA_ARRAY(arena, size_t, lex->line_count);
    for (size_t i = 0, line = 1; i < lex->size; i++)
        if (lex->text[i] == '\n')
            lex->lines[line++] = i + 1;
}

void mlir_lex_begin(struct mlir_lex *lex, struct arena *arena, const char *text, size_t size)
{
    bool marked = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; /* UTF-8 byte order mark */
    *lex = (struct mlir_lex){.text = text, .size = size};
    find_lines(lex, arena);
    mlir_lex_seek(lex, marked ? 3 : 0);
}

void mlir_lex_next(struct mlir_lex *lex)
{
    mlir_lex_seek(lex, lex->end);
}

bool mlir_lex_is(const struct mlir_lex *lex, char punctuation)
{
    return lex->token == MLIR_TOKEN_PUNCTUATION && lex->punctuation == punctuation;
}

bool mlir_lex_is_word(const struct mlir_lex *lex, const char *word)
{
    return lex->token == MLIR_TOKEN_WORD && strlen(word) == lex->word.size &&
           memcmp(word, lex->word.data, lex->word.size) == 0;
}

bool mlir_lex_accept(struct mlir_lex *lex, char punctuation)
{
    bool is = mlir_lex_is(lex, punctuation);
    if (is)
        mlir_lex_next(lex);
    return is;
}

bool mlir_lex_accept_word(struct mlir_lex *lex, const char *word)
{
    bool is = mlir_lex_is_word(lex, word);
    if (is)
        mlir_lex_next(lex);
    return is;
}

struct error *mlir_lex_expected(struct mlir_lex *lex, const char *format, ...)
{
    char what[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (lex->token == MLIR_TOKEN_END)
        return MLIR_LEX_ERROR(lex, "expected %s, got the end of the text", what);
    if (lex->token == MLIR_TOKEN_INVALID && lex->text[lex->start] == '"')
        return MLIR_LEX_ERROR(lex, "expected %s, got an unterminated string", what);
    size_t size = lex->end - lex->start;
    return MLIR_LEX_ERROR(lex, "expected %s, got %.*s%s", what, (int)(size < 40 ? size : 40),
                          lex->text + lex->start, size < 40 ? "" : "...");
}

struct error *mlir_lex_expect(struct mlir_lex *lex, char punctuation)
{
    return mlir_lex_accept(lex, punctuation) ? NULL : mlir_lex_expected(lex, "'%c'", punctuation);
}

struct error *mlir_lex_expect_word(struct mlir_lex *lex, const char *word)
{
    return mlir_lex_accept_word(lex, word) ? NULL : mlir_lex_expected(lex, "'%s'", word);
}

struct error *mlir_lex_expect_arrow(struct mlir_lex *lex)
{
    if (lex->token != MLIR_TOKEN_ARROW)
        return mlir_lex_expected(lex, "'->'");
    mlir_lex_next(lex);
    return NULL;
}

struct error *mlir_lex_integer(struct mlir_lex *lex, int64_t *out)
{
    const char *digit = lex->word.data, *end = digit + lex->word.size;
    if (lex->token != MLIR_TOKEN_INTEGER)
        return mlir_lex_expected(lex, "an integer");
    bool negative = *digit == '-';
    digit += negative;
    bool hex = end - digit > 2 && digit[1] == 'x';
    uint64_t value = 0, base = hex ? 16 : 10;
    for (digit += hex ? 2 : 0; digit < end; digit++) {
        uint64_t d =
            is_digit(*digit) ? (uint64_t)(*digit - '0') : (uint64_t)((*digit | 32) - 'a' + 10);
        if (__builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, d, &value))
            return MLIR_LEX_ERROR(lex, "an integer does not fit in 64 bits");
    }
    if (negative && value > (uint64_t)1 << 63)
        return MLIR_LEX_ERROR(lex, "an integer does not fit in 64 bits");
    *out = (int64_t)(negative ? 0 - value : value);
    mlir_lex_next(lex);
    return NULL;
}

struct error *mlir_lex_real(struct mlir_lex *lex, double *out)
{
    char digits[512]; /* strtod() needs a NUL; longer numbers are rejected */
    if (lex->token != MLIR_TOKEN_REAL && lex->token != MLIR_TOKEN_INTEGER)
        return mlir_lex_expected(lex, "a number");
    if (lex->word.size >= sizeof digits)
        return MLIR_LEX_ERROR(lex, "a number has %zu characters; the limit is %zu", lex->word.size,
                              sizeof digits - 1);
    memcpy(digits, lex->word.data, lex->word.size);
    digits[lex->word.size] = 0;
    *out = strtod(digits, NULL);
    mlir_lex_next(lex);
    return NULL;
}

static int hex_value(char c)
{
    return is_digit(c) ? c - '0' : (c | 32) - 'a' + 10;
}

/* Resolves \\ \" \n \t and \XX (two hexadecimal digits). */
static struct string unescape(struct arena *arena, struct string word)
{
    char *data = arena_alloc(arena, word.size + 1);
    size_t size = 0;
    for (size_t i = 0; i < word.size; i++) {
        char c = word.data[i];
        if (c != '\\') {
            data[size++] = c;
            continue;
        }
        c = word.data
                [++i]; /* the quote that ends the token is never escaped, so there is one more */
        if (is_hex(c) && i + 1 < word.size && is_hex(word.data[i + 1]))
            data[size++] = (char)(hex_value(c) << 4 | hex_value(word.data[++i]));
        else
            data[size++] = c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    return (struct string){size, data};
}

struct error *mlir_lex_string(struct mlir_lex *lex, struct arena *arena, struct string *out)
{
    if (lex->token != MLIR_TOKEN_STRING)
        return mlir_lex_expected(lex, "a string");
    *out = unescape(arena, lex->word);
    mlir_lex_next(lex);
    return NULL;
}

struct error *mlir_lex_name(struct mlir_lex *lex, struct arena *arena, struct string *out)
{
    if (lex->token != MLIR_TOKEN_SYMBOL && lex->token != MLIR_TOKEN_STRING)
        return mlir_lex_expected(lex, "@ and a name");
    *out = unescape(arena, lex->word);
    if (memchr(out->data, 0, out->size) || out->size == 0)
        return MLIR_LEX_ERROR(lex, "a name must not be empty or contain a NUL");
    mlir_lex_next(lex);
    return NULL;
}

struct error *mlir_lex_skip_group(struct mlir_lex *lex)
{
    size_t depth = 0, start = lex->start;
    do {
        if (lex->token == MLIR_TOKEN_END)
            return mlir_lex_error(lex, PJRT_Error_Code_INVALID_ARGUMENT, start,
                                  "this group is not closed");
        if (lex->token == MLIR_TOKEN_PUNCTUATION && strchr("([{<", lex->punctuation))
            depth++;
        if (lex->token == MLIR_TOKEN_PUNCTUATION && strchr(")]}>", lex->punctuation))
            depth--;
        mlir_lex_next(lex);
    } while (depth > 0);
    return NULL;
}

void mlir_lex_position(const struct mlir_lex *lex, size_t offset, int *line, int *column)
{
    size_t low = 0, high = lex->line_count; /* the line's index is in [low, high) */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (lex->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    *line = (int)low + 1;
    *column = (int)(offset - lex->lines[low]) + 1;
}

struct error *mlir_lex_error(struct mlir_lex *lex, PJRT_Error_Code code, size_t offset,
                             const char *format, ...)
{
    char message[512], excerpt[MAX_EXCERPT + 1];
    int line, column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    mlir_lex_position(lex, offset, &line, &column);
    size_t begin = offset - (size_t)(column - 1);
    if (column > MAX_EXCERPT / 2) /* a long line: show its part around the offset */
        begin = offset - MAX_EXCERPT / 2;
    int size = 0;
    for (size_t i = begin; i < lex->size && lex->text[i] != '\n' && size < MAX_EXCERPT; i++)
        excerpt[size++] = lex->text[i] < 32 ? ' ' : lex->text[i];
    return error_make(code, __FILE__, __LINE__, "MLIR text:%d:%d: %s\n%.*s\n%*s", line, column,
                      message, size, excerpt, (int)(offset - begin) + 1, "^");
}

struct error *mlir_lex_with_position(struct mlir_lex *lex, size_t offset, struct error *error)
{
    if (!error)
        return NULL;
    struct error *positioned =
        mlir_lex_error(lex, error_code(error), offset, "%s", error_message(error, NULL));
    error_free(error);
    return positioned;
}
