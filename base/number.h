/* number.h: numbers in text that a user writes: arguments, environment variables, options of a
 * client. What strtol() and strtod() accept beside them, such as spaces, "+8", "0x10" and "inf", is
 * more often a mistake, and is refused. Independent of the locale; thread-safe. */
#ifndef GANTRY_BASE_NUMBER_H
#define GANTRY_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads decimal digits, which a '-' may precede, and advances *text past them. False, with *text
 * unchanged: there are none, or the number exceeds 64 bits. */
bool number_take(const char **text, int64_t *out);

/* The same for a finite number with an optional fraction and exponent: "12", "0.5", "1e-3". */
bool number_take_real(const char **text, double *out);

/* Whether the whole text is one number of [least, most], which becomes *out. */
bool number_read(const char *text, int64_t least, int64_t most, int64_t *out);
bool number_read_real(const char *text, double least, double most, double *out);

#endif
