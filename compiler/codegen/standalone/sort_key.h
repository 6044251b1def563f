/* sort_key.h: the key of a sort. A comparator that compares the same expression of both sides
 * with LT or GT (what sorting, argsort and top-k become) has one: that expression's value as an
 * unsigned integer of the same order. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_KEY_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_KEY_H

#include "compiler/codegen/standalone/sort.h"

struct sort_key {
    struct value *value; /* in the comparator, of the left side's arguments */
    const struct attrs_compare *by;
    enum dtype dtype;
    int bytes;
};

/* Whether the sort has a key, and which. */
bool sort_key_find(const struct op *sort, struct sort_key *key);
/* The key, in its number of bytes, of what the key's expression gives (a scalar or a vector):
 * smallest first. */
LLVMValueRef sort_key_bits(struct emitter *e, const struct sort_key *key, LLVMValueRef value);

#endif
