/* Products of bf16 with numbers of 4 and 8 bits by integers, against sums of f64: each type and
 * packing, sizes that tiles and chunks do not divide, parameters of each kind, and left sides whose
 * range is so large that integers of 16 bits do not have all of their bits. Each test says whether
 * its products are those of integers, if the processor has instructions for them. */
#include "devices/host/thin/thin_factors.h"
#include "devices/host/thin/thin_fixture.h"
#include "devices/host/thin/thin_integer_code.h"
#include "devices/host/thin/thin_integers.h"
#include "devices/host/thin/thin_plan.h"

static void setup_bf16(void)
{
    setup();
    fill(DTYPE_BF16, -100, 100, lhs);
}

TestSuite(thin_integers, .init = setup_bf16);

static const struct {
    enum dtype dtype;
    int low, high, count;
    bool high_first;
} forms[] = {
    {DTYPE_S8, -128, 127, 0, false}, {DTYPE_U8, 0, 255, 0, false}, {DTYPE_S4, -8, 7, 0, false},
    {DTYPE_U4, 0, 15, 0, false},     {DTYPE_S4, 0, 0, 2, false},   {DTYPE_U4, 0, 0, 2, true},
    {DTYPE_U4, 0, 0, 2, false},      {DTYPE_S4, 0, 0, 8, false},   {DTYPE_U4, 0, 0, 8, true}};
enum { FORMS = sizeof forms / sizeof *forms };

static struct thin_dot_spec spec_of_form(int form, int64_t m, int64_t n, int64_t k)
{
    struct thin_dot_spec spec = spec_of(forms[form].dtype, true, 1, m, n, k);
    const int64_t count = forms[form].count;
    spec.dot.lhs = DTYPE_BF16;
    spec.packing.count = count, spec.packing.inner = count ? 1 : 0;
    for (int i = 0; i < count; i++)
        spec.packing.shift[i] = (uint8_t)((i ^ forms[form].high_first) * 4);
    if (count)
        spec.dot.rhs_k_stride /= count;
    for (int i = 0; i < MOST; i++)
        rhs[i] = (char)((i * 97 + i / 13) % 256);
    if (!count)
        fill(forms[form].dtype, forms[form].low, forms[form].high, rhs);
    return spec;
}

/* A planned product; its integers are owned. */
struct planned {
    struct thin_factors factors;
    void *buffers[THIN_SLICES];
    atomic_bool has_large_numbers;
    struct thin_task task;
};

static void plan(const struct thin_dot_spec *spec, int threads, struct planned *to)
{
    memset(to, 0, sizeof *to);
    set_buffers(spec, again, to->buffers);
    thin_factors_take(spec, to->buffers, NULL, &to->factors);
    to->task.spec = &to->factors.spec, to->task.factors = &to->factors;
    to->task.buffers = to->factors.buffers, to->task.set = thin_set();
    to->task.most_ranges = THIN_RANGES;
    to->task.has_large_numbers = &to->has_large_numbers;
    cr_assert_null(thin_plan_fastest(&to->task, threads));
}

static void free_plan(struct planned *planned)
{
    if (planned->task.integers)
        thin_integers_free(planned->task.integers);
}

/* Checks that a product is one of integers, where the processor has instructions for it, or not. */
static void check_way(const struct thin_dot_spec *spec, bool by_integers)
{
    struct planned planned;
    plan(spec, 1, &planned);
    cr_assert_eq(planned.task.integers != NULL, by_integers && thin_integer_code(),
                 "%s, m %d n %d k %d", dtype_name(spec->dot.rhs), (int)spec->dot.m,
                 (int)spec->dot.n, (int)spec->dot.k);
    free_plan(&planned);
}

static void check_form(const struct thin_dot_spec *spec)
{
    check_way(spec, true);
    check(spec);
}

Test(thin_integers, every_form_size_and_group)
{
    static const int64_t sizes[][3] = {{1, 64, 32},    {1, 200, 33}, {2, 328, 96},
                                       {1, 1000, 131}, {2, 72, 31},  {1, 4104, 40}};
    static const int64_t groups[] = {0, 16, 24, 32, 40, 64};
    for (int form = 0; form < FORMS; form++)
        for (int i = 0; i < 6; i++)
            for (int g = 0; g < 6; g++) {
                struct thin_dot_spec spec =
                    spec_of_form(form, sizes[i][0], sizes[i][1], sizes[i][2]);
                spec.scale = grouped(DTYPE_F32, &spec.dot, groups[g], 1);
                check_form(&spec);
            }
}

