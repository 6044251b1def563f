/* utf8.h: UTF-8 in bytes from outside: names of damaged programs, or names that were cut, may hold
 * any bytes. Thread-safe. Source: The Unicode Standard, table 3-7. */
#ifndef GANTRY_BASE_UTF8_H
#define GANTRY_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the character that begins at `at`, of whose text `left` > 0 bytes are left: 1 to 4; 0:
 * no character begins there. */
size_t utf8_character(const char *at, size_t left);

/* Makes the text valid: each byte that is part of no character becomes '?'. */
void utf8_repair(char *text, size_t size);

#endif
