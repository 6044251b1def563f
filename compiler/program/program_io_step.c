/* program_io_step.c: see program_io_step.h. */
#include "compiler/program/program_io_step.h"

#include "base/flat_shape.h"

/* The minimum serialized size of each kind of item: a count is checked against the remaining bytes
 * before an array is allocated. */
enum {
    WIRE_SLICE = 3 * WIRE_NUMBER,
    WIRE_OFFSET = WIRE_SLICE + 4 * WIRE_NUMBER,
    WIRE_LIST = WIRE_NUMBER,
    WIRE_CALL_VALUE = 5 * WIRE_NUMBER,
    WIRE_ATTRIBUTE = 5 * WIRE_NUMBER,
    WIRE_COLLECTIVE_ARRAY = 5 * WIRE_NUMBER
};

/* A field added to one of these structs must also be added to the walks below or in
 * program_io.c. */
_Static_assert(sizeof(struct dot_spec) == 160 && sizeof(struct thin_dot_spec) == 344 &&
                   sizeof(struct convolution_spec) == 384 && sizeof(struct copy_spec) == 216 &&
                   sizeof(struct program_value) == 80 && sizeof(struct slice) == 24 &&
                   sizeof(struct slice_offset) == 48 && sizeof(struct allocation) == 24 &&
                   sizeof(struct program_buffer) == 48 && sizeof(struct call_attribute) == 64 &&
                   sizeof(struct call_value) == 64 && sizeof(struct call_spec) == 72 &&
                   sizeof(struct program_channel) == 16 && sizeof(struct program_groups) == 32 &&
                   sizeof(struct collective_spec) == 48 && sizeof(struct collective_array) == 40,
               "a struct of program.h has changed: it is written field by field");

static void dot(struct wire *io, struct dot_spec *dot)
{
    WIRE_INT(io, dot->lhs), WIRE_INT(io, dot->rhs), WIRE_INT(io, dot->out);
    wire_numbers(io, &dot->batch, 4);
    wire_numbers(io, &dot->lhs_batch_stride, 9);
    WIRE_INT(io, dot->rhs_constant);
    wire_numbers(io, &dot->outer, 4);
}

static void thin_parameter(struct wire *io, struct thin_parameter *parameter)
{
    WIRE_INT(io, parameter->dtype);
    wire_numbers(io, &parameter->batch_stride, 5);
}

static void thin_dot(struct wire *io, struct thin_dot_spec *spec)
{
    dot(io, &spec->dot);
    thin_parameter(io, &spec->zero), thin_parameter(io, &spec->scale);
    thin_parameter(io, &spec->offset);
    wire_numbers(io, &spec->packing.count, 2);
    WIRE_INT(io, spec->packing.along_k);
    for (size_t i = 0; i < sizeof spec->packing.shift; i++)
        WIRE_INT(io, spec->packing.shift[i]);
    WIRE_INT(io, spec->table);
}

static void convolution(struct wire *io, struct convolution_spec *spec)
{
    enum { N = CONVOLUTION_MAX_SPATIAL };
    WIRE_INT(io, spec->lhs);
    WIRE_INT(io, spec->rhs);
    WIRE_INT(io, spec->out);
    WIRE_INT(io, spec->spatial);
    wire_numbers(io, &spec->batch, 5);
    wire_numbers(io, spec->in, N);
    wire_numbers(io, spec->kernel, N);
    wire_numbers(io, spec->out_size, N);
    wire_numbers(io, spec->stride, N);
    wire_numbers(io, spec->pad_low, N);
    wire_numbers(io, spec->pad_high, N);
    wire_numbers(io, spec->lhs_dilation, N);
    wire_numbers(io, spec->rhs_dilation, N);
    for (int i = 0; i < N; i++)
        WIRE_INT(io, spec->reverse[i]);
    wire_numbers(io, &spec->lhs_batch_stride, 2);
    wire_numbers(io, spec->lhs_stride, N);
    wire_numbers(io, &spec->rhs_in_stride, 2);
    wire_numbers(io, spec->rhs_stride, N);
    wire_numbers(io, &spec->out_batch_stride, 2);
    wire_numbers(io, spec->out_stride, N);
    WIRE_INT(io, spec->rhs_constant);
    WIRE_INT(io, spec->above_default_precision);
}

