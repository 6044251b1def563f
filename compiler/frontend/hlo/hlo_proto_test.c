/* hlo_proto_test.c: HLO modules written by jaxlib (scripts/make_testdata.py), complete, truncated
 * and corrupted; and messages built by the test for constructs that jaxlib does not write. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/frontend/hlo/hlo_body.h"
#include "compiler/frontend/hlo/hlo_proto.h"

#define FIXTURE_TESTS
#include "compiler/frontend_fixture.h"

#define DATA "compiler/frontend/hlo/testdata/hlo_proto_fuzz/"
#define WRONG PJRT_Error_Code_INVALID_ARGUMENT
#define MISSING PJRT_Error_Code_UNIMPLEMENTED

TestSuite(hlo_proto, .init = begin, .fini = end);

static size_t load(const char *name)
{
    return fixture_load(DATA, name);
}

static struct error *read_from(struct arena *mine, size_t size, struct module **out)
{
    struct error *error = hlo_proto_read(mine, bytes, size, out);
    return error ? error : arena_run(mine, fixture_verify, *out);
}

static struct module *read_module(const char *name, size_t size)
{
    struct module *module;
    struct error *error = read_from(arena, size, &module);
    cr_assert_null(error, "%s: %s", name, error ? error_message(error, NULL) : "");
    return module;
}

/* The number of operations with a code in the module's functions and their regions. */
static int count_ops(const struct block *block, enum op_code code)
{
    int count = 0;
    for (const struct op *op = block->first; op; op = op->next) {
        count += op->code == code;
        for (int i = 0; i < op->region_count; i++)
            count += count_ops(op->regions[i], code);
        if (op->code == OP_call)
            count += count_ops(op->attrs.call.callee->body, code);
    }
    return count;
}

/* ---- what jaxlib writes ---------------------------------------------------------------------- */

Test(hlo_proto, files)
{
    DIR *folder = opendir(DATA);
    int count = 0;
    cr_assert_not_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strstr(entry->d_name, ".hlo.pb") && strcmp(entry->d_name, "operations.hlo.pb") != 0) {
            read_module(entry->d_name, load(entry->d_name));
            count++;
        }
    closedir(folder);
    cr_assert_geq(count, 7);
}

Test(hlo_proto, boundary)
{
    const struct func *main = read_module("train_step", load("train_step.hlo.pb"))->entry;
    cr_assert_str_eq(main->name, "main");
    cr_assert_eq(main->body->argument_count, 5);
    cr_assert_eq(main->result_count, 4);
    int donated = 0;
    for (int i = 0; i < main->body->argument_count; i++)
        donated += main->argument_infos[i].donated || main->argument_infos[i].alias_result >= 0;
    cr_assert_eq(donated, 3);
}

Test(hlo_proto, operations)
{
    const struct block *body = read_module("torch", load("torch.hlo.pb"))->entry->body;
    cr_assert_eq(count_ops(body, OP_batch_norm_training), 1);
    cr_assert_eq(count_ops(body, OP_if) + count_ops(body, OP_case), 1);
    cr_assert_eq(count_ops(body, OP_sort), 1); /* topk */
    cr_assert_eq(count_ops(body, OP_rng), 1);
    body = read_module("control", load("control.hlo.pb"))->entry->body;
    cr_assert_geq(count_ops(body, OP_while), 1);
    cr_assert_geq(count_ops(body, OP_case), 1);
    body = read_module("convolve", load("convolve.hlo.pb"))->entry->body;
    cr_assert_geq(count_ops(body, OP_convolution), 1);
    cr_assert_eq(count_ops(body, OP_tuple) + count_ops(body, OP_get_tuple_element), 0);
}

