/* program_io.c: one set of functions walks the fields of a program in order, and a flag selects
 * reading or writing, so the two cannot diverge. Numbers are 8 bytes in native byte order. The
 * first error is stored until the end; after an error, reads return zeros, so walks end early.
 *
 *      header (program_io_header.h) | fields ... */
#include "compiler/program/program_io.h"

#include <string.h>

#include "base/alloc.h"
#include "base/flat_shape.h"
#include "base/map.h"
#include "base/text.h"
#include "compiler/program/program_check.h"
#include "compiler/program/program_io_header.h"

/* The minimum serialized size of each kind of item: a count is checked against the remaining bytes
 * before an array is allocated. */
enum {
    WIRE_NUMBER = 8,
    WIRE_VALUE = 8 * WIRE_NUMBER,
    WIRE_ALLOCATION = 4 * WIRE_NUMBER,
    WIRE_SLICE = 3 * WIRE_NUMBER,
    WIRE_STEP = 6 * WIRE_NUMBER,
    WIRE_LIST = WIRE_NUMBER,
    WIRE_BUFFER = 6 * WIRE_NUMBER,
    WIRE_CALL_VALUE = 5 * WIRE_NUMBER,
    WIRE_ATTRIBUTE = 5 * WIRE_NUMBER,
    WIRE_CHANNEL = 2 * WIRE_NUMBER,
    WIRE_TABLE = 9 * WIRE_NUMBER,
    WIRE_TEXT = WIRE_NUMBER,
    WIRE_GROUPS = 3 * WIRE_NUMBER,
    WIRE_COLLECTIVE_ARRAY = 5 * WIRE_NUMBER
};

/* A field added to one of these structs must also be added to the walks below. */
_Static_assert(sizeof(struct dot_spec) == 160 && sizeof(struct convolution_spec) == 384 &&
                   sizeof(struct copy_spec) == 216 && sizeof(struct program_value) == 80 &&
                   sizeof(struct slice) == 24 && sizeof(struct allocation) == 24 &&
                   sizeof(struct program_buffer) == 48 && sizeof(struct call_attribute) == 64 &&
                   sizeof(struct call_value) == 64 && sizeof(struct call_spec) == 64 &&
                   sizeof(struct program_channel) == 16 && sizeof(struct program_groups) == 32 &&
                   sizeof(struct collective_spec) == 40 && sizeof(struct collective_array) == 40,
               "a struct of program.h has changed: program_io.c writes it field by field");

struct io {
    bool writing;
    uint64_t *digest; /* if not NULL, bytes are hashed instead of written */
    int depth;        /* nesting depth of step lists and of dictionaries */
    struct text text;
    const char *at, *end;
    uint64_t size;      /* total size when reading */
    uint64_t unclaimed; /* remaining bytes that are not yet reserved for array elements */
    struct error *error;
};

/* ---- the wire -------------------------------------------------------------------------------- */
static void fail(struct io *io, struct error *error) /* NULL: nothing happens */
{
    if (!error)
        return;
    io->error = error_join(io->error, error);
    io->at = io->end;
}

static bool has(struct io *io, uint64_t size)
{
    if (io->writing || size <= (uint64_t)(io->end - io->at))
        return true;
    if (!io->error)
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program is truncated"));
    return false;
}

static void bytes(struct io *io, void *data, size_t size)
{
    if (io->digest) {
        map_digest(data, size, io->digest);
    } else if (io->writing) {
        text_add_bytes(&io->text, data, size);
    } else if (has(io, size)) {
        if (size)
            memcpy(data, io->at, size);
        io->at += size;
    } else {
        memset(data, 0, size);
    }
}

static void number(struct io *io, int64_t *value)
{
    bytes(io, value, sizeof *value);
}

static void numbers(struct io *io, int64_t *values, size_t count)
{
    bytes(io, values, count * sizeof *values);
}

static void real(struct io *io, double *value)
{
    bytes(io, value, sizeof *value);
}