static void attention(struct wire *io, struct attention_spec *spec)
{
    dot(io, &spec->scores), dot(io, &spec->values), wire_numbers(io, &spec->kernel, 5);
}

static void attention_backward(struct wire *io, struct attention_backward_spec *spec)
{
    dot(io, &spec->scores), dot(io, &spec->change), dot(io, &spec->to_values);
    dot(io, &spec->to_queries), dot(io, &spec->to_keys), wire_numbers(io, &spec->weights_kernel, 9);
}

static void copy(struct wire *io, struct copy_spec *spec)
{
    WIRE_INT(io, spec->number), WIRE_INT(io, spec->rank), WIRE_INT(io, spec->updates);
    WIRE_INT(io, spec->is_indexed), WIRE_INT(io, spec->index);
    wire_number(io, &spec->element);
    wire_numbers(io, spec->sizes, COPY_MAX_RANK), wire_numbers(io, spec->dims, COPY_MAX_RANK);
    wire_numbers(io, spec->starts, COPY_MAX_RANK);
}

void program_io_shape(struct wire *io, struct shape *shape, void **memory)
{
    int64_t flat[FLAT_SHAPE_MAX];
    int count = io->writing ? flat_shape_write(shape, flat) : 0;
    wire_count(io, &count, WIRE_NUMBER);
    if (count > FLAT_SHAPE_MAX) {
        wire_fail(io,
                  ERROR(INVALID_ARGUMENT, "a serialized program has a shape of %d numbers", count));
        count = 0;
    }
    wire_numbers(io, flat, (size_t)count);
    if (!io->writing && !io->error)
        wire_fail(io, flat_shape_read(flat, count, shape, memory));
}

static void attributes(struct wire *io, int *count, struct call_attribute **list);

static void attribute(struct wire *io, struct call_attribute *at)
{
    wire_size(io, &at->name_size);
    wire_data(io, &at->name, at->name_size);
    WIRE_INT(io, at->kind), WIRE_INT(io, at->dtype);
    wire_size(io, &at->elements), wire_size(io, &at->size);
    if (at->kind == CALL_DICTIONARY)
        attributes(io, &at->count, &at->entries);
    else
        wire_data(io, &at->data, at->size);
}

static void attributes(struct wire *io, int *count, struct call_attribute **list)
{
    if (io->depth == PROGRAM_MAX_NESTING) {
        wire_fail(io, ERROR(INVALID_ARGUMENT, "a serialized program nests more than %d attributes",
                            PROGRAM_MAX_NESTING));
        return;
    }
    io->depth++;
    if (wire_array(io, count, sizeof **list, WIRE_ATTRIBUTE, list))
        for (int i = 0; i < *count; i++)
            attribute(io, &(*list)[i]);
    io->depth--;
}

void program_io_call(struct wire *io, struct call_spec *spec)
{
    wire_text(io, &spec->target);
    wire_size(io, &spec->config_size);
    wire_data(io, &spec->config, spec->config_size);
    WIRE_INT(io, spec->api_version), WIRE_INT(io, spec->operand_count);
    WIRE_INT(io, spec->meets), WIRE_INT(io, spec->groups), WIRE_INT(io, spec->number);
    if (wire_array(io, &spec->value_count, sizeof *spec->values, WIRE_CALL_VALUE, &spec->values))
        for (int i = 0; i < spec->value_count; i++) {
            struct call_value *value = &spec->values[i];
            WIRE_INT(io, value->slice);
            program_io_shape(io, &value->shape, &value->shape_memory);
        }
    attributes(io, &spec->attribute_count, &spec->attributes);
}

