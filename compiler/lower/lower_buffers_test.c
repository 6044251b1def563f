/* The memory plan of every model of the corpus is consistent with its steps: the temporaries and
 * results that a step accesses are live, and live slices do not overlap. */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/compile.h"
#include "compiler/program/program_memory.h"
#include "compiler/target_fixture.h"

static const char *model;

static struct program *compile_file(const char *path)
{
    struct target target = target_fixture();
    struct program *program;
    FILE *file = fopen(path, "rb");
    cr_assert(file, "cannot open %s", path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    void *bytes = malloc(size);
    cr_assert_eq(fread(bytes, 1, size, file), size);
    fclose(file);
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = bytes, .size = size};
    struct error *error = compile(&source, &target, &program);
    cr_assert(!error, "%s: %s", path, error_message(error, NULL));
    free(bytes);
    return program;
}

static bool is_in_use(const struct program *program, int64_t step, const struct slice *slice)
{
    for (int i = 0; i < program->buffer_count; i++) {
        const struct program_buffer *buffer = &program->buffers[i];
        if (buffer->slice.allocation == slice->allocation && buffer->first <= step &&
            step <= buffer->last && buffer->slice.offset <= slice->offset &&
            slice->offset + slice->size <= buffer->slice.offset + buffer->slice.size)
            return true;
    }
    return false;
}

/* A loop reads its predicate after the last step of its condition. */
static int64_t time_of(const struct step *step, int64_t number)
{
    struct program condition = {0};
    if (step->kind == STEP_WHILE)
        condition.steps = step->loop.condition;
    return number + program_step_count(&condition);
}

static void prove_steps(const struct program *program)
{
    int64_t count = program_step_count(program);
    const struct step **steps = calloc((size_t)count + 1, sizeof *steps);
    program_list_steps(program, steps);
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < steps[i]->slice_count; k++) {
            const struct slice slice = step_reach(steps[i], k);
            enum allocation_kind kind = program->allocations[slice.allocation].kind;
            if (slice.size && (kind == ALLOCATION_TEMP || kind == ALLOCATION_RESULT))
                cr_assert(is_in_use(program, time_of(steps[i], i), &slice),
                          "%s: step %ld (%s), slice %d", model, (long)i, steps[i]->label, k);
        }
    free(steps);
}

static bool share_time(const struct program_buffer *x, const struct program_buffer *y)
{
    return x->first <= y->last && y->first <= x->last;
}

static bool share_bytes(const struct program_buffer *x, const struct program_buffer *y)
{
    return x->slice.allocation == y->slice.allocation &&
           x->slice.offset < y->slice.offset + y->slice.size &&
           y->slice.offset < x->slice.offset + x->slice.size;
}

static void check_slices(const struct program *program)
{
    for (int i = 0; i < program->buffer_count; i++)
        for (int k = i + 1; k < program->buffer_count; k++) {
            const struct program_buffer *x = &program->buffers[i], *y = &program->buffers[k];
            cr_assert(!share_time(x, y) || !share_bytes(x, y), "%s: buffers %d and %d overlap",
                      model, i, k);
        }
}

/* The block of each kind ends where its last buffer ends. */
static void prove_sizes(const struct program *program)
{
    for (enum memory_kind memory = 0; memory < MEMORY_KIND_COUNT; memory++) {
        uint64_t end = 0;
        for (int i = 0; i < program->buffer_count; i++) {
            const struct program_buffer *buffer = &program->buffers[i];
            if (program_memory_is_temporary(program, buffer, memory) &&
                buffer->slice.offset + buffer->slice.size > end)
                end = buffer->slice.offset + buffer->slice.size;
        }
        cr_assert_eq((end + 63) / 64 * 64, program_temp_size(program, memory), "%s", model);
    }
}

Test(lower_buffers, plans_of_models_agree_with_their_steps)
{
    glob_t found;
    int64_t buffers = 0;
    setenv("GANTRY_TIER", "0", 1); /* plans do not depend on how kernels are optimized */
    cr_assert_eq(glob("build/corpus/models/*.mlirbc", 0, NULL, &found), 0);
    glob("../shared/corpus/models/*.mlirbc", GLOB_APPEND, NULL, &found);
    cr_assert_geq(found.gl_pathc, 12);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        model = found.gl_pathv[i];
        struct program *program = compile_file(model);
        prove_steps(program);
        check_slices(program);
        prove_sizes(program);
        buffers += program->buffer_count;
        program_release(program);
    }
    cr_expect_geq(buffers, 100);
    globfree(&found);
}
