/* hlo_cost_test.c: limits on the memory and time of reading an HLO module: small messages that
 * expand to large modules, and programs of each kind in two sizes, so large that a quadratic
 * algorithm would time out. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/frontend/hlo/hlo_body.h"
#include "compiler/frontend/hlo/hlo_proto.h"

enum { PRED = 1, S32 = 4, F32 = 11, TUPLE = 13, MAX_COUNT = 1 << 18 };

struct draft {
    struct arena *arena;
    Gantry__Hlo__Module module;
};

static void begin(struct draft *d)
{
    cr_assert_null(arena_create(&d->arena));
    gantry__hlo__module__init(&d->module);
    d->module.computations = ARENA_ARRAY(d->arena, Gantry__Hlo__Computation *, MAX_COUNT);
    d->module.name = arena_string(d->arena, "m", 1);
}

static Gantry__Hlo__Shape *shape(struct draft *d, int type, size_t rank, const int64_t *dims)
{
    Gantry__Hlo__Shape *made = ARENA_NEW(d->arena, Gantry__Hlo__Shape);
    gantry__hlo__shape__init(made);
    made->element_type = type;
    made->n_dimensions = rank;
    made->dimensions = arena_copy(d->arena, dims, rank * sizeof *dims);
    return made;
}

static Gantry__Hlo__Shape *scalar(struct draft *d)
{
    return shape(d, F32, 0, NULL);
}

/* A tuple of `count` equal elements. */
static Gantry__Hlo__Shape *tuple(struct draft *d, size_t count, Gantry__Hlo__Shape *element)
{
    Gantry__Hlo__Shape *made = shape(d, TUPLE, 0, NULL);
    made->n_elements = count;
    made->elements = ARENA_ARRAY(d->arena, Gantry__Hlo__Shape *, count);
    for (size_t i = 0; i < count; i++)
        made->elements[i] = element;
    return made;
}

static Gantry__Hlo__Computation *computation(struct draft *d, const char *name, size_t capacity)
{
    Gantry__Hlo__Computation *made = ARENA_NEW(d->arena, Gantry__Hlo__Computation);
    gantry__hlo__computation__init(made);
    made->name = arena_string(d->arena, name, strlen(name));
    made->id = (int64_t)d->module.n_computations;
    made->instructions = ARENA_ARRAY(d->arena, Gantry__Hlo__Instruction *, capacity);
    d->module.computations[d->module.n_computations++] = made;
    return made;
}

/* The next instruction, which becomes the root; its id is its position + 1. */
static Gantry__Hlo__Instruction *add(struct draft *d, Gantry__Hlo__Computation *c,
                                     const char *opcode, Gantry__Hlo__Shape *made, size_t count,
                                     const int64_t *operands)
{
    Gantry__Hlo__Instruction *in = ARENA_NEW(d->arena, Gantry__Hlo__Instruction);
    gantry__hlo__instruction__init(in);
    c->instructions[c->n_instructions++] = in;
    in->opcode = in->name = arena_string(d->arena, opcode, strlen(opcode));
    in->shape = made;
    in->n_operands = count;
    in->operands = arena_copy(d->arena, operands, count * sizeof *operands);
    in->id = c->root_id = (int64_t)c->n_instructions;
    return in;
}

static void apply(struct draft *d, Gantry__Hlo__Instruction *in, int64_t id)
{
    in->n_computations = 1;
    in->computations = arena_copy(d->arena, &id, sizeof id);
}

/* The cost of reading a message. */
struct cost {
    size_t size, used; /* bytes of the message and of the arena */
    PJRT_Error_Code code;
    char message[1 << 13];
};

static struct cost read_draft(struct draft *d)
{
    struct cost cost = {.size = gantry__hlo__module__get_packed_size(&d->module)};
    struct arena *mine;
    struct module *module;
    uint8_t *bytes = arena_alloc(d->arena, cost.size);
    gantry__hlo__module__pack(&d->module, bytes);
    cr_assert_null(arena_create(&mine));
    struct error *error = hlo_proto_read(mine, bytes, cost.size, &module);
    cost.used = arena_used(mine);
    if (error) {
        cost.code = error_code(error);
        snprintf(cost.message, sizeof cost.message, "%s", error_message(error, NULL));
    }
    error_free(error);
    arena_destroy(mine);
    arena_destroy(d->arena);
    return cost;
}

static void expect(struct cost cost, PJRT_Error_Code code, const char *words, size_t most)
{
    cr_assert_eq(cost.code, code, "%s", cost.message);
    cr_assert_not_null(strstr(cost.message, words), "%s", cost.message);
    cr_assert_leq(cost.used, most, "%zu bytes of arena for %zu", cost.used, cost.size);
}