void program_io_collective(struct wire *io, struct collective_spec *spec)
{
    WIRE_INT(io, spec->kind), WIRE_INT(io, spec->reducer), WIRE_INT(io, spec->groups);
    WIRE_INT(io, spec->number), WIRE_INT(io, spec->parts), WIRE_INT(io, spec->concatenates_outside);
    WIRE_INT(io, spec->dimension), wire_number(io, &spec->channel);
    if (!wire_array(io, &spec->array_count, sizeof *spec->arrays, WIRE_COLLECTIVE_ARRAY,
                    &spec->arrays))
        return;
    for (int i = 0; i < spec->array_count; i++) {
        struct collective_array *at = &spec->arrays[i];
        WIRE_INT(io, at->dtype);
        wire_numbers(io, &at->outer, 3);
        if (wire_array(io, &at->rank, sizeof *at->dims, WIRE_NUMBER, &at->dims))
            wire_numbers(io, at->dims, (size_t)at->rank);
    }
}

static void step_body(struct wire *io, struct step *step)
{
    switch (step->kind) {
    case STEP_KERNEL:
        WIRE_INT(io, step->kernel.index), wire_numbers(io, &step->kernel.work, 2);
        break;
    case STEP_DOT: dot(io, &step->dot); break;
    case STEP_CONVOLUTION: convolution(io, &step->convolution); break;
    case STEP_THIN_DOT: thin_dot(io, &step->thin_dot); break;
    case STEP_ATTENTION: attention(io, &step->attention); break;
    case STEP_ATTENTION_BACKWARD: attention_backward(io, &step->attention_backward); break;
    case STEP_COPY: break;
    case STEP_COPY_START: copy(io, &step->copy); break;
    case STEP_COPY_DONE: WIRE_INT(io, step->copy.number); break;
    case STEP_SEND:
    case STEP_RECEIVE: wire_number(io, &step->channel); break;
    case STEP_WHILE:
        wire_number(io, &step->loop.trip_count);
        program_io_steps(io, &step->loop.condition), program_io_steps(io, &step->loop.body);
        break;
    case STEP_CASE:
        if (!wire_array(io, &step->branch.count, sizeof *step->branch.branches, WIRE_LIST,
                        &step->branch.branches))
            break;
        for (int i = 0; i < step->branch.count; i++)
            program_io_steps(io, &step->branch.branches[i]);
        WIRE_INT(io, step->branch.is_predicate);
        break;
    case STEP_CUSTOM_CALL: program_io_call(io, &step->call); break;
    case STEP_COLLECTIVE: program_io_collective(io, &step->collective); break;
    default:
        wire_fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has a step of unknown kind"));
        break;
    }
}

static void slice_of(struct wire *io, struct slice *slice)
{
    WIRE_INT(io, slice->allocation);
    wire_size(io, &slice->offset), wire_size(io, &slice->size);
}

static void offset_of(struct wire *io, struct slice_offset *offset)
{
    WIRE_INT(io, offset->slice), WIRE_INT(io, offset->dtype);
    slice_of(io, &offset->index);
    wire_numbers(io, &offset->last, 2);
}

static void one_step(struct wire *io, struct step *step)
{
    WIRE_INT(io, step->kind);
    if (!io->digest)
        wire_text(io, &step->label);
    WIRE_INT(io, step->operand_count);
    if (wire_array(io, &step->slice_count, sizeof *step->slices, WIRE_SLICE, &step->slices))
        for (int i = 0; i < step->slice_count; i++)
            slice_of(io, &step->slices[i]);
    if (wire_array(io, &step->offset_count, sizeof *step->offsets, WIRE_OFFSET, &step->offsets))
        for (int i = 0; i < step->offset_count; i++)
            offset_of(io, &step->offsets[i]);
    wire_number(io, &step->cost);
    wire_real(io, &step->analysis.flops), wire_real(io, &step->analysis.transcendentals);
    wire_real(io, &step->analysis.bytes_accessed);
    WIRE_INT(io, step->plan);
    step_body(io, step);
}

void program_io_steps(struct wire *io, struct step_list *list)
{
    if (io->depth == PROGRAM_MAX_NESTING) {
        wire_fail(io,
                  ERROR(INVALID_ARGUMENT, "a serialized program nests more than %d loops or cases",
                        PROGRAM_MAX_NESTING));
        return;
    }
    io->depth++;
    if (wire_array(io, &list->count, sizeof *list->steps, WIRE_STEP, &list->steps))
        for (int i = 0; i < list->count; i++)
            one_step(io, &list->steps[i]);
    io->depth--;
}
