/* model_join.c: see model_join.h. Goes from user to user in the order of the block, and counts the
 * uses that no operation on the way has taken yet. */
#include "compiler/model/kernels/model_join.h"

#include "compiler/model/kernels/model_role.h"

enum { MAX_WAY = 24, MAX_USES = 64 };

struct way {
    const struct value *values[MAX_WAY]; /* that are made on the way */
    int count, open;                     /* uses of theirs by operations that are not on the way */
    int last;                            /* index of the operation that was added last */
};

static bool has(const struct way *way, const struct value *value)
{
    for (int i = 0; i < way->count; i++)
        if (way->values[i] == value)
            return true;
    return false;
}

/* The uses of the value; too many are as if there were no end. */
static int uses_of(const struct value *value)
{
    int count = 0;
    for (const struct use *use = value->uses; use && count <= MAX_USES; use = use->next)
        count++;
    return count;
}

static bool add(struct way *way, const struct value *value)
{
    int uses = uses_of(value);
    if (way->count == MAX_WAY || uses == 0 || way->open + uses > MAX_USES)
        return false;
    way->values[way->count++] = value;
    way->open += uses;
    return true;
}

/* The first operation after the last one that uses what is made on the way; NULL: one of another
 * block does. */
static const struct op *next_user(const struct way *way, int (*index_of)(const struct op *op))
{
    const struct op *first = NULL;
    for (int i = 0; i < way->count; i++)
        for (const struct use *use = way->values[i]->uses; use; use = use->next) {
            if (use->user->block != way->values[0]->def->block)
                return NULL;
            int index = index_of(use->user);
            if (index > way->last && (!first || index < index_of(first)))
                first = use->user;
        }
    return first;
}

static bool may_pass(const struct way *way, const struct op *op)
{
    if (op->result_count != 1 || model_role(op) != MODEL_FUSIBLE)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (has(way, op->operands[i]) && !model_role_keeps_elements(op, i))
            return false;
    return true;
}

const struct op *model_join(const struct value *value, int (*index_of)(const struct op *op))
{
    struct way way = {.last = index_of(value->def)};
    if (!add(&way, value))
        return NULL;
    for (;;) {
        const struct op *op = next_user(&way, index_of);
        if (!op || !may_pass(&way, op))
            return NULL;
        way.last = index_of(op);
        for (int i = 0; i < op->operand_count; i++)
            way.open -= has(&way, op->operands[i]);
        if (way.open == 0)
            return op;
        if (!add(&way, &op->results[0]))
            return NULL;
    }
}
