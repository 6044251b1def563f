/* Which participants meet, in each mode, and groups that do not fit the program. */
#include "compiler/analysis/collective.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/passes/passes_fixture.h"

TestSuite(collective, .init = fixture_begin, .fini = fixture_end);

static const int64_t pair_list[] = {0, 1, 1, 0, 2, 2};

/* Groups of an operation on `x`, in a program of `replicas` x `partitions`. */
static struct error *groups_of(enum op_code code, int replicas, int partitions, union attrs attrs,
                               struct program_groups *out)
{
    struct value *operand = argument(0);
    struct op *op = ir_op(fixture_module, code, 1, &operand, 1, &operand->type, 0);
    op->attrs = attrs;
    fixture_module->num_replicas = replicas;
    fixture_module->num_partitions = partitions;
    return collective_groups(fixture_module, op, out);
}

static void expect_members(const struct program_groups *groups, int group, int count,
                           const int *members)
{
    cr_assert_lt(group, groups->group_count);
    cr_assert_eq(groups->offsets[group + 1] - groups->offsets[group], count);
    for (int i = 0; i < count; i++)
        cr_expect_eq(groups->members[groups->offsets[group] + i], members[i], "member %d", i);
}

static union attrs all_reduce(struct pairs groups, int64_t channel, bool global)
{
    return (union attrs){.all_reduce = {.replica_groups = groups,
                                        .channel_id = channel,
                                        .use_global_device_ids = global}};
}

Test(collective, modes_of_groups)
{
    struct program_groups groups;
    struct pairs two = {1, 2, (int64_t[]){1, 0}}, flat = {2, 2, (int64_t[]){0, 3, 2, 1}};
    MAIN("f32 4");
    cr_assert_null(groups_of(OP_all_reduce, 2, 2, all_reduce(two, 0, false), &groups));
    cr_expect_eq(groups.group_count, 2, "each partition alone");
    expect_members(&groups, 0, 2, (int[]){2, 0});
    expect_members(&groups, 1, 2, (int[]){3, 1});
    cr_assert_null(groups_of(OP_all_reduce, 2, 2, all_reduce(two, 1, false), &groups));
    cr_expect_eq(groups.group_count, 1, "replicas over all their partitions");
    expect_members(&groups, 0, 4, (int[]){2, 3, 0, 1});
    cr_assert_null(groups_of(OP_all_reduce, 2, 2, all_reduce(flat, 1, true), &groups));
    expect_members(&groups, 0, 2, (int[]){0, 3});
    expect_members(&groups, 1, 2, (int[]){2, 1});
    cr_assert_null(groups_of(OP_all_reduce, 2, 2, all_reduce((struct pairs){0}, 1, true), &groups));
    expect_members(&groups, 0, 4, (int[]){0, 1, 2, 3});
    union attrs broadcast = {.collective = {.replica_groups = two, .channel_id = 1}};
    cr_assert_null(groups_of(OP_collective_broadcast, 2, 2, broadcast, &groups));
    expect_members(&groups, 0, 2, (int[]){1, 0});
    expect_members(&groups, 1, 2, (int[]){3, 2});
    cr_expect_eq(groups.sources[1], 0, "all receive from the first");
}

Test(collective, groups_of_a_permute_are_its_components)
{
    struct program_groups groups;
    union attrs attrs = {
        .collective_permute = {.source_target_pairs = {3, 2, pair_list}, .channel_id = 1}};
    MAIN("f32 4");
    cr_assert_null(groups_of(OP_collective_permute, 1, 4, attrs, &groups));
    cr_expect_eq(groups.group_count, 2);
    cr_expect_eq(groups.member_count, 3, "3 neither sends nor receives");
    expect_members(&groups, 0, 2, (int[]){0, 1});
    expect_members(&groups, 1, 1, (int[]){2});
    cr_expect_eq(groups.sources[0], 1);
    cr_expect_eq(groups.sources[1], 0);
    cr_expect_eq(groups.sources[2], 0);
}

static void expect_error(struct pairs list, const char *words)
{
    struct program_groups groups;
    struct error *error = groups_of(OP_all_reduce, 4, 1, all_reduce(list, 0, false), &groups);
    cr_assert_not_null(error, "%s", words);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), "all_reduce"), "%s", error_message(error, NULL));
    error_free(error);
}

Test(collective, groups_that_do_not_fit)
{
    MAIN("f32 4");
    expect_error((struct pairs){1, 2, (int64_t[]){0, 4}}, "has replica 4");
    expect_error((struct pairs){1, 3, (int64_t[]){0, 1, 3}}, "omit replica 2");
    expect_error((struct pairs){2, 2, (int64_t[]){0, 1, 1, 2}}, "replica 1 is in two groups");
}
