/* propagate_relation_test.c: visits of single relations. A sharding is written "ab,c!,-": letters
 * are axes of the grid, ! closes a dimension. Dimensions are written by their factors,
 * "ik kj ij". */
#include "compiler/passes/spmd/propagate_relation.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct arena *arena;
static const struct device_grid grid = {
    4, {2, 2, 2, 3}, {12, 6, 3, 1}, 24, NULL}; /* axes a, b, c of two devices, d of three */

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(propagate_relation, .init = begin, .fini = end);

#define DIMS(...) ((const int64_t[]){__VA_ARGS__})

static struct sharded *value(const int64_t *sizes, const char *text)
{
    struct sharded *made = ARENA_NEW(arena, struct sharded);
    int rank = 1, d = 0;
    for (const char *at = text; *at; at++)
        rank += *at == ',';
    made->sizes = sizes;
    made->elements = 1;
    for (int i = 0; i < rank; i++)
        made->elements *= sizes[i];
    made->tiling = tiling_replicated(arena, rank);
    made->tiling->open = UINT32_MAX;
    for (const char *at = text; *at; at++)
        if (*at == ',')
            d++;
        else if (*at == '!')
            made->tiling->open &= ~(UINT32_C(1) << d);
        else if (*at >= 'a' && *at <= 'd')
            made->tiling->dims[d].at[made->tiling->dims[d].count++] = (uint8_t)(*at - 'a');
    made->used = tiling_axes(made->tiling);
    return made;
}

static void shows(const struct sharded *got, const char *expected)
{
    char text[64] = "", *to = text;
    for (int d = 0; d < got->tiling->rank; d++) {
        const struct axis_list *list = &got->tiling->dims[d];
        if (d)
            *to++ = ',';
        if (!list->count)
            *to++ = '-';
        for (int i = 0; i < list->count; i++)
            *to++ = (char)('a' + list->at[i]);
    }
    *to = '\0';
    cr_expect_str_eq(text, expected, "got %s, expected %s", text, expected);
}

/* The dimensions of one member: "i(jk)" has two, the second with two factors. */
static struct factor_dims dims_of(const char *text, const char *end, const char *letters)
{
    struct factor_dim *dims = ARENA_ARRAY(arena, struct factor_dim, 8);
    int rank = 0;
    for (; text < end; text++) {
        int *at = ARENA_ARRAY(arena, int, 4), count = 0;
        if (*text == '(')
            while (*++text != ')')
                at[count++] = (int)(strchr(letters, *text) - letters);
        else
            at[count++] = (int)(strchr(letters, *text) - letters);
        dims[rank++] = (struct factor_dim){count, at};
    }
    return (struct factor_dims){rank, dims};
}

/* Members with the dimensions in `text`; factor i is letters[i]. */
static struct relation *relate(const char *text, const char *letters, const struct factor *factors,
                               int count, struct sharded **members)
{
    struct relation *made = ARENA_NEW(arena, struct relation);
    struct factor_dims *dims = ARENA_ARRAY(arena, struct factor_dims, (size_t)count);
    for (int i = 0; i < count; i++) {
        const char *end = text + strcspn(text, " ");
        dims[i] = dims_of(text, end, letters);
        text = end + (*end == ' ');
    }
    *made = (struct relation){.member_count = count,
                              .operand_count = count - 1,
                              .members = members,
                              .dims = dims,
                              .factors = factors,
                              .factor_count = (int)strlen(letters)};
    return made;
}

static void visit_in_round(struct relation *relation, int64_t priority, int round)
{
    struct propagate_visit *v = propagate_visit_create(arena, &grid);
    propagate_visit_set_priority(v, priority);
    propagate_visit_set_round(v, round);
    do
        propagate_visit_run(v, relation);
    while (propagate_visit_changed(v));
}

/* Visits until nothing changes. */
static void visit(struct relation *relation, int64_t priority)
{
    visit_in_round(relation, priority, RELATION_ROUNDS - 1);
}

static const struct factor product[] = {
    {16, FACTOR_PASS}, {16, FACTOR_REDUCTION}, {16, FACTOR_PASS}};