Test(hlo_proto, expansions)
{
    const struct block *body = read_module("expanded", load("expanded.hlo.pb"))->entry->body;
    cr_assert_eq(count_ops(body, OP_while), 1);       /* scan */
    cr_assert_eq(count_ops(body, OP_dot_general), 3); /* async-start's, and two ragged ones */
    cr_assert_eq(count_ops(body, OP_all_reduce), 1);
    cr_assert_eq(count_ops(body, OP_all_gather), 1);
    cr_assert_eq(count_ops(body, OP_collective_permute), 1);
    cr_assert_eq(count_ops(body, OP_multiply), 5); /* mulhi of 64 bits, and scan's body */
}

static const struct op *find_op(const struct block *block, enum op_code code)
{
    const struct op *op = block->first;
    while (op && op->code != code)
        op = op->next;
    cr_assert_not_null(op);
    return op;
}

Test(hlo_proto, host)
{
    const struct block *body = read_module("host", load("host.hlo.pb"))->entry->body;
    const struct op *send = find_op(body, OP_send), *recv = find_op(body, OP_recv);
    cr_assert_eq(send->attrs.channel.channel_id, 3);
    cr_assert_eq(send->attrs.channel.channel_type, 2);
    cr_assert(recv->attrs.channel.is_host_transfer);
    cr_assert_eq(recv->operands[0], &send->results[0]);
    cr_assert_str_eq(send->discardable->names[0].data, "mhlo.frontend_attributes");
    cr_assert_str_eq(send->discardable->values[0].dict->values[0].string.data, "tag");
    cr_assert_eq(find_op(body, OP_outfeed)->operands[0], &find_op(body, OP_infeed)->results[0]);
    const struct op *typed = find_op(body, OP_custom_call);
    cr_assert_str_eq(typed->discardable->names[0].data, "mhlo.backend_config");
    const struct dict *config = typed->discardable->values[0].dict;
    cr_assert_eq(config->count, 3);
    cr_assert_eq(config->values[0].integer, 3);
    cr_assert_eq(typed->attrs.custom_call.output_operand_aliases->count, 1);
}

/* ---- messages made here ---------------------------------------------------------------------- */

enum { PRED = 1, S32 = 4, F32 = 11, TUPLE = 13, C64 = 15, MAX = 8 };

struct draft { /* a module of up to two computations */
    Gantry__Hlo__Module module;
    Gantry__Hlo__Computation computations[2], *computation_list[2];
    Gantry__Hlo__Instruction instructions[2][MAX], *instruction_list[2][MAX];
};

static Gantry__Hlo__Shape *shape(int type, size_t rank, int64_t *dims)
{
    Gantry__Hlo__Shape *made = ARENA_NEW(arena, Gantry__Hlo__Shape);
    gantry__hlo__shape__init(made);
    made->element_type = type;
    made->n_dimensions = rank;
    made->dimensions = dims;
    return made;
}

static Gantry__Hlo__Shape *pair(Gantry__Hlo__Shape *first, Gantry__Hlo__Shape *second)
{
    Gantry__Hlo__Shape *made = shape(TUPLE, 0, NULL);
    made->n_elements = 2;
    made->elements = ARENA_ARRAY(arena, Gantry__Hlo__Shape *, 2);
    made->elements[0] = first;
    made->elements[1] = second;
    return made;
}

static void lay_out(Gantry__Hlo__Shape *made, int64_t *minor_to_major)
{
    made->layout = ARENA_NEW(arena, Gantry__Hlo__Layout);
    gantry__hlo__layout__init(made->layout);
    made->layout->n_minor_to_major = made->n_dimensions;
    made->layout->minor_to_major = minor_to_major;
}

static void start(struct draft *d)
{
    memset(d, 0, sizeof *d);
    gantry__hlo__module__init(&d->module);
    d->module.computations = d->computation_list;
    d->module.n_computations = 2;
    for (int i = 0; i < 2; i++) {
        gantry__hlo__computation__init(&d->computations[i]);
        d->computation_list[i] = &d->computations[i];
        d->computations[i].instructions = d->instruction_list[i];
        d->computations[i].id = i;
        d->computations[i].name = i == 0 ? "entry" : "other";
    }
}