static int64_t small(struct io *io, int64_t value)
{
    number(io, &value);
    if (value >= INT32_MIN && value <= INT32_MAX)
        return value;
    fail(io, ERROR(INVALID_ARGUMENT, "a serialized program's number %lld does not fit 32 bits",
                   (long long)value));
    return 0;
}

/* Any integer type narrower than 64 bits: int, enum, bool. Writing does not store to the field. */
#define SMALL(io, field)                                                                           \
    ((io)->writing ? (void)small((io), (int64_t)(field))                                           \
                   : (void)((field) = (__typeof__(field))small((io), 0)))

static void size_field(struct io *io, size_t *size)
{
    uint64_t value = *size;
    bytes(io, &value, sizeof value);
    if (!io->writing)
        *size = value;
}

/* A count of items of at least `wire` serialized bytes each. */
static void count_field(struct io *io, int *count, uint64_t wire)
{
    SMALL(io, *count);
    if (io->writing)
        return;
    uint64_t needed = *count < 0 ? UINT64_MAX : (uint64_t)*count * wire;
    if (needed > io->unclaimed || !has(io, needed)) {
        *count = 0;
        fail(io, ERROR(INVALID_ARGUMENT,
                       "a serialized program declares more items than its bytes can hold"));
        return;
    }
    io->unclaimed -= needed;
}

/* `size` bytes. When reading, they are owned by the owner of *memory and followed by a NUL. */
static void data(struct io *io, void *memory, uint64_t size)
{
    void *at = NULL;
    if (io->writing) {
        memcpy(&at, memory, sizeof at);
        bytes(io, at, size);
        return;
    }
    fail(io, has(io, size) ? alloc_copy(io->at, size, &at) : NULL);
    if (at)
        io->at += size;
    memcpy(memory, &at, sizeof at);
}

/* The same, but a size of 0 gives NULL. */
static void block(struct io *io, void *memory, uint64_t size)
{
    if (size)
        data(io, memory, size);
}

static void text_field(struct io *io, char **text)
{
    uint64_t size = io->writing && *text ? strlen(*text) + 1 : 0; /* 0: NULL */
    size_field(io, &size);
    block(io, text, size);
    if (!io->writing && *text && strlen(*text) + 1 != size)
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has an unterminated name"));
}

/* When reading, allocates a zeroed array of `count` items of `size` bytes, which take at least
 * `wire` serialized bytes each. */
static bool array(struct io *io, int *count, size_t size, uint64_t wire, void *out)
{
    count_field(io, count, wire);
    if (io->writing)
        return true;
    struct error *error = alloc_array((size_t)*count + 1, size, out);
    if (error) {
        fail(io, error);
        *count = 0;
    }
    return !error;
}

/* ---- steps ----------------------------------------------------------------------------------- */
static void dot(struct io *io, struct dot_spec *dot)
{
    SMALL(io, dot->lhs), SMALL(io, dot->rhs), SMALL(io, dot->out);
    numbers(io, &dot->batch, 4);
    numbers(io, &dot->lhs_batch_stride, 9);
    SMALL(io, dot->rhs_constant);
    numbers(io, &dot->outer, 4);
}

static void convolution(struct io *io, struct convolution_spec *spec)
{
    enum { N = CONVOLUTION_MAX_SPATIAL };
    SMALL(io, spec->lhs), SMALL(io, spec->rhs), SMALL(io, spec->out), SMALL(io, spec->spatial);
    numbers(io, &spec->batch, 5);
    numbers(io, spec->in, N), numbers(io, spec->kernel, N), numbers(io, spec->out_size, N);
    numbers(io, spec->stride, N), numbers(io, spec->pad_low, N), numbers(io, spec->pad_high, N);
    numbers(io, spec->lhs_dilation, N), numbers(io, spec->rhs_dilation, N);
    for (int i = 0; i < N; i++)
        SMALL(io, spec->reverse[i]);
    numbers(io, &spec->lhs_batch_stride, 2), numbers(io, spec->lhs_stride, N);
    numbers(io, &spec->rhs_in_stride, 2), numbers(io, spec->rhs_stride, N);
    numbers(io, &spec->out_batch_stride, 2), numbers(io, spec->out_stride, N);
    SMALL(io, spec->rhs_constant);
}

