/* Tests copies into blocked layouts against oneDNN's reorders. */
#include "devices/host/kernels/panel_copy.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/onednn.h"

struct arrays {
    dnnl_memory_desc_t from, to;
    size_t from_bytes, to_bytes;
    uint8_t *source, *wanted, *got;
};

static void create_arrays(struct arrays *out, const struct arrays *layouts)
{
    *out = *layouts;
    out->from_bytes = dnnl_memory_desc_get_size(out->from);
    out->to_bytes = dnnl_memory_desc_get_size(out->to);
    cr_assert_null(alloc_aligned(out->from_bytes, &out->source));
    cr_assert_null(alloc_aligned(out->to_bytes, &out->wanted));
    cr_assert_null(alloc_aligned(out->to_bytes, &out->got));
    for (size_t i = 0; i < out->from_bytes; i++) /* no NaN, in f32 or bf16 */
        out->source[i] = (uint8_t)(i % 2 ? 0x3c + i % 5 : i * 37 % 251);
    memset(out->wanted, 0x55, out->to_bytes);
    memset(out->got, 0x55, out->to_bytes);
}

static void destroy_arrays(struct arrays *arrays)
{
    dnnl_memory_desc_destroy(arrays->from);
    dnnl_memory_desc_destroy(arrays->to);
    alloc_free(arrays->source), alloc_free(arrays->wanted), alloc_free(arrays->got);
}

static void reorder_with_onednn(const struct arrays *arrays)
{
    dnnl_engine_t cpu;
    dnnl_stream_t stream;
    dnnl_memory_t from, to;
    dnnl_primitive_desc_t description;
    dnnl_primitive_t reorder;
    cr_assert_null(onednn_engine(&cpu));
    cr_assert_null(onednn_stream(&stream));
    dnnl_memory_create(&from, arrays->from, cpu, arrays->source);
    dnnl_memory_create(&to, arrays->to, cpu, arrays->wanted);
    dnnl_reorder_primitive_desc_create(&description, arrays->from, cpu, arrays->to, cpu, NULL);
    cr_assert_eq(dnnl_primitive_create(&reorder, description), dnnl_success);
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    cr_assert_eq(dnnl_primitive_execute(reorder, stream, 2, arguments), dnnl_success);
    dnnl_primitive_destroy(reorder);
    dnnl_primitive_desc_destroy(description);
    dnnl_memory_destroy(from);
    dnnl_memory_destroy(to);
}

/* Copies in three parts and compares with oneDNN's reorder, padding included. */
static void check(const struct arrays *layouts)
{
    struct arrays arrays;
    struct panel_copy plan;
    create_arrays(&arrays, layouts);
    reorder_with_onednn(&arrays);
    cr_assert(panel_copy_plan(arrays.from, arrays.to, &plan));
    int64_t third = plan.rows / 3;
    panel_copy_run(&plan, arrays.source, arrays.got, 2 * third, plan.rows);
    panel_copy_run(&plan, arrays.source, arrays.got, 0, third);
    panel_copy_run(&plan, arrays.source, arrays.got, third, 2 * third);
    cr_assert_arr_eq(arrays.got, arrays.wanted, arrays.to_bytes);
    destroy_arrays(&arrays);
}

static struct arrays tagged(dnnl_data_type_t type, const int64_t *sizes, dnnl_format_tag_t from,
                            dnnl_format_tag_t to)
{
    struct arrays out = {0};
    dnnl_dims_t dims;
    memcpy(dims, sizes, 4 * sizeof *dims);
    dnnl_memory_desc_create_with_tag(&out.from, 4, dims, type, from);
    dnnl_memory_desc_create_with_tag(&out.to, 4, dims, type, to);
    return out;
}

static void check_tags(dnnl_data_type_t type, const int64_t *sizes, dnnl_format_tag_t from,
                       dnnl_format_tag_t to)
{
    struct arrays layouts = tagged(type, sizes, from, to);
    check(&layouts);
}