Test(thin_integers, parameters_of_each_kind)
{
    for (int form = 0; form < FORMS; form++)
        for (int which = 0; which < 8; which++) {
            struct thin_dot_spec spec = spec_of_form(form, 1 + which % 2, 256, 96);
            if (which & 1)
                spec.zero = grouped(DTYPE_U8, &spec.dot, 32, 1);
            if (which & 2)
                spec.scale = grouped(which & 4 ? DTYPE_BF16 : DTYPE_F32, &spec.dot, 32, 1);
            if (which & 4)
                fill(DTYPE_BF16, 1, 9, scale);
            check_form(&spec);
            fill(DTYPE_F32, 1, 9, scale);
        }
}

/* Scales of columns and of rows alone leave the right side (thin_factors.h). */
Test(thin_integers, parameters_of_rows_and_columns)
{
    for (int form = 0; form < FORMS; form++)
        for (int of_rows = 0; of_rows < 2; of_rows++) {
            struct thin_dot_spec spec = spec_of_form(form, 2, 192, 70);
            spec.scale = grouped(DTYPE_F32, &spec.dot, of_rows, !of_rows);
            if (of_rows)
                spec.zero = grouped(DTYPE_U8, &spec.dot, 1, 0);
            check_form(&spec);
        }
}

static void set_left(int64_t i, float number)
{
    dtype_from_double(DTYPE_BF16, (double)number, lhs + i * 2);
}

/* ---- hostile left sides ---------------------------------------------------------------------- */
/* Numbers of which some are 2^-step as large as those before them, and have rests in integers. */
static void fill_falling(int step, int period)
{
    for (int64_t i = 0; i < 512; i++)
        set_left(i, ldexpf((float)(129 + i * 34 % 127), -step * (int)(i % period)));
}

/* Checks each sum against the bound of thin_integers.h, or that of f32 sums, which also round each
 * product, and whose left side is divided by up to 2^28 (thin_set_times()), below which f32 has no
 * numbers. */
static void check_bound(const struct thin_dot_spec *spec, bool by_integers)
{
    enum { CHUNKS = 3, RANGES = 1, PASSES = 4 };
    const struct dot_spec *s = &spec->dot;
    const double least = by_integers ? 0x1p-140 : 0x1p-110,
                 steps = by_integers ? CHUNKS + RANGES + 2 * PASSES + 2 : (double)(2 * s->k);
    run(spec, out, 1);
    decode(spec, 0);
    for (int64_t i = 0; i < s->m * s->n; i++) {
        double sum = 0, size = 0;
        for (int64_t k = 0; k < s->k; k++) {
            const double term = left[i / s->n * s->k + k] * right[k * s->n + i % s->n];
            sum += term, size += fabs(term);
        }
        cr_assert(fabs((double)out[i] - sum) <= steps * 0x1p-24 * size + least);
    }
    run(spec, again, 4);
    cr_assert_arr_eq(out, again, sizeof *out * (size_t)(s->m * s->n));
}

/* Checks each form, also with a row of the right side that is 0, by which the largest number is
 * multiplied. */
static void check_hostile(bool by_integers)
{
    for (int form = 0; form < FORMS; form++) {
        struct thin_dot_spec spec = spec_of_form(form, 2, 136, 96);
        spec.scale = grouped(DTYPE_F32, &spec.dot, 32, 1);
        check_way(&spec, by_integers);
        by_integers &= thin_integer_code() != NULL;
        check_bound(&spec, by_integers);
        memset(rhs, 0, (size_t)(spec.dot.rhs_k_stride * dtype_bytes(DTYPE_U32)));
        check_bound(&spec, by_integers);
    }
}

/* Numbers may be so small that they are in one pass only, but not in many passes. */
Test(thin_integers, rests_are_not_lost)
{
    static const struct {
        int step, period;
        bool by_integers;
    } falls[] = {{1, 10, true}, {3, 8, true},   {8, 3, true},
                 {20, 2, true}, {20, 6, false}, {1, 96, true}};
    for (int i = 0; i < 6; i++) {
        fill_falling(falls[i].step, falls[i].period);
        check_hostile(falls[i].by_integers);
    }
}

/* All others are rests of its chunk. */
Test(thin_integers, one_huge_number)
{
    static const struct {
        float number;
        bool by_integers;
    } huge[] = {{0x1p20F, true}, {0x1p60F, true}, {0x1p79F, true}, {0x1p100F, false}};
    for (int i = 0; i < 4; i++) {
        fill(DTYPE_BF16, -100, 100, lhs);
        set_left(0, huge[i].number);
        check_hostile(huge[i].by_integers);
    }
}

