#include "compiler/passes/cleanup/cse.h"

#include "base/vec.h"
#include "compiler/ir/equal.h"
#include "compiler/passes/rewrite/rewrite.h"

enum { MAX_REGION_OPS = 64, MAX_CHAIN = 64 /* operations with equal hashes that are compared */ };

struct entry { /* visible operations with equal hashes, last first */
    struct op *op;
    struct entry *next;
};

struct scope {
    struct module *module;
    struct map *table;    /* hash -> struct entry *, of the operations visible here */
    VEC(uint64_t) hashes; /* of the entries, in order of insertion */
};

static struct op *find(struct scope *scope, struct op *op, uint64_t hash)
{
    int compared = 0;
    struct entry *entry = map_get(scope->table, &hash, sizeof hash);
    for (; entry && compared < MAX_CHAIN; entry = entry->next, compared++)
        if ((op->operand_count > 0 || entry->op->block == op->block) &&
            equal_ops(scope->module->arena, entry->op, op, MAX_REGION_OPS))
            return entry->op;
    return NULL;
}

static void enter(struct scope *scope, struct op *op, uint64_t hash)
{
    struct entry *entry = ARENA_NEW(arena_scratch(scope->module->arena), struct entry);
    entry->op = op;
    entry->next = map_get(scope->table, &hash, sizeof hash);
    map_put(scope->table, &hash, sizeof hash, entry);
    VEC_PUSH(arena_scratch(scope->module->arena), &scope->hashes, hash);
}

/* Removes all entries but the first `count`. */
static void leave(struct scope *scope, size_t count)
{
    while (scope->hashes.count > count) {
        uint64_t hash = scope->hashes.items[--scope->hashes.count];
        struct entry *entry = map_get(scope->table, &hash, sizeof hash);
        map_put(scope->table, &hash, sizeof hash, entry->next);
    }
}

static struct error *run_on_block(struct scope *scope, struct block *block)
{
    size_t outside = scope->hashes.count;
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int r = 0; r < op->region_count; r++)
            TRY(run_on_block(scope, op->regions[r]));
        if (op->result_count == 0 || !ir_is_pure(op))
            continue;
        uint64_t hash = equal_hash(op);
        struct op *same = find(scope, op, hash);
        if (!same) {
            enter(scope, op, hash);
            continue;
        }
        struct value **values =
            ARENA_ARRAY(scope->module->arena, struct value *, (size_t)op->result_count);
        for (int i = 0; i < op->result_count; i++)
            values[i] = &same->results[i];
        TRY(rewrite_replace(scope->module, op, values));
    }
    leave(scope, outside);
    return NULL;
}

struct error *cse_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next) {
        struct scope scope = {.module = module, .table = map_create(arena_scratch(module->arena))};
        TRY(run_on_block(&scope, func->body));
    }
    return NULL;
}