static void expect_read(struct cost cost, size_t most)
{
    expect(cost, 0, "", most);
}

/* ---- small messages that describe much ------------------------------------------------------- */

Test(hlo_cost, indices_of_a_huge_vector)
{
    const char *const names[] = {"dynamic-slice", "dynamic-update-slice"};
    for (size_t i = 0; i < 2; i++) {
        struct draft d;
        int64_t sizes[] = {4, 4}, many = (int64_t)1 << 40;
        begin(&d);
        Gantry__Hlo__Computation *c = computation(&d, "entry", 4);
        add(&d, c, "parameter", shape(&d, F32, 2, sizes), 0, NULL);
        add(&d, c, "parameter", shape(&d, S32, 1, &many), 0, NULL)->parameter_number = 1;
        add(&d, c, names[i], shape(&d, F32, 2, sizes), 2 + i,
            i ? (int64_t[]){1, 1, 2} : (int64_t[]){1, 2});
        expect(read_draft(&d), PJRT_Error_Code_INVALID_ARGUMENT,
               "has 1099511627776 indices for an array of rank 2", 1 << 18);
    }
}

/* A tuple with the sharding of an array, which all leaves share. */
static struct cost read_sharded(size_t leaves, size_t devices)
{
    struct draft d;
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", 2);
    Gantry__Hlo__Sharding *sharding = ARENA_NEW(d.arena, Gantry__Hlo__Sharding);
    gantry__hlo__sharding__init(sharding);
    sharding->type = 3;
    sharding->n_tile_dimensions = 1;
    sharding->tile_dimensions = ARENA_NEW(d.arena, int64_t);
    *sharding->tile_dimensions = (int64_t)devices;
    sharding->n_tile_devices = devices;
    sharding->tile_devices = ARENA_ARRAY(d.arena, int64_t, devices);
    for (size_t i = 0; i < devices; i++)
        sharding->tile_devices[i] = (int64_t)i;
    add(&d, c, "parameter", tuple(&d, leaves, shape(&d, F32, 1, sharding->tile_dimensions)), 0,
        NULL)
        ->sharding = sharding;
    return read_draft(&d);
}

Test(hlo_cost, sharding_of_many_devices_on_many_leaves)
{
    expect_read(read_sharded(100, 4096), 1 << 20);
    expect_read(read_sharded(10000, 4096), 20 << 20);
    expect_read(read_sharded(100, 100000), 20 << 20);
}

/* The tuple of each start contains the previous one twice. */
Test(hlo_cost, tuples_that_share_their_elements)
{
    struct draft d;
    enum { LEVELS = 50 };
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", LEVELS + 2);
    add(&d, c, "parameter", scalar(&d), 0, NULL);
    for (int64_t i = 1; i <= LEVELS; i++)
        add(&d, c, "copy-start", scalar(&d), 1, &i);
    add(&d, c, "custom-call", scalar(&d), 1, (int64_t[]){LEVELS + 1});
    expect(read_draft(&d), PJRT_Error_Code_INVALID_ARGUMENT, "its tuple has more than", 1 << 20);
}

Test(hlo_cost, tuples_of_few_levels_that_many_take)
{
    struct draft d;
    enum { LEVELS = 16, TAKERS = 1000 };
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", LEVELS + TAKERS + 1);
    add(&d, c, "parameter", scalar(&d), 0, NULL);
    for (int64_t i = 1; i <= LEVELS; i++)
        add(&d, c, "copy-start", scalar(&d), 1, &i);
    for (int i = 0; i < TAKERS; i++)
        add(&d, c, "custom-call", scalar(&d), 1, (int64_t[]){LEVELS + 1});
    expect(read_draft(&d), PJRT_Error_Code_RESOURCE_EXHAUSTED, "the module expands to more than",
           64 << 20);
}

/* Nesting that would overflow the stack. */
Test(hlo_cost, tuples_nested_without_a_shape)
{
    struct draft d;
    enum { LEVELS = 100000 };
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", LEVELS + 2);
    Gantry__Hlo__Computation *empty = computation(&d, "empty", 1);
    add(&d, c, "parameter", scalar(&d), 0, NULL);
    add(&d, empty, "constant", scalar(&d), 0, NULL);
    for (int64_t i = 1; i <= LEVELS; i++)
        add(&d, c, "copy-start", scalar(&d), 1, &i);
    cr_assert_eq(read_draft(&d).code, PJRT_Error_Code_INVALID_ARGUMENT);
}

