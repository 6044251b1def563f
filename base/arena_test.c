#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"

static struct arena *fresh(void)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    return arena;
}

Test(arena, gives_zeroed_aligned_memory)
{
    struct arena *arena = fresh();
    size_t sizes[] = {0, 1, 15, 16, 17, 100, 4000, 50000, 3 << 20};
    for (int round = 0; round < 50; round++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            unsigned char *p = arena_alloc(arena, sizes[i]);
            cr_assert_not_null(p);
            cr_assert_eq((uintptr_t)p % 16, 0);
            for (size_t k = 0; k < sizes[i]; k += 97)
                cr_assert_eq(p[k], 0);
            memset(p, 0xAB, sizes[i]);
        }
    cr_assert_gt(arena_used(arena), 50U * (3 << 20));
    arena_destroy(arena);
    arena_destroy(NULL);
    cr_assert_eq(alloc_live(), 0);
}

Test(arena, copies_and_formats)
{
    struct arena *arena = fresh();
    cr_assert_str_eq(arena_string(arena, "abcdef", 3), "abc");
    cr_assert_str_eq(arena_format(arena, "%d-%s", 7, "x"), "7-x");
    cr_assert_arr_eq(arena_copy(arena, "ab", 3), "ab", 3);
    char *wide = arena_format(arena, "%70000d", 1);
    cr_assert_eq(strlen(wide), 70000);
    arena_destroy(arena);
}

Test(arena, outside_of_run_failure_is_null)
{
    struct arena *arena = fresh();
    alloc_fail_at(1);
    cr_assert_null(arena_alloc(arena, 1));
    cr_assert_not_null(arena_alloc(arena, 1));
    cr_assert_null(arena_array(arena, SIZE_MAX / 2, 3));
    cr_assert_null(arena_alloc(arena, SIZE_MAX - 3));
    arena_destroy(arena);
}

struct work {
    struct arena *arena;
    int depth;
};

static struct error *deep(void *context)
{
    struct work *work = context;
    for (int i = 0; i < 30; i++)
        arena_alloc(work->arena, 10000);
    if (work->depth-- > 0)
        return arena_run(work->arena, deep, work);
    return NULL;
}

Test(arena, run_unwinds_when_memory_is_gone)
{
    bool done = false;
    for (int n = 1; !done; n++) {
        struct arena *arena = NULL;
        alloc_fail_at(n);
        struct error *error = arena_create(&arena);
        if (!error) {
            struct work work = {arena, 3};
            error = arena_run(arena, deep, &work);
        }
        alloc_fail_at(0);
        done = !error;
        if (error)
            cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        error_free(error);
        arena_destroy(arena);
        cr_assert_eq(alloc_live(), 0);
        cr_assert_lt(n, 1000);
    }
}

static int order[8], closed;

static void close_number(void *number)
{
    order[closed++] = *(int *)number;
}

/* Keeps 1, 2 and 3, except those whose slot cannot be allocated; one slot stays empty. */
static struct error *keep_three(void *context)
{
    static int numbers[] = {1, 2, 3};
    for (int i = 0; i < 3; i++) {
        void **place = arena_keep(context, close_number);
        *place = &numbers[i];
        arena_keep(context, close_number);
    }
    return NULL;
}

Test(arena, keeps_resources_until_its_end)
{
    for (int n = 0; n <= 6; n++) { /* the n-th allocation fails; 0: none */
        struct arena *arena = fresh();
        closed = 0;
        alloc_fail_at(n ? n + 1 : 0); /* the first is the arena's memory */
        struct error *error = arena_run(arena, keep_three, arena);
        alloc_fail_at(0);
        int kept = n ? n / 2 : 3;
        cr_assert_eq(!error, n == 0);
        cr_assert_eq(closed, 0);
        arena_destroy(arena);
        cr_assert_eq(closed, kept, "%d: %d", n, closed);
        for (int i = 0; i < kept; i++)
            cr_assert_eq(order[i], kept - i);
    }
    struct arena *arena = fresh();
    alloc_fail_at(1);
    cr_assert_null(arena_keep(arena, close_number));
    arena_destroy(arena);
}

