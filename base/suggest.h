/* suggest.h: suggests the intended word for a mistyped one. Thread-safe. */
#ifndef GANTRY_BASE_SUGGEST_H
#define GANTRY_BASE_SUGGEST_H

#include <stddef.h>

/* The nearest to `word` of `count` words, borrowed from the list: one within an optimal string
 * alignment distance (insertions, deletions, substitutions and swaps of adjacent letters, ignoring
 * case) of at most a third of its letters. NULL when no word is that near, or when `word` has more
 * than 63 letters. */
const char *suggest(const char *word, const char *const *words, size_t count);

#endif