/* The shardings of a matrix product's values after the visits. */
static void multiply(const char *lhs, const char *rhs, const char *out, const char *expected_lhs,
                     const char *expected_rhs, const char *expected_out)
{
    struct sharded *values[] = {value(DIMS(16, 16), lhs), value(DIMS(16, 16), rhs),
                                value(DIMS(16, 16), out)};
    visit(relate("ik kj ij", "ikj", product, 3, values), 0);
    shows(values[0], expected_lhs);
    shows(values[1], expected_rhs);
    shows(values[2], expected_out);
}

Test(propagate_relation, forward_and_backward)
{
    multiply("a,b", "-,-", "-,c", "a,b", "b,c", "a,c");
    multiply("-,-", "-,-", "ab,-", "ab,-", "-,-", "ab,-");
}

Test(propagate_relation, closed_dimensions_keep_their_axes)
{
    multiply("a,-!", "b,-", "-!,-", "a,-", "b,-", "-,-");
}

Test(propagate_relation, an_axis_that_two_factors_want)
{
    multiply("a,-", "a,-", "-,-", "a,-", "a,-", "a,-");
    multiply("a,-", "-,a", "-,-", "a,-", "-,a", "a,-"); /* the first factor */
    /* more shards win */
    multiply("a,-", "-,ab", "-,-", "a,-", "-,ab", "-,ab");
    /* the rest of the axes does not jump over one that cannot be taken */
    multiply("ab,-", "-,-", "-,a", "ab,-", "-,a", "-,a");
}

Test(propagate_relation, the_larger_value_wins)
{
    static const struct factor factors[] = {
        {4, FACTOR_PASS}, {16, FACTOR_REDUCTION}, {64, FACTOR_PASS}};
    struct sharded *values[] = {value(DIMS(4, 16), "a,-"), value(DIMS(16, 64), "-,a"),
                                value(DIMS(4, 64), "-,-")};
    visit(relate("ik kj ij", "ikj", factors, 3, values), 0);
    shows(values[2], "-,a");
}

Test(propagate_relation, members_that_disagree)
{
    static const struct factor factors[] = {{16, FACTOR_PASS}};
    struct sharded *values[] = {value(DIMS(16), "ab"), value(DIMS(16), "a"), value(DIMS(16), "-")};
    visit(relate("i i i", "i", factors, 3, values), 0);
    shows(values[1], "ab");
    shows(values[2], "ab");
    values[0] = value(DIMS(16), "abd");
    values[1] = value(DIMS(16), "acb");
    values[2] = value(DIMS(16), "-");
    visit(relate("i i i", "i", factors, 3, values), 0);
    shows(values[0], "abd");
    shows(values[1], "acb");
    shows(values[2], "a");
}

Test(propagate_relation, forbidden_unreduced_and_manual_axes)
{
    static const struct factor factors[] = {{16, FACTOR_PASS}};
    struct sharded *values[] = {value(DIMS(16), "ab"), value(DIMS(16), "-"), value(DIMS(16), "-"),
                                value(DIMS(16), "-")};
    values[1]->forbidden = 1 << 1;
    values[2]->tiling->unreduced = values[2]->used = 1 << 0;
    values[3]->manual = 1 << 1;
    visit(relate("i i i i", "i", factors, 4, values), 0);
    shows(values[1], "a");
    shows(values[2], "-");
    shows(values[3], "a");
}

/* A local value is compared with the full one behind its manual axes. */
Test(propagate_relation, the_border_of_a_manual_computation)
{
    static const struct factor factors[] = {{16, FACTOR_PASS}};
    struct sharded *values[] = {value(DIMS(16), "a"), value(DIMS(8), "b")};
    struct relation *border = relate("i i", "i", factors, 2, values);
    border->manual = 1 << 0;
    visit(border, 0);
    shows(values[0], "ab");
    shows(values[1], "b");
}

Test(propagate_relation, priorities)
{
    static const struct factor factors[] = {{16, FACTOR_PASS}};
    static const int64_t later[] = {1};
    struct sharded *values[] = {value(DIMS(16), "a"), value(DIMS(16), "-")};
    values[0]->priorities = later;
    struct relation *relation = relate("i i", "i", factors, 2, values);
    visit(relation, 0);
    shows(values[1], "-");
    visit(relation, 1);
    shows(values[1], "a");
}

