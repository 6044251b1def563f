#include "compiler/passes/spmd/halo_plan.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/error.h"

enum { MAX_RANGES = 8, MAX_SIZE = 64, NOTHING = -1 };

static struct arena *arena;
static const struct device_grid grid = {3, {2, 2, 2}, {4, 2, 1}, 8, NULL}; /* axes x, y, z */
static const struct axis_list none = {0}, x = {1, {0}}, y = {1, {1}}, xy = {2, {0, 1}},
                              xyz = {3, {0, 1, 2}};
static struct halo_plan plan;
static bool is_shared; /* pieces are broadcast */

static void setup(void)
{
    cr_assert_null(arena_create(&arena));
}

static void teardown(void)
{
    arena_destroy(arena);
}

TestSuite(halo_plan, .init = setup, .fini = teardown);

/* Plans ranges that begin at scale * i + offset. */
static struct halo plan_ranges(const struct axis_list *from, const struct axis_list *to,
                               int64_t whole, int64_t scale, int64_t offset, int64_t size)
{
    static int64_t starts[MAX_RANGES], counts[MAX_RANGES];
    for (int64_t i = 0; i < axis_list_size(&grid, to); i++)
        starts[i] = scale * i + offset, counts[i] = size;
    struct halo halo = {*from, *to, whole, 0, whole, size, starts, counts};
    halo_plan(arena, &grid, &halo, &plan);
    is_shared = false;
    return halo;
}

/* Element k of the participant's block: its index in the dimension. */
static int64_t held(const struct halo *halo, int64_t participant, int64_t k)
{
    int64_t shard = halo_shard_index(&grid, &plan.axes, participant, &halo->from);
    cr_assert(k >= 0 && k < plan.block);
    return shard * plan.block + k;
}

/* Moves the step's pieces into the ranges. */
static void run_step(const struct halo *halo, const struct halo_step *step,
                     int64_t ranges[][3 * MAX_SIZE])
{
    for (int64_t i = 0; i < step->pair_count; i++) {
        int64_t source = step->pairs[2 * i], target = step->pairs[2 * i + 1];
        cr_assert(!step->is_own || source == target);
        for (int64_t j = 0; j < i && !is_shared; j++)
            cr_assert(step->pairs[2 * j] != source && step->pairs[2 * j + 1] != target);
        for (int64_t k = 0; k < step->size; k++) {
            int64_t place = step->places[target] + k + MAX_SIZE;
            cr_assert(place >= MAX_SIZE - step->size && place < 2 * MAX_SIZE + step->size);
            ranges[target][place] = held(halo, source, step->firsts[source] + k);
        }
    }
}

/* Each participant receives what is broadcast. */
static void share_pieces(void)
{
    for (int s = 0; s < plan.step_count; s++) {
        struct halo_step *step = &plan.steps[s];
        int64_t source = step->pairs[0];
        cr_assert_eq(step->pair_count, 1);
        step->is_own = false;
        step->pair_count = plan.participants;
        is_shared = true;
        for (int64_t i = 0; i < plan.participants; i++)
            step->pairs[2 * i] = source, step->pairs[2 * i + 1] = i;
    }
}

/* Every element that matters has arrived. */
static void check(const struct halo *halo)
{
    static int64_t ranges[MAX_RANGES][3 * MAX_SIZE];
    if (plan.kind == HALO_WHOLE)
        return;
    if (plan.kind == HALO_SHARED)
        share_pieces();
    memset(ranges, NOTHING, sizeof ranges);
    for (int s = 0; s < plan.step_count; s++)
        run_step(halo, &plan.steps[s], ranges);
    for (int64_t p = 0; p < plan.participants; p++) {
        int64_t r = halo_shard_index(&grid, &plan.axes, p, &halo->to);
        for (int64_t k = 0; k < halo->counts[r]; k++) {
            int64_t wanted = halo->starts[r] + k;
            if (wanted >= halo->begin && wanted < halo->end)
                cr_expect_eq(ranges[p][k + MAX_SIZE], wanted);
        }
    }
}

