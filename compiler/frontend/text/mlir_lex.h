/* mlir_lex.h: the tokens of MLIR text. A lexer holds the current token; the caller advances
 * to the next. Text is any bytes: nothing is read past its end, and errors show line, column
 * and a caret. Holds no resource; a lexer belongs to one thread. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_LEX_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "compiler/ir/ir.h"

enum mlir_token {
    MLIR_TOKEN_END,
    MLIR_TOKEN_WORD,    /* module, stablehlo.add, true, f32 */
    MLIR_TOKEN_VALUE,   /* %name; the text is without the % */
    MLIR_TOKEN_SYMBOL,  /* @name or @"any name"; without the @ */
    MLIR_TOKEN_HASH,    /* #name */
    MLIR_TOKEN_BANG,    /* !name */
    MLIR_TOKEN_LABEL,   /* ^name */
    MLIR_TOKEN_INTEGER, /* 12, -3, 0xFF */
    MLIR_TOKEN_REAL,    /* 1.5, -2.0e-3 */
    MLIR_TOKEN_STRING,  /* "..."; the text is what is between the quotes */
    MLIR_TOKEN_ARROW,   /* -> */
    MLIR_TOKEN_SIGN,    /* one character, in `sign` */
    MLIR_TOKEN_WRONG    /* a character that begins nothing, or a string that does not end */
};

struct mlir_lex {
    const char *text; /* borrowed */
    size_t size;
    size_t start, end; /* the current token is text[start .. end) */
    enum mlir_token token;
    char sign;          /* of MLIR_TOKEN_SIGN */
    struct string word; /* the token's text, see the kinds; borrowed from `text` */
    size_t *lines;      /* offsets at which lines begin; in the arena */
    size_t line_count;
};

/* Starts at the first token; seeking starts at an offset. */
void mlir_lex_begin(struct mlir_lex *lex, struct arena *arena, const char *text, size_t size);
void mlir_lex_seek(struct mlir_lex *lex, size_t offset);
void mlir_lex_next(struct mlir_lex *lex);

bool mlir_lex_is(const struct mlir_lex *lex, char sign);
bool mlir_lex_is_word(const struct mlir_lex *lex, const char *word);

/* Takes the current token when it is that; returns whether it was. */
bool mlir_lex_accept(struct mlir_lex *lex, char sign);
bool mlir_lex_accept_word(struct mlir_lex *lex, const char *word);

/* Takes it or is INVALID_ARGUMENT. */
struct error *mlir_lex_expect(struct mlir_lex *lex, char sign);
struct error *mlir_lex_expect_word(struct mlir_lex *lex, const char *word);
struct error *mlir_lex_expect_arrow(struct mlir_lex *lex);

/* INVALID_ARGUMENT that says what is expected here, and what is found. */
struct error *mlir_lex_expected(struct mlir_lex *lex, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The current token as a number. The integer keeps the low 64 bits; INVALID_ARGUMENT when it is
 * none or has more. */
struct error *mlir_lex_integer(struct mlir_lex *lex, int64_t *out);
struct error *mlir_lex_real(struct mlir_lex *lex, double *out);

/* Takes a string token, its escapes resolved in the arena. */
struct error *mlir_lex_string(struct mlir_lex *lex, struct arena *arena, struct string *out);

/* Takes a symbol or a string that is a name: escapes resolved, NUL-terminated, without NULs. */
struct error *mlir_lex_name(struct mlir_lex *lex, struct arena *arena, struct string *out);

/* Skips from an opening sign to after the one that closes it: ( [ { < with everything inside. */
struct error *mlir_lex_skip_group(struct mlir_lex *lex);

/* Line and column (from 1) of an offset, by binary search among the lines. */
void mlir_lex_position(const struct mlir_lex *lex, size_t offset, int *line, int *column);

/* An error at an offset of the text: "MLIR text:3:14: expected ':'", the line, and a caret under
 * it. */
struct error *mlir_lex_error(struct mlir_lex *lex, PJRT_Error_Code code, size_t offset,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The error (owned; may be NULL) of something at an offset of the text, with the place and the
 * caret added. */
struct error *mlir_lex_place(struct mlir_lex *lex, size_t offset, struct error *error);
#define MLIR_LEX_ERROR(lex, ...)                                                                   \
    mlir_lex_error((lex), PJRT_Error_Code_INVALID_ARGUMENT, (lex)->start, __VA_ARGS__)

#endif