static void attention(struct io *io, struct attention_spec *spec)
{
    dot(io, &spec->scores), dot(io, &spec->values), numbers(io, &spec->kernel, 5);
}

static void attention_backward(struct io *io, struct attention_backward_spec *spec)
{
    dot(io, &spec->scores), dot(io, &spec->change), dot(io, &spec->to_values);
    dot(io, &spec->to_queries), dot(io, &spec->to_keys), numbers(io, &spec->weights_kernel, 9);
}

static void copy(struct io *io, struct copy_spec *spec)
{
    SMALL(io, spec->number), SMALL(io, spec->rank), SMALL(io, spec->updates);
    SMALL(io, spec->is_indexed), SMALL(io, spec->index);
    number(io, &spec->element);
    numbers(io, spec->sizes, COPY_MAX_RANK), numbers(io, spec->dims, COPY_MAX_RANK);
    numbers(io, spec->starts, COPY_MAX_RANK);
}

/* When reading, the arrays are in one block, owned by the owner of *memory. */
static void shape(struct io *io, struct shape *shape, void **memory)
{
    int64_t flat[FLAT_SHAPE_MAX];
    int count = io->writing ? flat_shape_write(shape, flat) : 0;
    count_field(io, &count, WIRE_NUMBER);
    if (count > FLAT_SHAPE_MAX) {
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has a shape of %d numbers", count));
        count = 0;
    }
    numbers(io, flat, (size_t)count);
    if (!io->writing && !io->error)
        fail(io, flat_shape_read(flat, count, shape, memory));
}

static void attributes(struct io *io, int *count, struct call_attribute **list);

static void attribute(struct io *io, struct call_attribute *at)
{
    size_field(io, &at->name_size);
    data(io, &at->name, at->name_size);
    SMALL(io, at->kind), SMALL(io, at->dtype);
    size_field(io, &at->elements), size_field(io, &at->size);
    if (at->kind == CALL_DICTIONARY)
        attributes(io, &at->count, &at->entries);
    else
        data(io, &at->data, at->size);
}

static void attributes(struct io *io, int *count, struct call_attribute **list)
{
    if (io->depth == PROGRAM_MAX_NESTING) {
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program nests more than %d attributes",
                       PROGRAM_MAX_NESTING));
        return;
    }
    io->depth++;
    if (array(io, count, sizeof **list, WIRE_ATTRIBUTE, list))
        for (int i = 0; i < *count; i++)
            attribute(io, &(*list)[i]);
    io->depth--;
}

static void call(struct io *io, struct call_spec *spec)
{
    text_field(io, &spec->target);
    size_field(io, &spec->config_size);
    data(io, &spec->config, spec->config_size);
    SMALL(io, spec->api_version), SMALL(io, spec->operand_count);
    if (array(io, &spec->value_count, sizeof *spec->values, WIRE_CALL_VALUE, &spec->values))
        for (int i = 0; i < spec->value_count; i++) {
            struct call_value *value = &spec->values[i];
            SMALL(io, value->slice);
            shape(io, &value->shape, &value->shape_memory);
        }
    attributes(io, &spec->attribute_count, &spec->attributes);
}

