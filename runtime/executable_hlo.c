/* executable_hlo.c: writes the messages by hand, inner ones first. Field numbers are those of the
 * public hlo.proto and xla_data.proto; each stands beside its name where it is used. */
#include "runtime/executable_hlo.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* ---- wire format ----------------------------------------------------------------------------- */
static void add_varint(struct text *text, uint64_t value)
{
    unsigned char bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (unsigned char)(value | 0x80);
    bytes[count++] = (unsigned char)value;
    text_add_bytes(text, bytes, count);
}

static void add_number(struct text *text, int field, int64_t value)
{
    add_varint(text, (uint64_t)field << 3);
    add_varint(text, (uint64_t)value);
}

static void add_bytes(struct text *text, int field, const void *bytes, size_t size)
{
    add_varint(text, (uint64_t)field << 3 | 2);
    add_varint(text, size);
    text_add_bytes(text, bytes, size);
}

static void add_string(struct text *text, int field, const char *string)
{
    add_bytes(text, field, string, strlen(string));
}

/* Adds a message that is complete, and empties it. */
static void add_message(struct text *text, int field, struct text *message)
{
    add_bytes(text, field, message->data, message->size);
    text->failed |= message->failed;
    text_free(message);
}

/* ---- shapes ---------------------------------------------------------------------------------- */
/* PrimitiveType, by our element types. */
static int primitive_type(enum dtype dtype)
{
    static const unsigned char types[DTYPE_COUNT] = {
        [DTYPE_PRED] = 1,        [DTYPE_S8] = 2,          [DTYPE_S16] = 3,
        [DTYPE_S32] = 4,         [DTYPE_S64] = 5,         [DTYPE_U8] = 6,
        [DTYPE_U16] = 7,         [DTYPE_U32] = 8,         [DTYPE_U64] = 9,
        [DTYPE_F16] = 10,        [DTYPE_F32] = 11,        [DTYPE_F64] = 12,
        [DTYPE_C64] = 15,        [DTYPE_BF16] = 16,       [DTYPE_TOKEN] = 17,
        [DTYPE_C128] = 18,       [DTYPE_F8E5M2] = 19,     [DTYPE_F8E4M3FN] = 20,
        [DTYPE_S4] = 21,         [DTYPE_U4] = 22,         [DTYPE_F8E4M3B11FNUZ] = 23,
        [DTYPE_F8E5M2FNUZ] = 24, [DTYPE_F8E4M3FNUZ] = 25, [DTYPE_S2] = 26,
        [DTYPE_U2] = 27,         [DTYPE_F8E4M3] = 28,     [DTYPE_F8E3M4] = 29,
        [DTYPE_F4E2M1FN] = 32,   [DTYPE_F8E8M0FNU] = 33};
    return types[dtype];
}

enum { TUPLE = 13 };

/* ShapeProto: 2 element_type, 3 dimensions, 5 layout { 1 minor_to_major }, 6
 * is_dynamic_dimension. */
static void add_array_shape(struct text *text, int field, const struct program_value *value)
{
    struct text shape = {0}, dims = {0}, order = {0}, dynamic = {0}, layout = {0};
    for (int i = 0; i < value->rank; i++) {
        add_varint(&dims, (uint64_t)value->dims[i]);
        add_varint(&order, (uint64_t)(value->rank - 1 - i));
        add_varint(&dynamic, 0);
    }
    add_number(&shape, 2, primitive_type(value->dtype));
    if (value->rank) {
        add_message(&shape, 3, &dims);
        add_message(&layout, 1, &order);
    }
    if (value->dtype != DTYPE_TOKEN)
        add_message(&shape, 5, &layout);
    if (value->rank)
        add_message(&shape, 6, &dynamic);
    text_free(&layout);
    add_message(text, field, &shape);
}

