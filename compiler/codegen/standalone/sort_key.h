/* sort_key.h: the key of a sort. A comparator has a key if it compares the same expression of both
 * sides with LT or GT, as in sort, argsort and top-k. The key is the value of that expression,
 * converted to an unsigned integer with the same order. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_KEY_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_KEY_H

#include "compiler/codegen/loops/expression.h"

struct sort_key {
    struct value *value; /* in the comparator, computed from the left side's arguments */
    const struct attrs_compare *by;
    enum dtype dtype;
    int bytes;
};

/* Whether the sort has a key. If so, describes it in *key. */
bool sort_key_find(const struct op *sort, struct sort_key *key);
/* Converts the key expression's value (a scalar or a vector) to a key of key->bytes bytes, so that
 * ascending keys are in sorted order. */
LLVMValueRef sort_key_bits(struct emitter *e, const struct sort_key *key, LLVMValueRef value);

#endif