static void collective(struct io *io, struct collective_spec *spec)
{
    SMALL(io, spec->kind), SMALL(io, spec->reducer), SMALL(io, spec->groups);
    SMALL(io, spec->number), SMALL(io, spec->parts), SMALL(io, spec->concatenates_outside);
    SMALL(io, spec->dimension);
    if (!array(io, &spec->array_count, sizeof *spec->arrays, WIRE_COLLECTIVE_ARRAY, &spec->arrays))
        return;
    for (int i = 0; i < spec->array_count; i++) {
        struct collective_array *at = &spec->arrays[i];
        SMALL(io, at->dtype);
        numbers(io, &at->outer, 3);
        if (array(io, &at->rank, sizeof *at->dims, WIRE_NUMBER, &at->dims))
            numbers(io, at->dims, (size_t)at->rank);
    }
}

static void step_list(struct io *io, struct step_list *list);

static void step_body(struct io *io, struct step *step)
{
    switch (step->kind) {
    case STEP_KERNEL: SMALL(io, step->kernel.index), numbers(io, &step->kernel.work, 2); break;
    case STEP_DOT: dot(io, &step->dot); break;
    case STEP_CONVOLUTION: convolution(io, &step->convolution); break;
    case STEP_ATTENTION: attention(io, &step->attention); break;
    case STEP_ATTENTION_BACKWARD: attention_backward(io, &step->attention_backward); break;
    case STEP_COPY: break;
    case STEP_COPY_START: copy(io, &step->copy); break;
    case STEP_COPY_DONE: SMALL(io, step->copy.number); break;
    case STEP_SEND:
    case STEP_RECEIVE: number(io, &step->channel); break;
    case STEP_WHILE:
        number(io, &step->loop.trip_count);
        step_list(io, &step->loop.condition), step_list(io, &step->loop.body);
        break;
    case STEP_CASE:
        if (!array(io, &step->branch.count, sizeof *step->branch.branches, WIRE_LIST,
                   &step->branch.branches))
            break;
        for (int i = 0; i < step->branch.count; i++)
            step_list(io, &step->branch.branches[i]);
        SMALL(io, step->branch.is_predicate);
        break;
    case STEP_CUSTOM_CALL: call(io, &step->call); break;
    case STEP_COLLECTIVE: collective(io, &step->collective); break;
    default:
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has a step of unknown kind"));
        break;
    }
}

static void one_step(struct io *io, struct step *step)
{
    SMALL(io, step->kind);
    if (!io->digest)
        text_field(io, &step->label);
    SMALL(io, step->operand_count);
    if (array(io, &step->slice_count, sizeof *step->slices, WIRE_SLICE, &step->slices))
        for (int i = 0; i < step->slice_count; i++) {
            SMALL(io, step->slices[i].allocation);
            size_field(io, &step->slices[i].offset), size_field(io, &step->slices[i].size);
        }
    number(io, &step->cost);
    SMALL(io, step->plan);
    step_body(io, step);
}

static void step_list(struct io *io, struct step_list *list)
{
    if (io->depth == PROGRAM_MAX_NESTING) {
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program nests more than %d loops or cases",
                       PROGRAM_MAX_NESTING));
        return;
    }
    io->depth++;
    if (array(io, &list->count, sizeof *list->steps, WIRE_STEP, &list->steps))
        for (int i = 0; i < list->count; i++)
            one_step(io, &list->steps[i]);
    io->depth--;
}

/* ---- the program ----------------------------------------------------------------------------- */
static void values(struct io *io, int *count, struct program_value **list)
{
    if (!array(io, count, sizeof **list, WIRE_VALUE, list))
        return;
    for (int i = 0; i < *count; i++) {
        struct program_value *value = &(*list)[i];
        SMALL(io, value->alias), SMALL(io, value->donated);
        size_field(io, &value->bytes);
        text_field(io, &value->sharding);
        shape(io, &value->shape, &value->shape_memory);
    }
}

static void constants(struct io *io, struct program *program)
{
    size_field(io, &program->constants_size);
    if (!io->writing && program->constants_size && has(io, program->constants_size))
        fail(io, alloc_aligned(program->constants_size, &program->constants));
    if (program->constants)
        bytes(io, program->constants, program->constants_size);
}

