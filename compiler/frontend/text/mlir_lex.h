/* mlir_lex.h: the lexer of MLIR text. It holds the current token; the caller advances to the next.
 * The text may contain any bytes and is never read past its end. Errors show line, column and a
 * caret. A lexer owns nothing and belongs to one thread. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_LEX_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "compiler/ir/ir.h"

enum mlir_token {
    MLIR_TOKEN_END,
    MLIR_TOKEN_WORD,        /* module, stablehlo.add, true, f32 */
    MLIR_TOKEN_VALUE,       /* %name; the text is without the % */
    MLIR_TOKEN_SYMBOL,      /* @name or @"any name"; without the @ */
    MLIR_TOKEN_HASH,        /* #name */
    MLIR_TOKEN_BANG,        /* !name */
    MLIR_TOKEN_LABEL,       /* ^name */
    MLIR_TOKEN_INTEGER,     /* 12, -3, 0xFF */
    MLIR_TOKEN_REAL,        /* 1.5, -2.0e-3 */
    MLIR_TOKEN_STRING,      /* "..."; without the quotes */
    MLIR_TOKEN_ARROW,       /* -> */
    MLIR_TOKEN_PUNCTUATION, /* one character */
    MLIR_TOKEN_INVALID      /* an invalid character or an unterminated string */
};

struct mlir_lex {
    const char *text; /* borrowed */
    size_t size;
    size_t start, end; /* the current token is text[start .. end) */
    enum mlir_token token;
    char punctuation;   /* of MLIR_TOKEN_PUNCTUATION */
    struct string word; /* the token's text (see enum mlir_token); borrowed from `text` */
    size_t *lines;      /* offsets of the beginnings of lines; in the arena */
    size_t line_count;
};

/* Start at the first token; continue with the token at an offset; advance to the next token. */
void mlir_lex_begin(struct mlir_lex *lex, struct arena *arena, const char *text, size_t size);
void mlir_lex_seek(struct mlir_lex *lex, size_t offset);
void mlir_lex_next(struct mlir_lex *lex);

bool mlir_lex_is(const struct mlir_lex *lex, char punctuation);
bool mlir_lex_is_word(const struct mlir_lex *lex, const char *word);

/* Advances past the current token and returns true if it is the given one. */
bool mlir_lex_accept(struct mlir_lex *lex, char punctuation);
bool mlir_lex_accept_word(struct mlir_lex *lex, const char *word);

/* Advances past the current token; INVALID_ARGUMENT if it is not the given one. */
struct error *mlir_lex_expect(struct mlir_lex *lex, char punctuation);
struct error *mlir_lex_expect_word(struct mlir_lex *lex, const char *word);
struct error *mlir_lex_expect_arrow(struct mlir_lex *lex);

/* Returns INVALID_ARGUMENT: "expected <format>, got <the current token>". */
struct error *mlir_lex_expected(struct mlir_lex *lex, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Read a number. Integers up to 2^64 - 1 are allowed (*out has their bits). INVALID_ARGUMENT for
 * other tokens and numbers out of range. */
struct error *mlir_lex_integer(struct mlir_lex *lex, int64_t *out);
struct error *mlir_lex_real(struct mlir_lex *lex, double *out);

/* Reads a string and resolves its escapes; the result is in the arena. */
struct error *mlir_lex_string(struct mlir_lex *lex, struct arena *arena, struct string *out);

/* Reads a symbol or a string that is a name: not empty, without NULs; NUL-terminated, in the arena.
 */
struct error *mlir_lex_name(struct mlir_lex *lex, struct arena *arena, struct string *out);

/* Skips a group: from the current ( [ { or < past the matching closing bracket. */
struct error *mlir_lex_skip_group(struct mlir_lex *lex);

/* The line and column (from 1) of an offset. Logarithmic in the number of lines. */
void mlir_lex_position(const struct mlir_lex *lex, size_t offset, int *line, int *column);

/* An error at an offset of the text: "MLIR text:3:14: <message>", then the line and a caret. */
struct error *mlir_lex_error(struct mlir_lex *lex, PJRT_Error_Code code, size_t offset,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Adds the position, line and caret of an offset to an error (owned; may be NULL). */
struct error *mlir_lex_with_position(struct mlir_lex *lex, size_t offset, struct error *error);
#define MLIR_LEX_ERROR(lex, ...)                                                                   \
    mlir_lex_error((lex), PJRT_Error_Code_INVALID_ARGUMENT, (lex)->start, __VA_ARGS__)

#endif
