/* walk.c: see walk.h. */
#include "compiler/schedule/walk.h"

struct walk walk_start(void)
{
    return (struct walk){.steps = WALK_STEPS};
}

struct visit *walk_visit(struct walk *walk, const struct op *op, uint64_t dims, uint64_t rows)
{
    uint64_t hash = ((uint64_t)(uintptr_t)op ^ dims * 31 ^ rows * 1021) * 0x9e3779b97f4a7c15;
    return &walk->visits[hash >> 56];
}

bool walk_is_repeated(struct walk *walk, const struct op *op, uint64_t dims, uint64_t rows)
{
    const struct use *uses = op->results->uses;
    if (!op->operand_count || (op->result_count == 1 && (!uses || !uses->next)))
        return false;
    struct visit *visit = walk_visit(walk, op, dims, rows);
    if (visit->op == op && visit->dims == dims && visit->rows == rows)
        return true;
    *visit = (struct visit){op, dims, rows, 0};
    return false;
}
