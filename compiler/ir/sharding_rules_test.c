/* sharding_rules_test.c: the factors of each family of operations, written as
 * "[ab,c] [c] -> [a,b] c:reduction": letters are factors, those that pass have no kind. */
#include "compiler/ir/sharding_rules.h"

#include <stdarg.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/ir_fixture.h"

static void begin(void)
{
    fixture_begin();
    fixture_module->entry = ir_func(fixture_module, "main");
}

TestSuite(sharding_rules, .init = begin, .fini = fixture_end);

#define PADDING(...)                                                                               \
    ((struct pairs){(int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t) / 2), 2,          \
                    (int64_t[]){__VA_ARGS__}})

/* ---- operations ------------------------------------------------------------------------------ */

/* An operation with the results of the types in `results`, separated by commas, and `count`
 * operands of the types that follow. It need not be valid. */
static struct op *make(enum op_code code, const union attrs *attrs, const char *results, int count,
                       ...)
{
    struct value *operands[8];
    const struct type *types[4];
    int result_count = 0;
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        operands[i] = fixture_value(va_arg(list, const char *));
    va_end(list);
    for (const char *at = results; at; at = strchr(at, ',')) {
        at += *at == ',';
        types[result_count++] = fixture_type(at);
    }
    struct op *made = ir_op(fixture_module, code, count, operands, result_count, types, 0);
    if (attrs)
        made->attrs = *attrs;
    return made;
}

/* Gives the operation a region that combines two values by `combine`. */
static struct op *with_region(struct op *made, enum op_code combine)
{
    const struct type *types[] = {fixture_type("f32"), fixture_type("f32")};
    made->regions = ARENA_ARRAY(fixture_arena, struct block *, 1);
    made->region_count = 1;
    made->regions[0] = ir_block(fixture_module, fixture_module->entry, made, 2, types);
    struct builder b = {fixture_module, made->regions[0], NULL, NULL};
    struct value *result =
        build_binary(&b, combine, &made->regions[0]->arguments[0], &made->regions[0]->arguments[1]);
    build_return(&b, 1, &result);
    return made;
}

/* ---- rules as text --------------------------------------------------------------------------- */

static void print_values(struct text *out, const struct factor_dims *values, int count,
                         char *letters, char *next)
{
    for (int i = 0; i < count; i++) {
        text_add(out, "%s[", i ? " " : "");
        for (int d = 0; d < values[i].rank; d++) {
            text_add(out, "%s", d ? "," : "");
            for (int f = 0; f < values[i].dims[d].count; f++) {
                int factor = values[i].dims[d].at[f];
                if (!letters[factor])
                    letters[factor] = (*next)++;
                text_add(out, "%c", letters[factor]);
            }
        }
        text_add(out, "]");
    }
}

static void print_rule(const struct op *op, const struct sharding_rule *rule, struct text *out)
{
    static const char *const kinds[] = {"", "reduction", "replicated", "permuted"};
    char letters[64] = {0}, next = 'a';
    cr_assert_lt(rule->factor_count, 26);
    print_values(out, rule->operands, op->operand_count, letters, &next);
    text_add(out, " -> ");
    print_values(out, rule->results, op->result_count, letters, &next);
    for (char letter = 'a'; letter < next; letter++)
        for (int f = 0; f < rule->factor_count; f++)
            if (letters[f] == letter && rule->factors[f].kind)
                text_add(out, " %c:%s", letter, kinds[rule->factors[f].kind]);
}

static void gives(struct op *op, const char *expected)
{
    struct text out = {0};
    const struct sharding_rule *rule = sharding_rule_of(fixture_arena, op);
    cr_assert_not_null(rule, "%s has no rule", op_info(op->code)->name);
    print_rule(op, rule, &out);
    cr_expect_str_eq(out.data, expected, "%s: %s, but expected %s", op_info(op->code)->name,
                     out.data, expected);
    text_free(&out);
}

/* ---- the table ------------------------------------------------------------------------------- */

Test(sharding_rules, every_operation_has_a_row)
{
    int rows[OP_CODE_COUNT] = {0};
#define RULE(operation, family) rows[OP_##operation]++;
#include "compiler/ir/sharding_rules.def"
#undef RULE
    for (int code = OP_INVALID_CODE + 1; code < OP_CODE_COUNT; code++) {
        const struct op_info *info = op_info((enum op_code)code);
        int elementwise = (info->traits & OP_ELEMENTWISE) != 0;
        cr_expect_eq(rows[code] + elementwise, 1,
                     "%s has %d rows in sharding_rules.def; it must have one unless it is "
                     "elementwise",
                     info->name, rows[code]);
    }
}

