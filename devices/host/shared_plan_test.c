#include "devices/host/shared_plan.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"

static struct step product(int64_t rows)
{
    return (struct step){.kind = STEP_DOT,
                         .dot = {.lhs = DTYPE_F32,
                                 .rhs = DTYPE_F32,
                                 .out = DTYPE_F32,
                                 .batch = 1,
                                 .m = rows,
                                 .n = 8,
                                 .k = 8,
                                 .lhs_m_stride = 8,
                                 .lhs_k_stride = 1,
                                 .rhs_k_stride = 8,
                                 .rhs_n_stride = 1,
                                 .out_m_stride = 8,
                                 .out_n_stride = 1,
                                 .outer = 1}};
}

static struct shared_plan *use(int64_t rows, int threads)
{
    struct shared_plan *shared = NULL;
    struct step step;
    memset(&step, 0xA5, sizeof step); /* what other fields and the space between fields hold is
                                       * of no importance */
    struct step named = product(rows);
    step.kind = named.kind;
    step.dot = named.dot;
    cr_assert_null(shared_plan_use(&step, threads, &shared));
    cr_assert_not_null(shared->plan);
    return shared;
}

static void end(struct shared_plan *shared)
{
    shared->base.destroy(&shared->base);
}

Test(shared_plan, equal_specifications_share)
{
    struct shared_plan *first = use(4, 1);
    cr_expect_eq(use(4, 1), first);
    struct shared_plan *rows = use(5, 1), *threads = use(4, 2);
    cr_expect_neq(rows, first);
    cr_expect_neq(threads, first);
    cr_expect_neq(rows, threads);
    end(first);
    cr_expect_eq(use(4, 1), first, "it is still used");
    end(first), end(first), end(rows), end(threads);
}

Test(shared_plan, what_cannot_be_planned_is_refused)
{
    struct step step = product(4);
    struct shared_plan *shared;
    step.dot.lhs = DTYPE_TOKEN;
    struct error *error = shared_plan_use(&step, 1, &shared);
    cr_expect_not_null(error);
    error_free(error);
}

enum { THREADS = 4, ROUNDS = 500 };

static int run_plan(const struct plan *plan, void *buffers[PLAN_BUFFERS])
{
    void *scratch;
    if (alloc_aligned(plan->scratch_bytes + 64, &scratch) ||
        alloc_aligned(plan->shared_bytes + 64, &buffers[PLAN_SHARED]))
        return -1;
    struct error *error =
        plan->shared_bytes ? plan->prepare(plan, buffers, 0, plan->prepare_work) : NULL;
    if (!error)
        error = plan->run(plan, buffers, scratch, 0, plan->work);
    alloc_free(scratch), alloc_free(buffers[PLAN_SHARED]);
    int code = (int)error_code(error);
    error_free(error);
    return code;
}

/* Every thread creates, finds and destroys the same few plans, and multiplies by each. */
static void *use_often(void *argument)
{
    float lhs[3 * 8], rhs[64], out[3 * 8];
    long wrong = 0;
    (void)argument;
    for (int i = 0; i < 64; i++)
        lhs[i % 24] = 1, rhs[i] = (float)(i % 8);
    for (int round = 0; round < ROUNDS; round++) {
        struct shared_plan *shared = use(1 + round % 3, 1);
        void *buffers[PLAN_BUFFERS] = {lhs, rhs, out};
        wrong += run_plan(shared->plan, buffers) != 0 || out[7] != 56;
        end(shared);
    }
    return (void *)(intptr_t)wrong;
}

Test(shared_plan, threads)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, use_often, NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        cr_expect_null(wrong);
    }
}