Test(panel_copy, weights_of_f32)
{
    check_tags(dnnl_f32, (int64_t[]){64, 5, 3, 2}, dnnl_cdba, dnnl_Acdb32a);
    check_tags(dnnl_f32, (int64_t[]){70, 7, 1, 1}, dnnl_cdba, dnnl_Acdb48a);
    check_tags(dnnl_f32, (int64_t[]){10, 3, 7, 7}, dnnl_cdba, dnnl_Acdb16a);
}

/* As for gradients, whose input features are output features of the weights. */
Test(panel_copy, weights_of_f32_are_transposed)
{
    check_tags(dnnl_f32, (int64_t[]){64, 48, 3, 2}, dnnl_cdab, dnnl_Acdb32a);
    check_tags(dnnl_f32, (int64_t[]){70, 37, 1, 1}, dnnl_cdab, dnnl_Acdb48a);
    check_tags(dnnl_f32, (int64_t[]){13, 3, 7, 5}, dnnl_cdab, dnnl_Acdb16a);
    check_tags(dnnl_f32, (int64_t[]){131, 18, 1, 3}, dnnl_cdab, dnnl_Acdb64a);
    check_tags(dnnl_f32, (int64_t[]){20, 9, 1, 1}, dnnl_abcd, dnnl_Acdb16a);
}

Test(panel_copy, rows_of_bf16_weights_are_interleaved)
{
    check_tags(dnnl_bf16, (int64_t[]){64, 6, 3, 3}, dnnl_cdba, dnnl_AcdB32a2b);
    check_tags(dnnl_bf16, (int64_t[]){77, 8, 1, 1}, dnnl_cdba, dnnl_AcdB48a2b);
    check_tags(dnnl_bf16, (int64_t[]){64, 3, 7, 5}, dnnl_cdba, dnnl_AcdB16a2b); /* an odd row */
}

Test(panel_copy, activations)
{
    check_tags(dnnl_f32, (int64_t[]){2, 40, 5, 3}, dnnl_acdb, dnnl_aBcd16b);
    check_tags(dnnl_bf16, (int64_t[]){3, 32, 4, 4}, dnnl_acdb, dnnl_aBcd16b);
}

Test(panel_copy, a_part_of_the_features_becomes_dense)
{
    struct arrays layouts = {0};
    dnnl_dims_t dims = {2, 24, 3, 5}, strides = {3 * 5 * 100, 1, 5 * 100, 100};
    dnnl_memory_desc_create_with_strides(&layouts.from, 4, dims, dnnl_f32, strides);
    dnnl_memory_desc_create_with_tag(&layouts.to, 4, dims, dnnl_f32, dnnl_acdb);
    check(&layouts);
}

static void check_unsupported(dnnl_data_type_t type, dnnl_format_tag_t from, dnnl_format_tag_t to)
{
    struct panel_copy plan;
    struct arrays layouts = tagged(type, (int64_t[]){32, 32, 3, 3}, from, to);
    cr_expect_not(panel_copy_plan(layouts.from, layouts.to, &plan));
    cr_expect_eq(plan.rows, 0);
    dnnl_memory_desc_destroy(layouts.from);
    dnnl_memory_desc_destroy(layouts.to);
}

Test(panel_copy, other_layouts_are_left_to_onednn)
{
    check_unsupported(dnnl_f32, dnnl_abcd, dnnl_Acdb32a);    /* columns are not neighbors */
    check_unsupported(dnnl_f32, dnnl_cdba, dnnl_ABcd16b16a); /* blocks of rows */
    check_unsupported(dnnl_f32, dnnl_Acdb32a, dnnl_cdba);    /* from blocks */
    check_unsupported(dnnl_f32, dnnl_abcd, dnnl_acdb);       /* a transpose */
    check_unsupported(dnnl_s8, dnnl_cdba, dnnl_Acdb16a);     /* may have sums of columns */
}