/* The shape of all results: an array's when there is one, else a tuple (4 tuple_shapes). */
static void add_result_shape(struct text *text, int field, const struct program *program)
{
    struct text shape = {0};
    if (program->result_count == 1) {
        add_array_shape(text, field, &program->results[0]);
        return;
    }
    add_number(&shape, 2, TUPLE);
    for (int i = 0; i < program->result_count; i++)
        add_array_shape(&shape, 4, &program->results[i]);
    add_message(text, field, &shape);
}

/* ProgramShapeProto: 1 parameters, 2 result, 3 parameter_names. */
static void add_program_shape(struct text *text, int field, const struct program *program)
{
    struct text shape = {0};
    for (int i = 0; i < program->parameter_count; i++)
        add_array_shape(&shape, 1, &program->parameters[i]);
    add_result_shape(&shape, 2, program);
    for (int i = 0; i < program->parameter_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "p%d", i);
        add_string(&shape, 3, name);
    }
    add_message(text, field, &shape);
}

/* ---- the module ------------------------------------------------------------------------------ */
/* HloInstructionProto: 1 name, 2 opcode, 3 shape, 9 parameter_number, 28 custom_call_target, 35 id,
 * 36 operand_ids. */
static void add_parameter(struct text *computation, const struct program *program, int index)
{
    struct text instruction = {0};
    char name[32];
    snprintf(name, sizeof name, "p%d", index);
    add_string(&instruction, 1, name);
    add_string(&instruction, 2, "parameter");
    add_array_shape(&instruction, 3, &program->parameters[index]);
    add_number(&instruction, 9, index);
    add_number(&instruction, 35, index + 1);
    add_message(computation, 2, &instruction);
}

static void add_root(struct text *computation, const struct program *program)
{
    struct text instruction = {0}, operands = {0};
    add_string(&instruction, 1, "program");
    add_string(&instruction, 2, "custom-call");
    add_result_shape(&instruction, 3, program);
    add_string(&instruction, 28, "gantry");
    add_number(&instruction, 35, program->parameter_count + 1);
    for (int i = 0; i < program->parameter_count; i++)
        add_varint(&operands, (uint64_t)i + 1);
    if (program->parameter_count)
        add_message(&instruction, 36, &operands);
    add_message(computation, 2, &instruction);
}

/* HloComputationProto: 1 name, 2 instructions, 4 program_shape, 5 id, 6 root_id. */
static void add_computation(struct text *module, const struct program *program)
{
    struct text computation = {0};
    add_string(&computation, 1, "main");
    for (int i = 0; i < program->parameter_count; i++)
        add_parameter(&computation, program, i);
    add_root(&computation, program);
    add_program_shape(&computation, 4, program);
    add_number(&computation, 5, 1);
    add_number(&computation, 6, program->parameter_count + 1);
    add_message(module, 3, &computation);
}

/* HloModuleProtoWithConfig: 1 hlo_module, 2 config { 1 entry_computation_layout, 4 replica_count,
 * 5 num_partitions }. HloModuleProto: 1 name, 2 entry_computation_name, 3 computations, 4
 * host_program_shape, 5 id, 6 entry_computation_id. */
static struct error *write_hlo(const struct program *program, char **out, size_t *size)
{
    struct text module = {0}, config = {0}, all = {0};
    add_string(&module, 1, program->name);
    add_string(&module, 2, "main");
    add_computation(&module, program);
    add_program_shape(&module, 4, program);
    add_number(&module, 5, 1);
    add_number(&module, 6, 1);
    add_message(&all, 1, &module);
    add_program_shape(&config, 1, program);
    add_number(&config, 4, program->num_replicas);
    add_number(&config, 5, program->num_partitions);
    add_message(&all, 2, &config);
    return text_finish(&all, out, size);
}

struct error *executable_hlo(struct executable *executable, const char **bytes, size_t *size)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct error *error = NULL;
    pthread_mutex_lock(&lock);
    if (!executable->hlo)
        error = write_hlo(executable->program, &executable->hlo, &executable->hlo_size);
    pthread_mutex_unlock(&lock);
    *bytes = executable->hlo;
    *size = executable->hlo_size;
    return error;
}