/* Every elementwise operation is partitioned along all dimensions. */
Test(sharding_rules, elementwise_operations_pass_all_dimensions)
{
    for (int code = OP_INVALID_CODE + 1; code < OP_CODE_COUNT; code++) {
        const struct op_info *info = op_info((enum op_code)code);
        if (!(info->traits & OP_ELEMENTWISE) || info->operand_count > 3)
            continue;
        struct op *op = make((enum op_code)code, NULL, "f32 4 8", info->operand_count, "f32 4 8",
                             "f32 4 8", "f32 4 8");
        const char *expected[] = {"[a,b] -> [a,b]", "[a,b] [a,b] -> [a,b]",
                                  "[a,b] [a,b] [a,b] -> [a,b]"};
        gives(op, expected[info->operand_count - 1]);
    }
    gives(make(OP_select, NULL, "f32 4", 3, "pred", "f32 4", "f32 4"), "[] [a] [a] -> [a]");
    gives(make(OP_clamp, NULL, "f32 4", 3, "f32", "f32 4", "f32"), "[] [a] [] -> [a]");
}

Test(sharding_rules, control_flow_and_tokens_have_none)
{
    cr_expect_null(sharding_rule_of(fixture_arena, make(OP_while, NULL, "f32 4", 1, "f32 4")));
    cr_expect_null(
        sharding_rule_of(fixture_arena, make(OP_optimization_barrier, NULL, "f32 4", 1, "f32 4")));
    cr_expect_null(sharding_rule_of(fixture_arena, make(OP_partition_id, NULL, "u32", 0)));
}

/* ---- families -------------------------------------------------------------------------------- */

Test(sharding_rules, products)
{
    union attrs a = {.dot = {.lhs_batching_dimensions = DIMS(0),
                             .rhs_batching_dimensions = DIMS(1),
                             .lhs_contracting_dimensions = DIMS(2),
                             .rhs_contracting_dimensions = DIMS(0)}};
    gives(make(OP_dot_general, &a, "f32 2 3 5", 2, "f32 2 3 4", "f32 4 2 5"),
          "[a,b,c] [c,a,d] -> [a,b,d] c:reduction");
    gives(make(OP_dot, NULL, "f32 3 5", 2, "f32 3 4", "f32 4 5"),
          "[a,b] [b,c] -> [a,c] b:reduction");
    gives(make(OP_dot, NULL, "f32", 2, "f32 4", "f32 4"), "[a] [a] -> [] a:reduction");
}

/* NHWC, HWIO */
static union attrs convolution(int64_t feature_groups, int64_t batch_groups)
{
    static int64_t spatial[] = {1, 2}, kernel_spatial[] = {0, 1}, ones[] = {1, 1},
                   padding[] = {1, 1, 0, 0};
    return (union attrs){.convolution = {.window_strides = {2, ones},
                                         .lhs_dilation = {2, ones},
                                         .rhs_dilation = {2, ones},
                                         .padding = {2, 2, padding},
                                         .input_feature_dimension = 3,
                                         .input_spatial_dimensions = {2, spatial},
                                         .kernel_input_feature_dimension = 2,
                                         .kernel_output_feature_dimension = 3,
                                         .kernel_spatial_dimensions = {2, kernel_spatial},
                                         .output_feature_dimension = 3,
                                         .output_spatial_dimensions = {2, spatial},
                                         .feature_group_count = feature_groups,
                                         .batch_group_count = batch_groups}};
}

Test(sharding_rules, convolutions)
{
    union attrs a = convolution(1, 1);
    gives(make(OP_convolution, &a, "f32 2 8 8 6", 2, "f32 2 8 8 4", "f32 3 1 4 6"),
          "[a,b,c,d] [e,,d,f] -> [a,b,c,f] b:permuted d:reduction e:reduction");
    a = convolution(2, 1);
    gives(make(OP_convolution, &a, "f32 2 8 8 6", 2, "f32 2 8 8 4", "f32 3 1 2 6"),
          "[a,b,c,de] [f,,e,dg] -> [a,b,c,dg] b:permuted e:reduction f:reduction");
    a = convolution(1, 2);
    gives(make(OP_convolution, &a, "f32 2 8 8 6", 2, "f32 4 8 8 4", "f32 3 1 4 6"),
          "[ab,c,d,e] [f,,e,ag] -> [b,c,d,ag] c:permuted e:reduction f:reduction");
}

