/* export_collective.c: see export_collective.h. */
#include "compiler/export/export_collective.h"

#include <string.h>

#include "compiler/export/export_fields.h"
#include "compiler/export/export_shape.h"

/* Field numbers of hlo.proto and xla_data.proto; others are in export_fields.h. */
enum { GROUP_IDS = 1, SOURCE_TARGET_SOURCE = 1, SOURCE_TARGET_TARGET = 2 };

/* ---- groups ---------------------------------------------------------------------------------- */
static void add_pairs(struct proto *to, const struct program_groups *groups)
{
    for (int g = 0; g < groups->group_count; g++)
        for (int i = groups->offsets[g]; i < groups->offsets[g + 1]; i++) {
            struct proto pair = {.arena = to->arena};
            if (groups->sources[i] < 0)
                continue;
            proto_number(&pair, SOURCE_TARGET_SOURCE,
                         groups->members[groups->offsets[g] + groups->sources[i]]);
            proto_number(&pair, SOURCE_TARGET_TARGET, groups->members[i]);
            proto_message(to, INSTRUCTION_SOURCE_TARGETS, &pair);
        }
}

static void add_groups(struct proto *to, const struct program_groups *groups)
{
    for (int g = 0; g < groups->group_count; g++) {
        struct proto group = {.arena = to->arena}, ids = group;
        for (int i = groups->offsets[g]; i < groups->offsets[g + 1]; i++)
            proto_varint(&ids, (uint64_t)groups->members[i]);
        proto_message(&group, GROUP_IDS, &ids);
        proto_message(to, INSTRUCTION_REPLICA_GROUPS, &group);
    }
}

void export_collective(struct proto *instruction, const struct program *program,
                       const struct collective_spec *spec)
{
    bool pairs = spec->kind == COLLECTIVE_PERMUTE;
    if (pairs)
        add_pairs(instruction, &program->groups[spec->groups]);
    else
        add_groups(instruction, &program->groups[spec->groups]);
    if (spec->kind == COLLECTIVE_ALL_GATHER || spec->kind == COLLECTIVE_REDUCE_SCATTER ||
        spec->kind == COLLECTIVE_ALL_TO_ALL) {
        struct proto dims = {.arena = instruction->arena};
        proto_varint(&dims, (uint64_t)spec->dimension);
        proto_message(instruction, INSTRUCTION_DIMENSIONS, &dims);
    }
    if (program->num_partitions == 1)
        return;
    proto_number(instruction, INSTRUCTION_CHANNEL_ID, spec->number + 1);
    if (spec->kind == COLLECTIVE_ALL_REDUCE || spec->kind == COLLECTIVE_ALL_GATHER ||
        spec->kind == COLLECTIVE_REDUCE_SCATTER)
        proto_number(instruction, INSTRUCTION_USE_GLOBAL_DEVICE_IDS, 1);
}

/* ---- shapes ---------------------------------------------------------------------------------- */
bool export_collective_is_variadic(const struct collective_spec *spec)
{
    for (int i = 1; i < spec->array_count; i++)
        if (spec->arrays[i].dtype != spec->arrays[0].dtype)
            return false; /* a reducer has one type */
    return spec->kind == COLLECTIVE_ALL_REDUCE || spec->kind == COLLECTIVE_ALL_GATHER ||
           spec->kind == COLLECTIVE_REDUCE_SCATTER;
}

struct shape export_collective_operand(const struct collective_spec *spec, int index)
{
    const struct collective_array *array = &spec->arrays[index];
    return (struct shape){.dtype = array->dtype, .rank = array->rank, .dims = array->dims};
}

struct shape export_collective_result(struct arena *arena, const struct collective_spec *spec,
                                      int index)
{
    struct shape shape = export_collective_operand(spec, index);
    int64_t *dims = ARENA_ARRAY(arena, int64_t, (size_t)shape.rank + 1);
    if (shape.rank)
        memcpy(dims, shape.dims, (size_t)shape.rank * sizeof *dims);
    if (shape.rank && spec->kind == COLLECTIVE_ALL_GATHER)
        dims[spec->dimension] *= spec->parts;
    if (shape.rank && spec->kind == COLLECTIVE_REDUCE_SCATTER)
        dims[spec->dimension] /= spec->parts;
    shape.dims = dims;
    return shape;
}

/* ---- reducers -------------------------------------------------------------------------------- */
static int64_t add_scalar(struct proto *computation, const char *opcode, const struct shape *shape,
                          int parameter, const int64_t *operands, int64_t *last_id)
{
    struct proto instruction = {.arena = computation->arena}, ids = instruction;
    int64_t id = ++*last_id;
    proto_string(&instruction, INSTRUCTION_NAME,
                 arena_format(computation->arena, "%s.%lld", opcode, (long long)id));
    proto_string(&instruction, INSTRUCTION_OPCODE, opcode);
    export_shape(&instruction, INSTRUCTION_SHAPE, shape, 1);
    if (parameter)
        proto_number(&instruction, INSTRUCTION_PARAMETER_NUMBER, parameter);
    proto_number(&instruction, INSTRUCTION_ID, id);
    for (int i = 0; operands && i < 2; i++)
        proto_varint(&ids, (uint64_t)operands[i]);
    if (operands)
        proto_message(&instruction, INSTRUCTION_OPERAND_IDS, &ids);
    proto_message(computation, COMPUTATION_INSTRUCTIONS, &instruction);
    return id;
}

static void add_signature(struct proto *computation, const struct shape *scalar)
{
    struct proto shape = {.arena = computation->arena};
    export_shape(&shape, PROGRAM_SHAPE_PARAMETERS, scalar, 1);
    export_shape(&shape, PROGRAM_SHAPE_PARAMETERS, scalar, 1);
    export_shape(&shape, PROGRAM_SHAPE_RESULT, scalar, 1);
    proto_string(&shape, PROGRAM_SHAPE_PARAMETER_NAMES, "left");
    proto_string(&shape, PROGRAM_SHAPE_PARAMETER_NAMES, "right");
    proto_message(computation, COMPUTATION_PROGRAM_SHAPE, &shape);
}

int64_t export_collective_reducer(struct proto *module, const struct collective_spec *spec,
                                  enum dtype dtype, int64_t *last_id)
{
    static const char *const opcodes[] = {"add", "multiply", "minimum", "maximum",
                                          "and", "or",       "xor"};
    struct proto computation = {.arena = module->arena};
    struct shape scalar = {.dtype = dtype};
    proto_string(&computation, COMPUTATION_NAME,
                 arena_format(module->arena, "%s_%s.%lld", opcodes[spec->reducer],
                              dtype_name(scalar.dtype), (long long)++*last_id));
    int64_t operands[2];
    for (int i = 0; i < 2; i++)
        operands[i] = add_scalar(&computation, "parameter", &scalar, i, NULL, last_id);
    int64_t root = add_scalar(&computation, opcodes[spec->reducer], &scalar, 0, operands, last_id),
            id = ++*last_id;
    add_signature(&computation, &scalar);
    proto_number(&computation, COMPUTATION_ID, id);
    proto_number(&computation, COMPUTATION_ROOT_ID, root);
    proto_message(module, MODULE_COMPUTATIONS, &computation);
    return id;
}
