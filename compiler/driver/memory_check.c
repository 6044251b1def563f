/* memory_check.c: see memory_check.h. */
#include "compiler/driver/memory_check.h"

#include "base/alloc.h"
#include "compiler/program/program_memory.h"

enum { LISTED = 8 }; /* values that the message names */

typedef unsigned long long count; /* of bytes, as printed */

/* What a user can do, by memory kind. */
static const char *const advice[MEMORY_KIND_COUNT] = {
    [MEMORY_DEVICE] =
        "Donate arguments that the program replaces, use a smaller batch, recompute activations "
        "(jax.checkpoint), keep some of them in pinned_host memory, or raise the capacity: "
        "GANTRY_DEVICE_MEMORY or the create option memory_limit.",
    [MEMORY_PINNED_HOST] = "Offload less, or raise the capacity: "
                           "GANTRY_PINNED_HOST_MEMORY or the create option "
                           "pinned_host_memory_limit.",
    [MEMORY_UNPINNED_HOST] = "Offload less, or raise the capacity: "
                             "GANTRY_UNPINNED_HOST_MEMORY or the create option "
                             "unpinned_host_memory_limit.",
};

static void print_needs(const struct program *program, const struct target *target,
                        enum memory_kind kind, struct text *out)
{
    struct program_memory memory;
    program_memory(program, kind, &memory);
    text_add(out, "%s needs ", program->name);
    text_add_size(out, memory.peak);
    text_add(out,
             " of %s memory at its peak (arguments %llu, results %llu, %llu of them in "
             "arguments' memory, temporaries %llu, constants %llu), %s has ",
             memory_kind_name(kind), (count)memory.arguments, (count)memory.results,
             (count)memory.aliases, (count)memory.temporaries, (count)memory.constants,
             target->name);
    text_add_size(out, target->memory_bytes[kind]);
    text_add(out, ". Largest at the peak:\n");
}

static void print_largest(const struct program *program, const struct step **steps,
                          enum memory_kind kind, int64_t step, struct text *out)
{
    struct program_memory_use uses[LISTED];
    int used = program_memory_largest(program, kind, step, LISTED, uses);
    for (int i = 0; i < used; i++) {
        text_add(out, "  ");
        text_add_size(out, uses[i].bytes);
        text_add(out, ": ");
        program_memory_print_use(program, (const struct step *const *)steps, &uses[i], out);
        text_add(out, "\n");
    }
}

static struct error *describe(const struct program *program, const struct target *target,
                              enum memory_kind kind, struct text *out)
{
    struct program_memory_curve curve;
    const struct step **steps;
    print_needs(program, target, kind, out);
    TRY(program_memory_curve(program, kind, &curve));
    struct error *error = alloc_array((size_t)curve.step_count + 1, sizeof *steps, &steps);
    if (!error) {
        program_list_steps(program, steps);
        print_largest(program, steps, kind, curve.peak_step, out);
        text_add(out, "%s", advice[kind]);
        alloc_free(steps);
    }
    program_memory_curve_free(&curve);
    return error;
}

static struct error *reject(const struct program *program, const struct target *target,
                            enum memory_kind kind)
{
    struct text text = {0};
    char *message;
    struct error *error = describe(program, target, kind, &text);
    if (error) {
        text_free(&text);
        return error;
    }
    TRY(text_finish(&text, &message, NULL));
    error = ERROR(RESOURCE_EXHAUSTED, "%s", message);
    alloc_free(message);
    return error;
}

struct error *memory_check(const struct program *program, const struct target *target)
{
    for (enum memory_kind kind = 0; kind < MEMORY_KIND_COUNT; kind++) {
        struct program_memory memory;
        program_memory(program, kind, &memory);
        bool is_modeled = kind == MEMORY_DEVICE && program->model; /* model_check.h decides */
        if (target->memory_bytes[kind] && memory.peak > target->memory_bytes[kind] &&
            !target->plans_only && !is_modeled)
            return reject(program, target, kind);
    }
    return NULL;
}