/* Each computation applies the next one twice. */
Test(hlo_cost, computations_that_double)
{
    struct draft d;
    enum { LEVELS = 40 };
    begin(&d);
    for (int i = 0; i < LEVELS; i++) {
        Gantry__Hlo__Computation *c = computation(&d, "c", 4);
        add(&d, c, "parameter", scalar(&d), 0, NULL);
        for (int k = 0; k < 2; k++) {
            Gantry__Hlo__Instruction *in =
                add(&d, c, i + 1 < LEVELS ? "map" : "negate", scalar(&d), 1, (int64_t[]){k + 1});
            if (i + 1 < LEVELS)
                apply(&d, in, i + 1);
        }
    }
    expect(read_draft(&d), PJRT_Error_Code_RESOURCE_EXHAUSTED, "the module expands to more than",
           (size_t)400 << 20);
}

/* ---- participants ---------------------------------------------------------------------------- */

/* `count` groups of 2^20 devices; `distinct`: each in a different order. */
static struct cost read_iota(int count, bool distinct)
{
    struct draft d;
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", (size_t)count + 1);
    Gantry__Hlo__Computation *sum = computation(&d, "sum", 3);
    add(&d, sum, "parameter", scalar(&d), 0, NULL);
    add(&d, sum, "parameter", scalar(&d), 0, NULL)->parameter_number = 1;
    add(&d, sum, "add", scalar(&d), 2, (int64_t[]){1, 2});
    add(&d, c, "parameter", scalar(&d), 0, NULL);
    for (int i = 0; i < count; i++) {
        Gantry__Hlo__Instruction *in = add(&d, c, "all-reduce", scalar(&d), 1, (int64_t[]){i + 1});
        Gantry__Hlo__IotaGroups *groups = ARENA_NEW(d.arena, Gantry__Hlo__IotaGroups);
        gantry__hlo__iota_groups__init(groups);
        int split = distinct ? i % 20 : 7;
        groups->groups = 1 << split;
        groups->group_size = 1 << (20 - split);
        groups->n_dimensions = groups->n_permutation = 1;
        groups->dimensions = ARENA_NEW(d.arena, int64_t);
        groups->dimensions[0] = 1 << 20;
        groups->permutation = ARENA_NEW(d.arena, int32_t);
        in->iota_devices = groups;
        apply(&d, in, 1);
    }
    return read_draft(&d);
}

Test(hlo_cost, counted_groups_are_made_once)
{
    expect_read(read_iota(1000, false), 16 << 20);
    expect(read_iota(1000, true), PJRT_Error_Code_RESOURCE_EXHAUSTED, "expands to more than",
           (size_t)160 << 20);
}

/* One group of `wide` devices and `count` empty ones. */
Test(hlo_cost, groups_of_unequal_sizes)
{
    struct draft d;
    enum { WIDE = 1000, COUNT = 1000 };
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", 2);
    add(&d, c, "parameter", scalar(&d), 0, NULL);
    Gantry__Hlo__Instruction *in =
        add(&d, c, "collective-broadcast", scalar(&d), 1, (int64_t[]){1});
    in->n_replica_groups = COUNT;
    in->replica_groups = ARENA_ARRAY(d.arena, Gantry__Hlo__ReplicaGroup *, COUNT);
    for (int i = 0; i < COUNT; i++) {
        in->replica_groups[i] = ARENA_NEW(d.arena, Gantry__Hlo__ReplicaGroup);
        gantry__hlo__replica_group__init(in->replica_groups[i]);
    }
    in->replica_groups[0]->n_ids = WIDE;
    in->replica_groups[0]->ids = ARENA_ARRAY(d.arena, int64_t, WIDE);
    expect(read_draft(&d), PJRT_Error_Code_INVALID_ARGUMENT,
           "has 1000 replica groups of up to 1000 devices", 1 << 20);
}

/* ---- twice the program ----------------------------------------------------------------------- */

/* A chain of elementwise operations. */
static struct cost read_chain(int64_t size)
{
    struct draft d;
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", (size_t)size + 1);
    add(&d, c, "parameter", scalar(&d), 0, NULL);
    for (int64_t i = 1; i <= size; i++)
        add(&d, c, "negate", scalar(&d), 1, &i);
    return read_draft(&d);
}

/* Reductions that share their computation. */
static struct cost read_reduces(int64_t size)
{
    struct draft d;
    int64_t dim = 0, three = 3;
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", (size_t)size + 2);
    Gantry__Hlo__Computation *sum = computation(&d, "sum", 3);
    add(&d, sum, "parameter", scalar(&d), 0, NULL);
    add(&d, sum, "parameter", scalar(&d), 0, NULL)->parameter_number = 1;
    add(&d, sum, "add", scalar(&d), 2, (int64_t[]){1, 2});
    add(&d, c, "parameter", shape(&d, F32, 1, &three), 0, NULL);
    add(&d, c, "parameter", scalar(&d), 0, NULL)->parameter_number = 1;
    for (int64_t i = 0; i < size; i++) {
        Gantry__Hlo__Instruction *in =
            add(&d, c, "reduce", scalar(&d), 2, (int64_t[]){1, i ? i + 2 : 2});
        in->n_dimensions = 1;
        in->dimensions = &dim;
        apply(&d, in, 1);
    }
    return read_draft(&d);
}