static struct error *refuse(void *context)
{
    return ERROR(INTERNAL, "%s", (const char *)context);
}

Test(arena, run_passes_errors_on)
{
    struct arena *arena = fresh();
    char text[] = "no";
    struct error *error = arena_run(arena, refuse, text);
    cr_assert_str_eq(error_message(error, NULL), "no");
    error_free(error);
    arena_destroy(arena);
}

/* Allocates 1000 bytes (1008 with the alignment) as often as requested. */
static struct error *take_thousands(void *context)
{
    struct work *work = context;
    for (int i = 0; i < work->depth; i++)
        arena_alloc(work->arena, 1000);
    return NULL;
}

Test(arena, a_limit_is_an_error_that_names_it_and_the_task)
{
    struct arena *arena = fresh();
    struct work within = {arena, 100}, beyond = {arena, 1};
    arena_set_limit(arena, 100 * 1008);
    cr_assert_null(arena_set_task(arena, "reading"));
    cr_assert_null(arena_run(arena, take_thousands, &within));
    cr_assert_eq(arena_used(arena), 100 * 1008U);
    struct error *error = arena_run(arena, take_thousands, &beyond);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    cr_assert_str_eq(error_message(error, NULL),
                     "reading exceeds its memory limit of 100800 bytes (100800 are in use); "
                     "compile a smaller program");
    error_free(error);
    cr_assert_str_eq(arena_set_task(arena, NULL), "reading");
    cr_assert_null(arena_alloc(arena, 1)); /* outside of arena_run() */
    arena_set_limit(arena, 0);
    cr_assert_null(arena_run(arena, take_thousands, &beyond));
    arena_destroy(arena);
}

static struct error *take_half_of_all(void *context)
{
    struct work *work = context;
    arena_alloc(work->arena, SIZE_MAX / 2 + 1);
    return NULL;
}

Test(arena, tells_a_limit_from_missing_memory)
{
    struct arena *arena = fresh();
    struct work work = {arena, 1};
    arena_set_limit(arena, 1 << 20);
    struct error *error = arena_run(arena, take_half_of_all, &work);
    cr_assert_neq(strcmp(error_message(error, NULL), "out of memory"), 0);
    error_free(error);
    alloc_fail_at(1);
    error = arena_run(arena, take_thousands, &work);
    alloc_fail_at(0);
    cr_assert_str_eq(error_message(error, NULL), "out of memory");
    error_free(error);
    cr_assert_eq(arena_used(arena), 0);
    arena_destroy(arena);
}

Test(arena, scratch_is_emptied_and_counts_for_both)
{
    struct arena *arena = fresh();
    char *kept = arena_format(arena, "kept");
    struct arena *scratch = arena_scratch(arena);
    cr_assert_eq(arena_scratch(arena), scratch);
    cr_assert_eq(arena_scratch(scratch), scratch);
    size_t before = arena_used(arena);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++)
            memset(arena_alloc(scratch, 50000), 0xAB, 50000);
        cr_assert_geq(arena_used(arena), before + 100 * 50000);
        arena_scratch_clear(arena);
        cr_assert_eq(arena_used(arena), before);
        cr_assert_eq(arena_used(scratch), 0);
        cr_assert_eq(*(char *)arena_alloc(scratch, 100), 0);
    }
    cr_assert_str_eq(kept, "kept");
    arena_destroy(arena);
    cr_assert_eq(alloc_live(), 0);
}

static struct error *fill_scratch(void *context)
{
    for (;;)
        arena_alloc(arena_scratch(context), 3000);
    return NULL;
}