static void tables(struct io *io, struct program *program)
{
    size_field(io, &program->tables_size);
    if (!array(io, &program->table_count, sizeof *program->tables, WIRE_TABLE, &program->tables))
        return;
    for (int i = 0; i < program->table_count; i++) {
        struct fft_table *table = &program->tables[i].table;
        size_field(io, &program->tables[i].offset);
        SMALL(io, table->kind), SMALL(io, table->dtype), SMALL(io, table->inverse);
        number(io, &table->n), number(io, &table->count), number(io, &table->columns);
        real(io, &table->factor_re), real(io, &table->factor_im);
    }
}

static void small_array(struct io *io, int count, int **list)
{
    for (int i = 0; i < count && *list; i++)
        SMALL(io, (*list)[i]);
}

static void groups(struct io *io, struct program *program)
{
    SMALL(io, program->collective_count);
    if (!array(io, &program->group_count, sizeof *program->groups, WIRE_GROUPS, &program->groups))
        return;
    for (int i = 0; i < program->group_count; i++) {
        struct program_groups *table = &program->groups[i];
        int ends = table->group_count + 1, sources = table->member_count;
        if (array(io, &ends, sizeof(int), WIRE_NUMBER, &table->offsets))
            small_array(io, ends, &table->offsets);
        if (array(io, &table->member_count, sizeof(int), WIRE_NUMBER, &table->members))
            small_array(io, table->member_count, &table->members);
        if (array(io, &sources, sizeof(int), WIRE_NUMBER, &table->sources))
            small_array(io, sources, &table->sources);
        table->group_count = ends - 1;
        if (sources != table->member_count)
            fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has damaged groups"));
    }
}

static void buffers(struct io *io, struct program *program)
{
    if (!array(io, &program->buffer_count, sizeof *program->buffers, WIRE_BUFFER,
               &program->buffers))
        return;
    for (int i = 0; i < program->buffer_count; i++) {
        struct program_buffer *buffer = &program->buffers[i];
        SMALL(io, buffer->slice.allocation);
        size_field(io, &buffer->slice.offset), size_field(io, &buffer->slice.size);
        number(io, &buffer->first), number(io, &buffer->last);
        text_field(io, &buffer->contents);
    }
}

static void kernels(struct io *io, struct program *program)
{
    if (array(io, &program->kernel_count, sizeof *program->kernel_names, WIRE_TEXT,
              &program->kernel_names))
        for (int i = 0; i < program->kernel_count; i++)
            text_field(io, &program->kernel_names[i]);
    if (!io->writing)
        fail(io, alloc_array((size_t)program->kernel_count + 1, sizeof *program->kernels,
                             &program->kernels));
    size_field(io, &program->object_size);
    block(io, &program->object, program->object_size);
}

static void plans(struct io *io, struct program *program)
{
    SMALL(io, program->plan_count), SMALL(io, program->copy_count);
    if (io->writing)
        return;
    if (program->plan_count < 0 || (uint64_t)program->plan_count > io->size / WIRE_STEP) {
        program->plan_count = 0;
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has more plans than steps"));
    }
    struct error *error =
        alloc_array((size_t)program->plan_count + 1, sizeof *program->plans, &program->plans);
    if (error) {
        program->plan_count = 0;
        fail(io, error);
    }
}

static void modeled(struct io *io, struct model_plan **plan)
{
    uint64_t size = io->writing && *plan ? (*plan)->size : 0;
    size_field(io, &size);
    block(io, plan, size);
    fail(io, !io->writing && *plan ? model_plan_check(*plan, size) : NULL);
}