Test(sharding_rules, reductions)
{
    union attrs a = {.dimensions = {.dimensions = DIMS(0, 2)}};
    gives(make(OP_reduce, &a, "f32 3,s32 3", 4, "f32 2 3 4", "s32 2 3 4", "f32", "s32"),
          "[a,b,c] [a,b,c] [] [] -> [b] [b] a:reduction c:reduction");
    a = (union attrs){.window = {.window_dimensions = DIMS(1, 8), .padding = PADDING(0, 0, 7, 0)}};
    gives(make(OP_reduce_window, &a, "f32 3 8", 2, "f32 3 8", "f32"),
          "[a,b] [] -> [a,b] b:permuted");
    a = (union attrs){
        .select_and_scatter = {.window_dimensions = DIMS(1, 2), .window_strides = DIMS(1, 2)}};
    gives(make(OP_select_and_scatter, &a, "f32 3 8", 3, "f32 3 8", "f32 3 4", "f32"),
          "[a,b] [a,b] [] -> [a,b] b:permuted");
}

Test(sharding_rules, whole_dimensions)
{
    union attrs a = {.sort = {.dimension = 1}};
    gives(make(OP_sort, &a, "f32 3 8,s32 3 8", 2, "f32 3 8", "s32 3 8"),
          "[a,b] [a,b] -> [a,b] [a,b] b:replicated");
    a = (union attrs){.fft = {.fft_type = FFT_RFFT, .fft_length = DIMS(8)}};
    gives(make(OP_fft, &a, "c64 3 5", 1, "f32 3 8"), "[a,b] -> [a,c] b:replicated c:replicated");
    gives(make(OP_cholesky, NULL, "f32 2 4 4", 1, "f32 2 4 4"),
          "[a,b,c] -> [a,d,e] b:replicated c:replicated d:replicated e:replicated");
    a = (union attrs){.triangular_solve = {.left_side = true}};
    gives(make(OP_triangular_solve, &a, "f32 2 4 3", 2, "f32 2 4 4", "f32 2 4 3"),
          "[a,b,c] [a,d,e] -> [a,f,e] b:replicated c:replicated d:replicated f:replicated");
    a.triangular_solve.left_side = false;
    gives(make(OP_triangular_solve, &a, "f32 3 4", 2, "f32 4 4", "f32 3 4"),
          "[a,b] [c,d] -> [c,e] a:replicated b:replicated d:replicated e:replicated");
    a = (union attrs){.batch_norm = {.feature_index = 1}};
    gives(make(OP_batch_norm_training, &a, "f32 4 3,f32 3,f32 3", 3, "f32 4 3", "f32 3", "f32 3"),
          "[a,b] [b] [b] -> [c,b] [b] [b] a:replicated c:replicated");
    gives(make(OP_batch_norm_inference, &a, "f32 4 3", 5, "f32 4 3", "f32 3", "f32 3", "f32 3",
               "f32 3"),
          "[a,b] [b] [b] [b] [b] -> [a,b]");
}

Test(sharding_rules, broadcasts)
{
    union attrs a = {.broadcast_in_dim = {.broadcast_dimensions = DIMS(2, 0)}};
    gives(make(OP_broadcast_in_dim, &a, "f32 3 4 5", 1, "f32 1 3"), "[,a] -> [a,b,c]");
    a = (union attrs){.broadcast = {.broadcast_sizes = DIMS(4)}};
    gives(make(OP_broadcast, &a, "f32 4 3", 1, "f32 3"), "[a] -> [b,a]");
    a = (union attrs){.transpose = {.permutation = DIMS(2, 0, 1)}};
    gives(make(OP_transpose, &a, "f32 4 2 3", 1, "f32 2 3 4"), "[a,b,c] -> [c,a,b]");
    a = (union attrs){.iota = {.iota_dimension = 0}};
    gives(make(OP_iota, &a, "s32 4 2", 0), " -> [a,b]");
    gives(make(OP_bitcast_convert, NULL, "u8 3 8 4", 1, "f32 3 8"),
          "[a,b] -> [a,b,c] c:replicated");
}

