/* ir_fixture.h: test fixture: an arena and an empty module, types written as text, and values of
 * them. Each test program that includes it has its own copy. */
#ifndef GANTRY_COMPILER_IR_IR_FIXTURE_H
#define GANTRY_COMPILER_IR_IR_FIXTURE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "compiler/ir/build.h"

static struct arena *fixture_arena;
static struct module *fixture_module;

static inline void fixture_begin(void)
{
    cr_assert_null(arena_create(&fixture_arena));
    fixture_module = ir_module(fixture_arena, "test");
}

static inline void fixture_end(void)
{
    arena_destroy(fixture_arena);
}

#define DIMS(...)                                                                                  \
    ((struct dims){(int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)),                  \
                   (int64_t[]){__VA_ARGS__}})

/* "f32 4 8" */
static inline const struct type *fixture_type(const char *text)
{
    char name[16];
    int length = 0, rank = 0, step;
    int64_t dims[8];
    long long dim;
    cr_assert_eq(sscanf(text, "%15s%n", name, &length), 1);
    for (; sscanf(text + length, "%lld%n", &dim, &step) == 1; length += step)
        dims[rank++] = dim;
    return type_tensor(fixture_arena, dtype_from_name(name, strlen(name)), rank, dims);
}

/* A value of that type without a definition: the argument of a block of its own. */
static inline struct value *fixture_value(const char *text)
{
    const struct type *type = fixture_type(text);
    return &ir_block(fixture_module, fixture_module->entry, NULL, 1, &type)->arguments[0];
}

#endif
