/* partition_fixture.h: for tests of the partitioner on whole programs, for the host and for a
 * modeled accelerator. */
#ifndef GANTRY_COMPILER_PARTITION_FIXTURE_H
#define GANTRY_COMPILER_PARTITION_FIXTURE_H

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/accelerator.h"
#include "compiler/driver/compile_source.h"
#include "compiler/passes/spmd/partition.h"
#include "compiler/passes/spmd/propagate.h"
#include "compiler/target.h"

static const struct accelerator accelerator = {.hbm_bytes = (uint64_t)16 << 30};
static const struct target modeled = {.accelerator = &accelerator}, host;
static struct arena *arena;

static inline void partition_begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static inline void partition_end(void)
{
    arena_destroy(arena);
}

/* The body of main of the partitioned program. */
static inline const struct block *partition_text(const char *text, const struct target *target)
{
    struct module *module;
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = strlen(text)};
    struct error *error = compile_source_read(arena, &source, &module);
    error = error ? error : propagate_run(module, target);
    error = error ? error : spmd_partition_run(module, target);
    error = error ? error : ir_verify(module, false);
    cr_assert_null(error, "%s", error_message(error, NULL));
    return module->entry->body;
}

static inline int partition_count(const struct block *block, enum op_code code)
{
    int found = 0;
    for (const struct op *op = block->first; op; op = op->next)
        found += op->code == code;
    return found;
}

#endif
