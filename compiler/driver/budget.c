/* budget.c: see budget.h. */
#include "compiler/driver/budget.h"

enum {
    OPERATIONS = 200000, /* the budget of an empty program */
    OPERATIONS_PER_BYTE = 8,
    OPERANDS = 1000000,
    OPERANDS_PER_BYTE = 32,
    ARENA_BYTES_PER_BYTE = 8192
};
#define ARENA_BYTES ((size_t)256 << 20)

static int64_t grow(int64_t base, size_t bytes, int64_t each)
{
    int64_t limit;
    if (bytes > INT64_MAX || __builtin_mul_overflow((int64_t)bytes, each, &limit) ||
        __builtin_add_overflow(limit, base, &limit))
        return INT64_MAX;
    return limit;
}

struct budget budget_of(size_t source_bytes)
{
    return (struct budget){.operations = grow(OPERATIONS, source_bytes, OPERATIONS_PER_BYTE),
                           .operands = grow(OPERANDS, source_bytes, OPERANDS_PER_BYTE),
                           .bytes = (size_t)grow(ARENA_BYTES, source_bytes, ARENA_BYTES_PER_BYTE)};
}

struct size {
    int64_t operations, operands;
};

static void count_block(const struct block *block, struct size *size)
{
    for (const struct op *op = block->first; op; op = op->next) {
        size->operations++;
        size->operands += op->operand_count;
        for (int r = 0; r < op->region_count; r++)
            count_block(op->regions[r], size);
    }
}

struct error *budget_check(const struct budget *budget, const struct module *module)
{
    struct size size = {0, 0};
    for (const struct func *func = module->first; func; func = func->next)
        if (func->body)
            count_block(func->body, &size);
    if (size.operations > budget->operations)
        return ERROR(RESOURCE_EXHAUSTED,
                     "%s has %lld operations after a pass; the limit for its size is %lld",
                     module->name, (long long)size.operations, (long long)budget->operations);
    if (size.operands > budget->operands)
        return ERROR(RESOURCE_EXHAUSTED,
                     "%s has %lld operands after a pass; the limit for its size is %lld",
                     module->name, (long long)size.operands, (long long)budget->operands);
    return NULL;
}
