#include "compiler/export/export_instruction.h"

#include <ctype.h>
#include <inttypes.h>

#include "compiler/export/export_fields.h"
#include "compiler/export/export_shape.h"
#include "compiler/program/step_label.h"

/* Field numbers of xla_data.proto. */
enum { METADATA_OP_NAME = 2, METADATA_SOURCE_FILE = 3, METADATA_SOURCE_LINE = 4 };

const char *export_instruction_unique(struct arena *arena, const char *label, int64_t number)
{
    struct step_label parts = step_label(label);
    char *name = arena_format(arena, "%.*s.%" PRId64, (int)parts.name_size, parts.name, number);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '.' && *at != '_' && *at != '-')
            *at = '_';
    return name;
}

const char *export_instruction_name(struct arena *arena, const struct export_instruction *what,
                                    int64_t id)
{
    const char *kind = what->opcode ? what->opcode : what->target;
    return what->name ? what->name : arena_format(arena, "%s.%" PRId64, kind, id);
}

static void add_metadata(struct proto *instruction, const char *label)
{
    struct proto metadata = {.arena = instruction->arena};
    struct step_label parts = step_label(label);
    if (!parts.operation)
        return;
    proto_text(&metadata, METADATA_OP_NAME, parts.operation, parts.operation_size);
    if (parts.file) {
        proto_text(&metadata, METADATA_SOURCE_FILE, parts.file, parts.file_size);
        proto_number(&metadata, METADATA_SOURCE_LINE, parts.line);
    }
    proto_message(instruction, INSTRUCTION_METADATA, &metadata);
}

static void add_ids(struct proto *to, int field, const export_ids *list)
{
    struct proto packed = {.arena = to->arena};
    for (size_t i = 0; list && i < list->count; i++)
        proto_varint(&packed, (uint64_t)list->items[i]);
    if (packed.size)
        proto_message(to, field, &packed);
}

struct proto export_instruction_open(struct arena *arena, const struct export_instruction *what,
                                     int64_t id)
{
    struct proto instruction = {.arena = arena};
    proto_string(&instruction, INSTRUCTION_NAME, export_instruction_name(arena, what, id));
    proto_string(&instruction, INSTRUCTION_OPCODE, what->opcode ? what->opcode : "custom-call");
    export_shape(&instruction, INSTRUCTION_SHAPE, what->shapes, what->shape_count);
    if (what->label)
        add_metadata(&instruction, what->label);
    if (!what->opcode)
        proto_string(&instruction, INSTRUCTION_CUSTOM_CALL_TARGET, what->target);
    proto_number(&instruction, INSTRUCTION_ID, id);
    add_ids(&instruction, INSTRUCTION_OPERAND_IDS, what->operands);
    add_ids(&instruction, INSTRUCTION_CALLED_COMPUTATION_IDS, what->computations);
    return instruction;
}