/* Functions that all have the name f. */
static struct cost read_calls(int64_t size)
{
    struct draft d;
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", (size_t)size + 1);
    add(&d, c, "parameter", scalar(&d), 0, NULL);
    for (int64_t i = 1; i <= size; i++) {
        Gantry__Hlo__Computation *f = computation(&d, "f", 1);
        add(&d, f, "parameter", scalar(&d), 0, NULL);
        apply(&d, add(&d, c, "call", scalar(&d), 1, &i), f->id);
    }
    return read_draft(&d);
}

/* A call that passes a tuple of many elements, and as many aliases. */
static struct cost read_aliases(int64_t size)
{
    struct draft d;
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", 1);
    Gantry__Hlo__Aliases *aliases = ARENA_NEW(d.arena, Gantry__Hlo__Aliases);
    gantry__hlo__aliases__init(aliases);
    aliases->n_entries = (size_t)size;
    aliases->entries = ARENA_ARRAY(d.arena, Gantry__Hlo__Alias *, (size_t)size);
    for (int64_t i = 0; i < size; i++) {
        Gantry__Hlo__Alias *alias = aliases->entries[i] = ARENA_NEW(d.arena, Gantry__Hlo__Alias);
        gantry__hlo__alias__init(alias);
        alias->n_parameter_index = alias->n_output_index = 1;
        alias->parameter_index = alias->output_index = arena_copy(d.arena, &i, sizeof i);
    }
    add(&d, c, "parameter", tuple(&d, (size_t)size, scalar(&d)), 0, NULL);
    d.module.aliases = aliases;
    return read_draft(&d);
}

/* A collective permute of many operands, each of which becomes an operation, with as many pairs. */
static struct cost read_each(int64_t size)
{
    struct draft d;
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", 2);
    int64_t *operands = ARENA_ARRAY(d.arena, int64_t, (size_t)size);
    Gantry__Hlo__FrontendAttributes *attributes =
        ARENA_NEW(d.arena, Gantry__Hlo__FrontendAttributes);
    gantry__hlo__frontend_attributes__init(attributes);
    add(&d, c, "parameter", scalar(&d), 0, NULL);
    for (int64_t i = 0; i < size; i++)
        operands[i] = 1;
    Gantry__Hlo__Instruction *in = add(&d, c, "collective-permute",
                                       tuple(&d, (size_t)size, scalar(&d)), (size_t)size, operands);
    in->n_source_targets = (size_t)size;
    in->source_targets = ARENA_ARRAY(d.arena, Gantry__Hlo__SourceTarget *, (size_t)size);
    for (int64_t i = 0; i < size; i++) {
        in->source_targets[i] = ARENA_NEW(d.arena, Gantry__Hlo__SourceTarget);
        gantry__hlo__source_target__init(in->source_targets[i]);
        in->source_targets[i]->source = i;
    }
    in->frontend_attributes = attributes;
    return read_draft(&d);
}

/* One operation with many operands. */
static struct cost read_wide(int64_t size)
{
    struct draft d;
    int64_t dim = 0, three = 3, total = 3 * size;
    begin(&d);
    Gantry__Hlo__Computation *c = computation(&d, "entry", 2);
    int64_t *operands = ARENA_ARRAY(d.arena, int64_t, (size_t)size);
    for (int64_t i = 0; i < size; i++)
        operands[i] = 1;
    add(&d, c, "parameter", shape(&d, F32, 1, &three), 0, NULL);
    Gantry__Hlo__Instruction *in =
        add(&d, c, "concatenate", shape(&d, F32, 1, &total), (size_t)size, operands);
    in->n_dimensions = 1;
    in->dimensions = &dim;
    return read_draft(&d);
}

Test(hlo_cost, memory_grows_as_the_program)
{
    static const struct {
        const char *name;
        struct cost (*read)(int64_t size);
    } families[] = {{"chain", read_chain},     {"reduces", read_reduces}, {"calls", read_calls},
                    {"aliases", read_aliases}, {"each", read_each},       {"wide", read_wide}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        struct cost one = families[i].read(10000), two = families[i].read(20000);
        cr_assert_eq(one.code + two.code, 0, "%s: %s", families[i].name, two.message);
        cr_expect_lt((double)two.used / (double)one.used, 2.3, "%s: %zu, then %zu bytes",
                     families[i].name, one.used, two.used);
    }
}