Test(halo_plan, neighbors_send_the_ends_of_blocks)
{
    struct halo halo = plan_ranges(&xy, &xy, 16, 4, -1, 6);
    check(&halo);
    cr_expect_eq(plan.kind, HALO_FIXED);
    cr_assert_eq(plan.step_count, 3);
    cr_expect_eq(plan.steps[0].size, 1);
    cr_expect_eq(plan.steps[0].pair_count, 3);
    cr_expect_eq(plan.steps[0].firsts[0], 3);
    cr_expect(plan.steps[1].is_own);
    cr_expect_eq(plan.elements, 1.5);
}

Test(halo_plan, own_elements_are_not_sent)
{
    struct halo halo = plan_ranges(&xy, &xy, 16, 4, 1, 2);
    check(&halo);
    cr_expect_eq(plan.elements, 0);
    cr_expect_eq(plan.step_count, 1);
}

Test(halo_plan, blocks_change_places_in_a_reverse)
{
    struct halo halo = plan_ranges(&xy, &xy, 16, -4, 12, 4);
    check(&halo);
    cr_expect_eq(plan.kind, HALO_FIXED);
    cr_expect_eq(plan.step_count, 1);
    halo = plan_ranges(&xyz, &xyz, 13, -2, 11, 2); /* uneven: each range is of two blocks */
    check(&halo);
    cr_expect_eq(plan.kind, HALO_FIXED);
    cr_expect_eq(plan.step_count, 2);
}

Test(halo_plan, halos_may_be_longer_than_blocks)
{
    struct halo halo = plan_ranges(&xyz, &xyz, 16, 2, -3, 8);
    check(&halo);
    cr_expect_eq(plan.kind, HALO_FIXED);
    cr_expect_eq(plan.step_count, 5);
    cr_expect_lt(plan.elements, 14);
}

Test(halo_plan, gathering_costs_less_than_many_permutes)
{
    plan_ranges(&xyz, &xyz, 16, 0, 0, 16);
    cr_expect_eq(plan.kind, HALO_WHOLE);
    cr_expect_eq(plan.elements, 14);
    plan_ranges(&none, &xyz, 16, 2, 0, 2);
    cr_expect_eq(plan.kind, HALO_WHOLE);
    cr_expect_eq(plan.elements, 0);
}

Test(halo_plan, what_all_need_is_broadcast)
{
    struct halo halo = plan_ranges(&xyz, &none, 16, 0, 5, 3);
    cr_expect_eq(plan.kind, HALO_SHARED);
    cr_expect_eq(plan.step_count, 2);
    cr_expect_eq(plan.elements, 3 * 7 / 8.0);
    check(&halo);
    plan_ranges(&xyz, &none, 16, 0, 3, 12); /* of seven blocks */
    cr_expect_eq(plan.kind, HALO_WHOLE);
}

Test(halo_plan, only_what_matters_is_sent)
{
    static const int64_t starts[] = {-1, 3, 7, 11}, counts[] = {5, 5, 0, 0};
    struct halo halo = {xy, xy, 16, 0, 4, 5, starts, counts};
    halo_plan(arena, &grid, &halo, &plan);
    check(&halo);
    cr_expect_eq(plan.elements, 0.25); /* element 3, from the first to the second */
    cr_expect(halo_reaches_outside(&grid, &halo));
}

Test(halo_plan, ranges_of_any_distance_and_axes)
{
    static const struct axis_list *const lists[] = {&none, &x, &y, &xy, &xyz};
    for (int from = 0; from < 5; from++)
        for (int to = 0; to < 5; to++)
            for (int64_t whole = 1; whole < 20; whole += 3)
                for (int64_t scale = -4; scale <= 6; scale++)
                    for (int64_t offset = -9; offset < 20; offset += 4)
                        for (int64_t size = 1; size < 9; size += 2) {
                            struct halo halo =
                                plan_ranges(lists[from], lists[to], whole, scale, offset, size);
                            check(&halo);
                        }
}

Test(halo_plan, too_many_participants_gather)
{
    static const struct device_grid wide = {11,
                                            {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
                                            {1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1},
                                            2048,
                                            NULL};
    struct axis_list all = {11, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
    int64_t *starts = ARENA_ARRAY(arena, int64_t, 2048);
    struct halo halo = {all, all, 4096, 0, 4096, 1, starts, starts};
    halo_plan(arena, &wide, &halo, &plan);
    cr_expect_eq(plan.kind, HALO_WHOLE);
}