/* The next instruction of a computation, which becomes its root; its id is its position + 1. */
static Gantry__Hlo__Instruction *add(struct draft *d, int computation, const char *opcode,
                                     Gantry__Hlo__Shape *made, size_t count, int64_t *operands)
{
    Gantry__Hlo__Computation *c = &d->computations[computation];
    Gantry__Hlo__Instruction *in = &d->instructions[computation][c->n_instructions];
    gantry__hlo__instruction__init(in);
    d->instruction_list[computation][c->n_instructions++] = in;
    in->opcode = (char *)opcode;
    in->name = (char *)opcode;
    in->shape = made;
    in->n_operands = count;
    in->operands = operands;
    in->id = c->root_id = (int64_t)c->n_instructions;
    return in;
}

static size_t pack(struct draft *d)
{
    if (d->computations[1].n_instructions == 0)
        d->module.n_computations = 1;
    cr_assert_leq(gantry__hlo__module__get_packed_size(&d->module), sizeof bytes);
    return gantry__hlo__module__pack(&d->module, bytes);
}

static void expect_error(size_t size, PJRT_Error_Code code, const char *words)
{
    struct module *module;
    struct error *error = read_from(arena, size, &module);
    cr_assert_not_null(error, "%s", words);
    cr_assert_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_assert_not_null(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

/* One parameter (f32[2,3], f32[]) becomes two arguments; a donor's path finds the second. */
Test(hlo_proto, tuple_parameter)
{
    struct draft d;
    int64_t dims[] = {2, 3}, one[] = {1}, path[] = {1};
    Gantry__Hlo__Donor donor = GANTRY__HLO__DONOR__INIT, *donor_list[] = {&donor};
    Gantry__Hlo__Donors donors = GANTRY__HLO__DONORS__INIT;
    start(&d);
    add(&d, 0, "parameter", pair(shape(F32, 2, dims), shape(F32, 0, NULL)), 0, NULL);
    add(&d, 0, "get-tuple-element", shape(F32, 0, NULL), 1, one)->tuple_index = 1;
    donor.n_parameter_index = 1;
    donor.parameter_index = path;
    donors.n_entries = 1;
    donors.entries = donor_list;
    d.module.donors = &donors;
    const struct func *main = read_module("tuple", pack(&d))->entry;
    cr_assert_eq(main->body->argument_count, 2);
    cr_assert_eq(main->result_types[0]->shape.rank, 0);
    cr_assert(!main->argument_infos[0].donated && main->argument_infos[1].donated);
    path[0] = 2;
    expect_error(pack(&d), WRONG, "path into a shape is 2");
}

/* Elements in column-major order are converted to row-major order. */
Test(hlo_proto, literal_layout)
{
    struct draft d;
    int64_t dims[] = {2, 3}, order[] = {0, 1};
    float elements[] = {0, 3, 1, 4, 2, 5};
    Gantry__Hlo__Literal literal = GANTRY__HLO__LITERAL__INIT;
    start(&d);
    literal.shape = shape(F32, 2, dims);
    lay_out(literal.shape, order);
    literal.n_f32s = 6;
    literal.f32s = elements;
    add(&d, 0, "constant", shape(F32, 2, dims), 0, NULL)->literal = &literal;
    const struct op *op = read_module("literal", pack(&d))->entry->body->first;
    for (int i = 0; i < 6; i++)
        cr_assert_eq(*(const float *)literal_at(op->attrs.constant.value, i), (float)i);
    literal.n_f32s = 5;
    expect_error(pack(&d), WRONG,
                 "HLO constant constant in entry: a constant of type tensor<2x3xf32>");
}

/* A bitcast from f32[2,3]{0,1} to f32[3,2]{1,0} is a transpose. */
Test(hlo_proto, bitcast_by_layout)
{
    struct draft d;
    int64_t from[] = {2, 3}, to[] = {3, 2}, order[] = {0, 1}, one[] = {1};
    start(&d);
    lay_out(add(&d, 0, "parameter", shape(F32, 2, from), 0, NULL)->shape, order);
    add(&d, 0, "bitcast", shape(F32, 2, to), 1, one);
    const struct block *body = read_module("bitcast", pack(&d))->entry->body;
    cr_assert_eq(body->first->code, OP_transpose);
    cr_assert_eq(count_ops(body, OP_transpose), 1);
}

/* StableHLO does not order complex numbers; HLO orders them lexicographically. */
Test(hlo_proto, complex_order)
{
    struct draft d;
    int64_t two[] = {1, 2}, dims[] = {3};
    start(&d);
    add(&d, 0, "parameter", shape(C64, 1, dims), 0, NULL);
    add(&d, 0, "parameter", shape(C64, 1, dims), 0, NULL)->parameter_number = 1;
    Gantry__Hlo__Instruction *in = add(&d, 0, "compare", shape(PRED, 1, dims), 2, two);
    in->comparison_direction = "LE";
    const struct block *body = read_module("order", pack(&d))->entry->body;
    cr_assert_eq(count_ops(body, OP_compare), 3);
    cr_assert_eq(count_ops(body, OP_select), 1);
    in->comparison_direction = "NE";
    body = read_module("equality", pack(&d))->entry->body;
    cr_assert_eq(count_ops(body, OP_compare), 1);
    in->comparison_direction = "BY";
    expect_error(pack(&d), WRONG, "its direction is \"BY\"");
}

/* An index tensor becomes one scalar per index. */
Test(hlo_proto, indices_of_rank_1)
{
    struct draft d;
    int64_t two[] = {1, 2}, dims[] = {4, 5}, sizes[] = {2, 3}, count[] = {2}, three[] = {3};
    start(&d);
    add(&d, 0, "parameter", shape(F32, 2, dims), 0, NULL);
    add(&d, 0, "parameter", shape(S32, 1, count), 0, NULL)->parameter_number = 1;
    Gantry__Hlo__Instruction *in = add(&d, 0, "dynamic-slice", shape(F32, 2, sizes), 2, two);
    in->dynamic_slice_sizes = sizes;
    in->n_dynamic_slice_sizes = 2;
    const struct block *body = read_module("indices", pack(&d))->entry->body;
    cr_assert_eq(count_ops(body, OP_slice), 2);
    cr_assert_eq(count_ops(body, OP_reshape), 2);
    d.instructions[0][1].shape = shape(S32, 1, three);
    expect_error(pack(&d), WRONG, "has 3 indices for an array of rank 2");
}

/* A variadic scatter of HLO becomes several scatters. */
Test(hlo_proto, reduce_scatter_of_two)
{
    struct draft d;
    int64_t two[] = {1, 2}, dims[] = {4}, called[] = {1}, zero[] = {0};
    start(&d);
    add(&d, 0, "parameter", shape(F32, 1, dims), 0, NULL);
    add(&d, 0, "parameter", shape(F32, 1, dims), 0, NULL)->parameter_number = 1;
    Gantry__Hlo__Instruction *in =
        add(&d, 0, "reduce-scatter", pair(shape(F32, 1, dims), shape(F32, 1, dims)), 2, two);
    in->dimensions = zero;
    in->n_dimensions = in->n_computations = 1;
    in->computations = called;
    add(&d, 1, "parameter", shape(F32, 0, NULL), 0, NULL);
    add(&d, 1, "parameter", shape(F32, 0, NULL), 0, NULL)->parameter_number = 1;
    add(&d, 1, "add", shape(F32, 0, NULL), 2, two);
    const struct func *main = read_module("scatter", pack(&d))->entry;
    cr_assert_eq(count_ops(main->body, OP_reduce_scatter), 2);
    cr_assert_eq(main->result_count, 2);
    in->shape = shape(F32, 1, dims);
    expect_error(pack(&d), WRONG, "2 operands and 1 results");
}

/* An operand and a result for each participant, in place of an array that is split. */
Test(hlo_proto, all_to_all_of_two)
{
    struct draft d;
    int64_t two[] = {1, 2}, dims[] = {4};
    start(&d);
    add(&d, 0, "parameter", shape(F32, 1, dims), 0, NULL);
    add(&d, 0, "parameter", shape(F32, 1, dims), 0, NULL)->parameter_number = 1;
    Gantry__Hlo__Instruction *in =
        add(&d, 0, "all-to-all", pair(shape(F32, 1, dims), shape(F32, 1, dims)), 2, two);
    const struct func *main = read_module("all_to_all", pack(&d))->entry;
    cr_assert_eq(count_ops(main->body, OP_all_to_all), 1);
    cr_assert_eq(count_ops(main->body, OP_slice), 2);
    cr_assert_eq(main->result_count, 2);
    cr_expect_eq(main->result_types[1]->shape.dims[0], 4);
    in->shape = shape(F32, 1, dims);
    expect_error(pack(&d), WRONG, "2 operands and 1 results");
    in->shape = pair(shape(F32, 1, dims), shape(S32, 1, dims));
    expect_error(pack(&d), WRONG, "types of its operands and results differ");
}

static Gantry__Hlo__ReplicaGroup *group_of(size_t count, int64_t *ids)
{
    static Gantry__Hlo__ReplicaGroup group;
    gantry__hlo__replica_group__init(&group);
    group.n_ids = count;
    group.ids = ids;
    return &group;
}

/* Rows of which each participant sends another number: the custom call that JAX sends. */
Test(hlo_proto, ragged_all_to_all)
{
    struct draft d;
    int64_t six[] = {1, 2, 3, 4, 5, 6}, rows[] = {4, 2}, entries[] = {2}, ids[] = {0, 1};
    Gantry__Hlo__ReplicaGroup *groups[] = {group_of(2, ids)};
    start(&d);
    for (int i = 0; i < 6; i++)
        add(&d, 0, "parameter", i < 2 ? shape(F32, 2, rows) : shape(S32, 1, entries), 0, NULL)
            ->parameter_number = i;
    Gantry__Hlo__Instruction *in = add(&d, 0, "ragged-all-to-all", shape(F32, 2, rows), 6, six);
    in->channel_id = 3;
    in->n_replica_groups = 1;
    in->replica_groups = groups;
    struct module *module = read_module("ragged", pack(&d));
    struct text text = {0};
    ir_print(module, &text);
    cr_expect_not_null(strstr(text.data, "ragged_all_to_all"), "%s", text.data);
    cr_expect_not_null(strstr(text.data, "channel_id = 3"), "%s", text.data);
    cr_expect_not_null(strstr(text.data, "replica_groups = dense<[[0, 1]]>"), "%s", text.data);
    text_free(&text);
    ids[0] = 1 << 30;
    in->n_replica_groups = 0;
    cr_assert_eq(count_ops(read_module("ragged", pack(&d))->entry->body, OP_custom_call), 1);
}

/* The root of each group is a value. */
Test(hlo_proto, collectives_with_roots)
{
    struct draft d;
    int64_t two[] = {1, 2}, dims[] = {4}, one[] = {1}, ids[] = {0, 1}, called[] = {1};
    Gantry__Hlo__ReplicaGroup *groups[] = {group_of(2, ids)};
    start(&d);
    add(&d, 0, "parameter", shape(F32, 1, dims), 0, NULL);
    add(&d, 0, "parameter", shape(S32, 1, one), 0, NULL)->parameter_number = 1;
    for (int i = 0; i < 2; i++)
        add(&d, 1, "parameter", shape(F32, 0, NULL), 0, NULL)->parameter_number = i;
    add(&d, 1, "add", shape(F32, 0, NULL), 2, two);
    Gantry__Hlo__Instruction *in = add(&d, 0, "collective-reduce", shape(F32, 1, dims), 2, two);
    in->has_dynamic_root = true;
    in->n_replica_groups = 1;
    in->replica_groups = groups;
    in->n_computations = 1;
    in->computations = called;
    const struct func *main = read_module("roots", pack(&d))->entry;
    cr_assert_eq(count_ops(main->body, OP_collective_reduce), 1);
    in->has_dynamic_root = false;
    expect_error(pack(&d), WRONG, "2 operands and 1 results");
    in->n_operands = 1;
    cr_assert_eq(count_ops(read_module("roots", pack(&d))->entry->body, OP_collective_reduce), 1);
    in->opcode = "collective-broadcast";
    in->n_operands = 2;
    in->n_computations = 0;
    in->has_dynamic_root = true;
    d.module.n_computations = 1;
    cr_assert_eq(count_ops(read_module("roots", pack(&d))->entry->body, OP_collective_broadcast),
                 1);
}

Test(hlo_proto, types_of_six_bits_are_named)
{
    struct draft d;
    int64_t dims[] = {4}, one[] = {1};
    start(&d);
    Gantry__Hlo__Instruction *in = add(&d, 0, "parameter", shape(F32, 1, dims), 0, NULL);
    Gantry__Hlo__Instruction *convert = add(&d, 0, "convert", shape(F32, 1, dims), 1, one);
    convert->shape->element_type = 36;
    expect_error(pack(&d), MISSING, "HLO convert convert in entry");
    expect_error(pack(&d), MISSING, "element type 36 is unsupported (f6E2M3FN)");
    in->shape->element_type = 35;
    expect_error(pack(&d), MISSING, "element type 35 is unsupported (f6E3M2FN)");
}

Test(hlo_proto, errors_name_the_instruction)
{
    struct draft d;
    int64_t one[] = {1, 1}, three[] = {3}, called[] = {0}, dims[] = {2};
    start(&d);
    add(&d, 0, "parameter", shape(F32, 0, NULL), 0, NULL);
    Gantry__Hlo__Instruction *in = add(&d, 0, "conquer", shape(F32, 0, NULL), 1, one);
    expect_error(pack(&d), MISSING, "HLO conquer conquer in entry: this operation is unsupported");
    Gantry__Hlo__Metadata location = GANTRY__HLO__METADATA__INIT;
    location.source_file = "model.py";
    location.source_line = 3;
    in->metadata = &location;
    expect_error(pack(&d), MISSING,
                 "HLO conquer conquer in entry (model.py:3:0): this operation is unsupported");
    in->metadata = NULL;
    in->opcode = "negate";
    in->operands = three;
    expect_error(pack(&d), WRONG, "operand 0 (id 3) is used before its definition");
    in->operands = one;
    in->n_operands = 2;
    expect_error(pack(&d), WRONG, "has 2 operands and 1 results; negate must have 1 and 1");
    in->n_operands = 1;
    in->shape = shape(F32, 1, dims);
    expect_error(pack(&d), WRONG, "negate");
    in->shape = shape(TUPLE, 0, NULL);
    expect_error(pack(&d), WRONG, "0 results");
    in->shape = shape(F32, 0, NULL);
    in->opcode = "call";
    in->n_computations = 1;
    in->computations = called;
    expect_error(pack(&d), WRONG, "recursion is unsupported");
    in->opcode = "tuple";
    in->n_computations = 0;
    expect_error(pack(&d), WRONG, "its value does not have the declared shape");
    in->opcode = "parameter";
    in->parameter_number = 2;
    expect_error(pack(&d), WRONG, "must be numbered 0, 1");
    d.module.entry_id = 7;
    in->parameter_number = 1;
    expect_error(pack(&d), WRONG, "the entry computation: the computation 7 does not exist");
}

/* ---- sizes known at run time only ------------------------------------------------------------ */

static Gantry__Hlo__Shape *sized(int type, size_t rank, int64_t *dims)
{
    static protobuf_c_boolean first[] = {true, false};
    Gantry__Hlo__Shape *made = shape(type, rank, dims);
    made->is_dynamic = first;
    made->n_is_dynamic = rank;
    return made;
}

/* Rows up to the last parameter are scattered into the first. */
static void draft_scatter(struct draft *d)
{
    static int64_t four[] = {4}, three[] = {3}, column[] = {3, 1}, zero[] = {0}, called[] = {1};
    static int64_t indices[] = {2, 4}, updates[] = {3, 4}, operands[] = {1, 5, 6};
    start(d);
    add(d, 0, "parameter", shape(F32, 1, four), 0, NULL);
    add(d, 0, "parameter", shape(S32, 2, column), 0, NULL)->parameter_number = 1;
    add(d, 0, "parameter", shape(F32, 1, three), 0, NULL)->parameter_number = 2;
    add(d, 0, "parameter", shape(S32, 0, NULL), 0, NULL)->parameter_number = 3;
    for (int i = 0; i < 2; i++) {
        Gantry__Hlo__Shape *made = i == 0 ? sized(S32, 2, column) : sized(F32, 1, three);
        Gantry__Hlo__Instruction *set =
            add(d, 0, "set-dimension-size", made, 2, i == 0 ? indices : updates);
        set->dimensions = zero;
        set->n_dimensions = 1;
    }
    Gantry__Hlo__Instruction *in = add(d, 0, "scatter", shape(F32, 1, four), 3, operands);
    in->scatter = ARENA_NEW(arena, Gantry__Hlo__ScatterNumbers);
    gantry__hlo__scatter_numbers__init(in->scatter);
    in->scatter->inserted_window_dims = in->scatter->scatter_dims_to_operand_dims = zero;
    in->scatter->n_inserted_window_dims = in->scatter->n_scatter_dims_to_operand_dims = 1;
    in->scatter->index_vector_dim = 1;
    in->computations = called;
    in->n_computations = 1;
    add(d, 1, "parameter", shape(F32, 0, NULL), 0, NULL);
    add(d, 1, "parameter", shape(F32, 0, NULL), 0, NULL)->parameter_number = 1;
}

Test(hlo_proto, sizes_known_at_run_time_are_operations)
{
    struct draft d;
    draft_scatter(&d);
    const struct block *body = read_module("sizes", pack(&d))->entry->body;
    const struct op *scatter = find_op(body, OP_scatter);
    cr_assert_eq(scatter->operands[1]->def->code, OP_set_dimension_size);
    cr_assert_eq(scatter->operands[2]->def->code, OP_set_dimension_size);
    cr_assert_eq(scatter->operands[2]->def->attrs.dimension.dimension, 0);
    cr_assert_eq(scatter->operands[2]->type->bounded, 1);
    d.instructions[0][5].n_dimensions = 0;
    expect_error(pack(&d), WRONG, "set-dimension-size");
}

Test(hlo_proto, arguments_have_bounds)
{
    struct draft d;
    int64_t three[] = {3, 5};
    start(&d);
    add(&d, 0, "parameter", sized(F32, 2, three), 0, NULL);
    const struct func *main = read_module("bounds", pack(&d))->entry;
    cr_assert_eq(main->body->arguments[0].type->bounded, 1);
    cr_assert_eq(main->body->arguments[0].type->shape.dims[0], 3);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* Truncated and corrupted bytes: reading returns an error or a module, without leaks. */
Test(hlo_proto, damage_is_survived)
{
    size_t size = load("torch.hlo.pb");
    int64_t live = alloc_live();
    for (size_t i = 0; i < 2 * size; i++) {
        struct arena *mine;
        struct module *module;
        uint8_t before = bytes[i / 2];
        cr_assert_null(arena_create(&mine));
        bytes[i / 2] = (uint8_t)(i % 2 ? before : before ^ (1 << i % 7));
        error_free(read_from(mine, i % 2 ? i / 2 : size, &module));
        bytes[i / 2] = before;
        arena_destroy(mine);
    }
    cr_assert_eq(alloc_live(), live);
}

static size_t file_size;

static struct error *read_once(struct arena *mine)
{
    struct module *module;
    return read_from(mine, file_size, &module);
}

Test(hlo_proto, no_memory)
{
    file_size = load("control.hlo.pb");
    fixture_no_memory(read_once);
}
