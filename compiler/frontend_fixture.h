/* frontend_fixture.h: a fixture for tests and fuzz targets of the frontends: an arena, the bytes of
 * a file, and reading followed by the verifier. Header only. */
#ifndef GANTRY_COMPILER_FRONTEND_FIXTURE_H
#define GANTRY_COMPILER_FRONTEND_FIXTURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "compiler/frontend/sdy_round_trip.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/expand/quantized.h"

typedef struct error *fixture_reader(struct arena *arena, const void *bytes, size_t size,
                                     struct module **out);

static inline struct error *fixture_verify(void *module)
{
    struct error *error = sdy_round_trip_run(module);
    if (!error)
        error = quantized_run(module);
    return error ? error : ir_verify(module, true);
}

/* Reads, as compile_source_read() does, and verifies. */
static inline struct error *fixture_read(fixture_reader *read, struct arena *arena,
                                         const void *bytes, size_t size, struct module **out)
{
    struct error *error = read(arena, bytes, size, out);
    return error ? error : arena_run(arena, fixture_verify, *out);
}

/* The limit on arena memory of reading a program: a constant plus an amount for each byte. */
#define FIXTURE_ARENA_BYTES ((size_t)256 << 20)
#define FIXTURE_ARENA_PER_BYTE 4096

static inline void fixture_check_used(const struct arena *arena, size_t size)
{
    if (arena && arena_used(arena) > FIXTURE_ARENA_BYTES + FIXTURE_ARENA_PER_BYTE * size)
        abort();
}

/* Reads any bytes: an error, or a module that is printed. Memory must be proportional to the
 * size. */
static inline int fixture_fuzz(fixture_reader *read, const uint8_t *bytes, size_t size)
{
    struct arena *arena;
    struct module *module;
    struct text text = {0};
    struct error *error = arena_create(&arena);
    if (!error)
        error = fixture_read(read, arena, bytes, size, &module);
    if (!error)
        ir_print(module, &text);
    fixture_check_used(arena, size);
    text_free(&text);
    error_free(error);
    arena_destroy(arena);
    return 0;
}

#ifdef FIXTURE_TESTS /* after Criterion */
static struct arena *arena;
static uint8_t bytes[1 << 16];

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

/* Reads repeatedly with the n-th allocation failing, for every n: each time an error and no
 * leak. */
static inline void fixture_no_memory(struct error *(*read)(struct arena *arena))
{
    int64_t live = alloc_live();
    for (int64_t n = 1, done = 0; !done; n++) {
        struct arena *mine;
        alloc_fail_at(n);
        struct error *error = arena_create(&mine);
        if (!error)
            error = read(mine);
        arena_destroy(mine);
        alloc_fail_at(0);
        done = !error;
        if (error)
            cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        error_free(error);
        cr_assert_eq(alloc_live(), live);
    }
}

/* Fills `bytes`. */
static inline size_t fixture_load(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", folder, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return size;
}
#endif

#endif