/* Numbers whose products could have no normal unit are left to f32. */
Test(thin_integers, equal_zero_and_tiny_numbers)
{
    static const struct {
        float number;
        bool by_integers;
    } equal[] = {{1, true},          {-255, true},       {0, true},         {0x1p-90F, true},
                 {0x1p-110F, false}, {0x1p-126F, false}, {0x1p-130F, false}};
    for (int i = 0; i < 7; i++) {
        for (int64_t k = 0; k < 512; k++)
            set_left(k, equal[i].number);
        check_hostile(equal[i].by_integers);
        for (int64_t k = 0; k < 512; k++)
            set_left(k, k % 5 ? 0 : equal[i].number);
        check_hostile(equal[i].by_integers);
    }
}

/* ---- plans ----------------------------------------------------------------------------------- */
Test(thin_integers, ranges)
{
    for (int form = 0; form < FORMS; form++)
        for (int64_t m = 1; m <= 2; m++) {
            struct thin_dot_spec spec = spec_of_form(form, m, 256, 1024);
            struct planned planned;
            spec.scale = grouped(DTYPE_BF16, &spec.dot, 24, 1);
            fill(DTYPE_BF16, 1, 9, scale);
            plan(&spec, 1, &planned);
            if (thin_integer_code())
                cr_assert_eq(planned.task.ranges, 2);
            free_plan(&planned);
            check(&spec);
        }
}

/* Few terms are one range: columns are divided among threads. */
Test(thin_integers, many_threads_have_tasks)
{
    const struct thin_dot_spec spec = spec_of_form(0, 1, 4104, 40);
    for (int threads = 1; threads <= 16; threads *= 4) {
        struct planned planned;
        plan(&spec, threads, &planned);
        cr_assert_eq(planned.task.ranges, 1);
        cr_assert_geq(planned.task.tasks, threads);
        free_plan(&planned);
    }
}

/* Memory after a part's parameters is not taken for large ones. */
Test(thin_integers, columns_behind_the_last_one_have_no_scales)
{
    static struct thin_memory memory;
    static struct thin_part part;
    struct thin_dot_spec spec = spec_of_form(0, 1, 72, 64);
    struct planned planned;
    spec.scale = grouped(DTYPE_F32, &spec.dot, 32, 1);
    plan(&spec, 1, &planned);
    if (planned.task.integers) {
        part = (struct thin_part){.task = &planned.task, .columns = 72, .rows = 1};
        memset(&part.parameters, 0xff, sizeof part.parameters);
        part.sums = memory.sums, part.group[0] = -1;
        thin_integers_multiply(&part);
        cr_assert_not(planned.has_large_numbers);
    }
    free_plan(&planned);
}

/* ---- numbers that are none ------------------------------------------------------------------- */
/* As products of f32: one number that is none makes all sums of its row such, also those of a 0. */
Test(thin_integers, infinities_and_none)
{
    static const float numbers[] = {INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 3; i++)
        for (int form = 0; form < FORMS; form++) {
            struct thin_dot_spec spec = spec_of_form(form, 2, 136, 96);
            spec.scale = grouped(DTYPE_F32, &spec.dot, 32, 1);
            fill(DTYPE_BF16, 1, 100, lhs);
            set_left(5, numbers[i]);
            check_way(&spec, false);
            run(&spec, out, 1);
            decode(&spec, 0);
            for (int64_t n = 0; n < 136; n++) {
                const double term = (double)numbers[i] * right[5 * 136 + n];
                cr_assert(isnan(term) ? isnan(out[n]) : (double)out[n] == term);
                cr_assert(isfinite(out[136 + n]));
            }
        }
}

Test(thin_integers, scales_that_are_infinite_or_none)
{
    for (int i = 0; i < 2; i++) {
        struct thin_dot_spec spec = spec_of_form(0, 1, 128, 64);
        spec.scale = grouped(DTYPE_BF16, &spec.dot, 32, 1);
        fill(DTYPE_BF16, 1, 9, scale);
        dtype_from_double(DTYPE_BF16, i ? (double)NAN : (double)INFINITY, scale + 2 * 7);
        run(&spec, out, 1);
        cr_assert_not(isfinite(out[7]));
        cr_assert(isfinite(out[8]));
    }
}