Test(sharding_rules, reshapes)
{
    gives(make(OP_reshape, NULL, "f32 6 4", 1, "f32 2 3 4"), "[a,b,c] -> [ab,c]");
    gives(make(OP_reshape, NULL, "f32 2 3 4", 1, "f32 24"), "[abc] -> [a,b,c]");
    gives(make(OP_reshape, NULL, "f32 8 12", 1, "f32 4 24"), "[a,bc] -> [ab,c]");
    gives(make(OP_reshape, NULL, "f32 3 4", 1, "f32 1 3 1 4 1"), "[,a,,b,] -> [a,b]");
    gives(make(OP_reshape, NULL, "f32", 1, "f32 1 1"), "[,] -> []");
    /* no common divisor: what is between equal positions is not related */
    gives(make(OP_reshape, NULL, "f32 5 3 8", 1, "f32 3 5 8"),
          "[a,b,c] -> [d,e,c] a:replicated b:replicated d:replicated e:replicated");
    gives(make(OP_reshape, NULL, "f32 6 4", 1, "f32 4 6"),
          "[ab,c] -> [ad,e] b:replicated c:replicated d:replicated e:replicated");
    gives(make(OP_reshape, NULL, "f32 0 3", 1, "f32 3 0"),
          "[a,b] -> [c,d] a:replicated b:replicated c:replicated d:replicated");
}

Test(sharding_rules, the_first_elements_of_a_sort)
{
    union attrs a = {.sort = {.dimension = 1}};
    struct op *sort = make(OP_sort, &a, "f32 4 8", 1, "f32 4 8");
    a = (union attrs){.slice = {.start_indices = DIMS(0, 0), .limit_indices = DIMS(4, 2)}};
    struct op *slice = make(OP_slice, &a, "f32 4 2", 1, "f32 4 8");
    slice->operands[0]->def = sort;
    gives(slice, "[a,b] -> [a,c] b:replicated c:replicated");
    slice->attrs.slice.start_indices = DIMS(0, 1);
    gives(slice, "[a,b] -> [a,b] b:permuted");
}

Test(sharding_rules, slices)
{
    union attrs a = {.slice = {.start_indices = DIMS(0, 2), .limit_indices = DIMS(4, 8)}};
    gives(make(OP_slice, &a, "f32 4 6", 1, "f32 4 8"), "[a,b] -> [a,b] b:permuted");
    a = (union attrs){.pad = {.edge_padding_low = DIMS(0, 1),
                              .edge_padding_high = DIMS(0, -1),
                              .interior_padding = DIMS(0, 0)}};
    gives(make(OP_pad, &a, "f32 4 8", 2, "f32 4 8", "f32"), "[a,b] [] -> [a,b] b:permuted");
    a = (union attrs){.dimensions = {.dimensions = DIMS(1)}};
    gives(make(OP_reverse, &a, "f32 4 8", 1, "f32 4 8"), "[a,b] -> [a,b] b:permuted");
    a = (union attrs){.dimension = {.dimension = 0}};
    struct op *concatenate = make(OP_concatenate, &a, "f32 7 8", 2, "f32 4 8", "f32 3 8");
    gives(concatenate, "[a,b] [a,b] -> [a,b] a:permuted");
    cr_expect_eq(sharding_rule_of(fixture_arena, concatenate)->factors[0].size, 7);
    gives(make(OP_dynamic_slice, NULL, "f32 4 2", 3, "f32 4 8", "s32", "s32"),
          "[a,b] [] [] -> [a,c] b:replicated c:replicated");
    gives(make(OP_dynamic_update_slice, NULL, "f32 4 8", 4, "f32 4 8", "f32 4 2", "s32", "s32"),
          "[a,b] [a,c] [] [] -> [a,b] b:permuted c:replicated");
}

Test(sharding_rules, gathers)
{
    /* rows of a table */
    union attrs a = {.gather = {.offset_dims = DIMS(2),
                                .collapsed_slice_dims = DIMS(0),
                                .start_index_map = DIMS(0),
                                .index_vector_dim = 2,
                                .slice_sizes = DIMS(1, 8)}};
    gives(make(OP_gather, &a, "f32 5 6 8", 2, "f32 10 8", "s32 5 6"),
          "[a,b] [c,d] -> [c,d,b] a:replicated");
    /* batched, and a window smaller than the operand */
    a = (union attrs){.gather = {.offset_dims = DIMS(1, 3),
                                 .operand_batching_dims = DIMS(1),
                                 .start_indices_batching_dims = DIMS(0),
                                 .start_index_map = DIMS(0),
                                 .index_vector_dim = 1,
                                 .slice_sizes = DIMS(3, 1, 8)}};
    gives(make(OP_gather, &a, "f32 4 3 6 8", 2, "f32 10 4 8", "s32 4 1 6"),
          "[a,b,c] [b,,d] -> [b,e,d,c] a:replicated e:replicated");
}