Test(propagate_relation, dimensions_of_several_factors)
{
    static const struct factor factors[] = {{2, FACTOR_PASS}, {12, FACTOR_PASS}};
    struct sharded *values[] = {value(DIMS(24), "abd"), value(DIMS(2, 12), "-,-")};
    visit(relate("(ij) ij", "ij", factors, 2, values), 0);
    shows(values[1], "a,bd");
    values[0] = value(DIMS(24), "-"); /* the minor factor only behind all of the major one */
    values[1] = value(DIMS(2, 12), "-,b");
    visit(relate("(ij) ij", "ij", factors, 2, values), 0);
    shows(values[0], "-");
    values[1] = value(DIMS(2, 12), "a,b");
    visit(relate("(ij) ij", "ij", factors, 2, values), 0);
    shows(values[0], "ab");
    values[0] = value(DIMS(24), "d"); /* three shards of a factor of two */
    values[1] = value(DIMS(2, 12), "-,-");
    visit(relate("(ij) ij", "ij", factors, 2, values), 0);
    shows(values[0], "d");
    shows(values[1], "-,-");
}

Test(propagate_relation, kinds_of_factors)
{
    static const struct factor replicated[] = {{16, FACTOR_REPLICATED}};
    static const struct factor permuted[] = {{16, FACTOR_PERMUTED}};
    struct sharded *values[] = {value(DIMS(16), "abc"), value(DIMS(16), "-")};
    visit(relate("i i", "i", replicated, 2, values), 0);
    shows(values[1], "abc");         /* sorted whole, but the result can be sharded again */
    values[1] = value(DIMS(4), "-"); /* no shards without elements */
    visit(relate("i i", "i", permuted, 2, values), 0);
    shows(values[1], "ab");
}

/* A product of a[i a, k b] and b[k, j c], in the rounds of operation priority. */
static void multiply_in_round(int round, const char *expected_rhs, const char *expected_out)
{
    struct sharded *values[] = {value(DIMS(16, 16), "a,b"), value(DIMS(16, 16), "-,c"),
                                value(DIMS(16, 16), "-,-")};
    struct relation *relation = relate("ik kj ij", "ikj", product, 3, values);
    relation->kind = RELATION_OTHER;
    visit_in_round(relation, 0, round);
    shows(values[1], expected_rhs);
    shows(values[2], expected_out);
}

Test(propagate_relation, reductions_come_last)
{
    multiply_in_round(0, "-,c", "-,-");
    multiply_in_round(1, "-,c", "a,c");
    multiply_in_round(2, "b,c", "a,c");
}

static const struct factor same[] = {{16, FACTOR_PASS}};

/* The shardings of an operand and a result of one dimension. */
static void pass(enum relation_kind kind, int round, const char *operand, const char *result,
                 const char *expected_operand, const char *expected_result)
{
    struct sharded *values[] = {value(DIMS(16), operand), value(DIMS(16), result)};
    struct relation *relation = relate("i i", "i", same, 2, values);
    relation->kind = kind;
    visit_in_round(relation, 0, round);
    shows(values[0], expected_operand);
    shows(values[1], expected_result);
}

Test(propagate_relation, slices_go_forward_first)
{
    pass(RELATION_ALIKE, 0, "-", "a", "a", "a");
    pass(RELATION_SLICE, 0, "a", "-", "a", "a");
    pass(RELATION_SLICE, 0, "-", "a", "-", "a");
    pass(RELATION_SLICE, 1, "-", "a", "a", "a");
}

Test(propagate_relation, broadcasts_go_backward_first)
{
    pass(RELATION_BROADCAST, 0, "-", "a", "-", "a");
    pass(RELATION_BROADCAST, 1, "-", "a", "a", "a");
    pass(RELATION_BROADCAST, 1, "a", "-", "a", "-");
    pass(RELATION_BROADCAST, 2, "a", "-", "a", "a");
}

/* Of two operands that want the axis in another dimension of the result. */
Test(propagate_relation, the_first_operand_wins)
{
    static const struct factor factors[] = {{16, FACTOR_PASS}, {16, FACTOR_PASS}};
    struct sharded *values[] = {value(DIMS(16, 16), "-,a"), value(DIMS(16, 16), "a,-"),
                                value(DIMS(16, 16), "-,-")};
    visit(relate("ij ij ij", "ij", factors, 3, values), 0);
    shows(values[2], "-,a");
}