Test(arena, scratch_has_the_budget_and_the_exit_of_its_arena)
{
    struct arena *arena = fresh();
    arena_set_limit(arena, 1 << 20);
    arena_set_task(arena, "a pass");
    struct error *error = arena_run(arena, fill_scratch, arena);
    cr_assert(strstr(error_message(error, NULL), "a pass"));
    error_free(error);
    arena_scratch_clear(arena);
    cr_assert_lt(arena_used(arena), 1000);
    arena_set_limit(arena, 0);
    arena_cancel(arena_scratch(arena));
    error = arena_run(arena, fill_scratch, arena);
    cr_assert_not_null(error);
    error_free(error);
    arena_destroy(arena);
    cr_assert_eq(alloc_live(), 0);
}

/* A step is emptied alone, and with the scratch arena that it is in. */
Test(arena, steps_are_emptied_and_count_for_all)
{
    struct arena *arena = fresh(), *scratch = arena_scratch(arena);
    char *kept = arena_format(scratch, "kept");
    size_t before = arena_used(arena);
    for (int round = 0; round < 3; round++) {
        struct arena *step = arena_step(scratch);
        cr_assert_eq(arena_step(scratch), step);
        for (int i = 0; i < 100; i++)
            memset(arena_alloc(step, 50000), 0xAB, 50000);
        cr_assert_geq(arena_used(scratch), 100 * 50000);
        cr_assert_geq(arena_used(arena), before + 100 * 50000);
        arena_step_clear(scratch);
        cr_assert_eq(arena_used(arena), before);
        cr_assert_eq(*(char *)arena_alloc(step, 100), 0);
        arena_step_clear(scratch);
    }
    cr_assert_str_eq(kept, "kept");
    arena_alloc(arena_step(scratch), 3000000);
    arena_scratch_clear(arena);
    cr_assert_eq(arena_used(scratch), 0);
    arena_destroy(arena);
    cr_assert_eq(alloc_live(), 0);
}

static struct error *fill_step(void *context)
{
    for (;;)
        arena_alloc(arena_step(arena_scratch(context)), 3000);
    return NULL;
}

Test(arena, a_step_has_the_budget_and_the_exit_of_the_outermost_arena)
{
    struct arena *arena = fresh();
    arena_set_limit(arena, 1 << 20);
    struct error *error = arena_run(arena, fill_step, arena);
    cr_assert_not_null(error);
    error_free(error);
    arena_destroy(arena);
    cr_assert_eq(alloc_live(), 0);
}

static int disposed;

static void dispose(void *resource)
{
    (void)resource;
    disposed++;
}

Test(arena, clearing_scratch_disposes_of_its_resources)
{
    struct arena *arena = fresh();
    arena_scratch_clear(arena);
    *arena_keep(arena_scratch(arena), dispose) = &disposed;
    *arena_keep(arena, dispose) = &disposed;
    arena_scratch_clear(arena);
    cr_assert_eq(disposed, 1);
    arena_destroy(arena);
    cr_assert_eq(disposed, 2);
}

Test(arena, releases_large_memory_and_keeps_the_rest)
{
    struct arena *arena = fresh();
    size_t sizes[] = {100, 300 << 10, 3 << 20, 5000, 1 << 20};
    char *kept = arena_copy(arena, "kept", 5), *memory[5];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 5; i++)
            memset(memory[i] = arena_alloc(arena, sizes[i]), i, sizes[i]);
        for (int i = 0; i < 5; i++)
            arena_release(arena, memory[i], sizes[i]);
    }
    /* Small memory stays, and at most the first large block, where the arena began with it. */
    cr_assert_leq(arena_used(arena), 20 * 5200 + (300 << 10));
    cr_assert_str_eq(kept, "kept");
    arena_destroy(arena);
    cr_assert_eq(alloc_live(), 0);
}

Test(arena, releases_the_memory_of_its_scratch)
{
    struct arena *arena = fresh(), *scratch = arena_scratch(arena);
    arena_alloc(scratch, 100);
    size_t used = arena_used(arena);
    arena_release(scratch, arena_alloc(scratch, 4 << 20), 4 << 20);
    cr_assert_eq(arena_used(arena), used);
    arena_scratch_clear(arena);
    cr_assert_eq(arena_used(arena), used - arena_used(scratch) - 112);
    arena_destroy(arena);
}