Test(sharding_rules, scatters)
{
    union attrs a = {.scatter = {.update_window_dims = DIMS(1),
                                 .inserted_window_dims = DIMS(0),
                                 .scatter_dims_to_operand_dims = DIMS(0),
                                 .index_vector_dim = 1}};
    struct op *op = make(OP_scatter, &a, "f32 10 8", 3, "f32 10 8", "s32 5", "f32 5 8");
    gives(with_region(op, OP_add), "[a,b] [c] [c,b] -> [a,b] a:permuted c:reduction");
    op = make(OP_scatter, &a, "f32 10 8", 3, "f32 10 8", "s32 5", "f32 5 4");
    gives(with_region(op, OP_subtract),
          "[a,b] [c] [c,d] -> [a,b] a:permuted b:permuted c:replicated d:replicated");
    a = (union attrs){.scatter = {.update_window_dims = DIMS(1),
                                  .input_batching_dims = DIMS(0),
                                  .scatter_indices_batching_dims = DIMS(0),
                                  .scatter_dims_to_operand_dims = DIMS(1),
                                  .index_vector_dim = 1}};
    op = make(OP_scatter, &a, "f32 5 8", 3, "f32 5 8", "s32 5 1", "f32 5 8");
    gives(with_region(op, OP_maximum), "[a,b] [a,] [a,b] -> [a,b]");
}

Test(sharding_rules, collectives)
{
    union attrs a = {.all_gather = {.all_gather_dim = 0}};
    gives(make(OP_all_gather, &a, "f32 8 3", 1, "f32 4 3"),
          "[a,b] -> [c,b] a:replicated c:replicated");
    a = (union attrs){.reduce_scatter = {.scatter_dimension = 1}};
    gives(make(OP_reduce_scatter, &a, "f32 4 3", 1, "f32 4 6"),
          "[a,b] -> [a,c] b:replicated c:replicated");
    a = (union attrs){.all_to_all = {.split_dimension = 0, .concat_dimension = 2}};
    gives(make(OP_all_to_all, &a, "f32 2 3 8", 1, "f32 4 3 4"),
          "[a,b,c] -> [d,b,e] a:replicated c:replicated d:replicated e:replicated");
    gives(make(OP_all_reduce, NULL, "f32 4,f32 3 2", 2, "f32 4", "f32 3 2"),
          "[a] [b,c] -> [a] [b,c]");
}

Test(sharding_rules, custom_calls_by_name)
{
    union attrs a = {.custom_call = {.call_target_name = {4, "TopK"}}};
    gives(make(OP_custom_call, &a, "f32 4 2,s32 4 2", 1, "f32 4 8"),
          "[a,b] -> [a,c] [a,d] b:replicated c:replicated d:replicated");
    a.custom_call.call_target_name = (struct string){3, "Top"};
    gives(make(OP_custom_call, &a, "f32 4", 1, "f32 4"), "[a] -> [b] a:replicated b:replicated");
}

Test(sharding_rules, custom_calls_with_batch_dimensions)
{
    struct string number = {1, "1"},
                  names[] = {{14, "num_batch_dims"}, {24, "mhlo.frontend_attributes"}};
    struct dict_value value = {.kind = DICT_STRING, .string = number};
    struct dict attributes = {1, &names[0], &value};
    struct dict_value attribute = {.kind = DICT_DICT, .dict = &attributes};
    struct dict discardable = {1, &names[1], &attribute};
    union attrs a = {.custom_call = {.call_target_name = {5, "solve"}}};
    struct op *op = make(OP_custom_call, &a, "f32 8 4 4,s32 8", 1, "f32 8 4 4");
    op->discardable = &discardable;
    gives(op, "[a,b,c] -> [a,d,e] [a] b:replicated c:replicated d:replicated e:replicated");
    op = make(OP_custom_call, &a, "f32 4 4", 1, "f32 8 4");
    op->discardable = &discardable;
    gives(op, "[a,b] -> [c,d] a:replicated b:replicated c:replicated d:replicated");
}

Test(sharding_rules, combiners)
{
    struct op *op = make(OP_reduce, NULL, "f32", 2, "f32 4", "f32");
    cr_expect(sharding_rules_is_combiner(with_region(op, OP_add), 0));
    cr_expect_not(sharding_rules_is_combiner(with_region(op, OP_subtract), 0));
    cr_expect_not(sharding_rules_is_combiner(op, 1));
}