static void whole(struct io *io, struct program *program)
{
    text_field(io, &program->name);
    SMALL(io, program->num_replicas), SMALL(io, program->num_partitions);
    count_field(io, &program->assignment_count, WIRE_NUMBER);
    block(io, &program->device_assignment, (uint64_t)program->assignment_count * sizeof(int64_t));
    values(io, &program->parameter_count, &program->parameters);
    values(io, &program->result_count, &program->results);
    if (array(io, &program->allocation_count, sizeof *program->allocations, WIRE_ALLOCATION,
              &program->allocations))
        for (int i = 0; i < program->allocation_count; i++) {
            SMALL(io, program->allocations[i].kind), SMALL(io, program->allocations[i].index);
            size_field(io, &program->allocations[i].size);
            SMALL(io, program->allocations[i].memory);
        }
    constants(io, program);
    tables(io, program);
    step_list(io, &program->steps);
    groups(io, program);
    buffers(io, program);
    if (array(io, &program->channel_count, sizeof *program->channels, WIRE_CHANNEL,
              &program->channels))
        for (int i = 0; i < program->channel_count; i++) {
            number(io, &program->channels[i].id);
            SMALL(io, program->channels[i].receives);
        }
    kernels(io, program);
    number(io, &program->cost), number(io, &program->expected_cost);
    real(io, &program->analysis.flops), real(io, &program->analysis.transcendentals);
    real(io, &program->analysis.bytes_accessed), real(io, &program->seconds);
    plans(io, program);
    modeled(io, &program->model);
    if (!io->digest)
        bytes(io, program->fingerprint, sizeof program->fingerprint);
}

/* ---- entry points ---------------------------------------------------------------------------- */
void program_io_fingerprint(const struct program *program, uint64_t out[2])
{
    struct io io = {.writing = true, .digest = out};
    out[0] = out[1] = 0;
    whole(&io, (struct program *)(uintptr_t)program); /* not modified, because io.writing is set */
    error_free(io.error);
}

struct error *program_io_collectives(const struct program *program, uint64_t out[2])
{
    struct io io = {.writing = true, .digest = out};
    int64_t count = program_step_count(program);
    const struct step **steps;
    out[0] = out[1] = 0;
    TRY(alloc_array((size_t)count, sizeof *steps, &steps));
    program_list_steps(program, steps);
    groups(&io, (struct program *)(uintptr_t)program); /* not modified, because io.writing is set */
    for (int64_t i = 0; i < count; i++)
        if (steps[i]->kind == STEP_COLLECTIVE)
            collective(&io, &((struct step *)(uintptr_t)steps[i])->collective);
    alloc_free(steps);
    return io.error;
}

struct error *program_io_write(const struct program *program, const char *device, char **out,
                               size_t *size)
{
    struct io io = {.writing = true};
    char header[PROGRAM_IO_HEADER] = {0};
    text_add_bytes(&io.text, header, sizeof header);
    whole(&io, (struct program *)(uintptr_t)program); /* not modified, because io.writing is set */
    struct error *error = error_join(io.error, text_finish(&io.text, out, size));
    if (error) {
        alloc_free(*out);
        *out = NULL;
        return error;
    }
    program_io_header_write(device, *out, *size);
    return NULL;
}

/* Any error in untrusted bytes is an invalid argument, whichever check finds it. */
static struct error *as_invalid(struct error *error)
{
    if (!error || error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED)
        return error;
    struct error *invalid = ERROR(INVALID_ARGUMENT, "the serialized program is invalid: %s",
                                  error_message(error, NULL));
    error_free(error);
    return invalid;
}

struct error *program_io_read(const void *from, size_t size, const char *device,
                              struct program **out)
{
    struct program *program;
    *out = NULL;
    TRY(program_io_header_check(from, size, device));
    struct io io = {.at = (const char *)from + PROGRAM_IO_HEADER,
                    .end = (const char *)from + size,
                    .size = size,
                    .unclaimed = size};
    TRY(alloc_zeroed(sizeof *program, &program));
    refs_init(&program->refs);
    whole(&io, program);
    if (!io.error && io.at != io.end)
        fail(&io, ERROR(INVALID_ARGUMENT, "bytes follow the serialized program"));
    struct error *error = io.error ? io.error : as_invalid(program_check(program));
    if (error)
        program_release(program);
    else
        *out = program;
    return error;
}
