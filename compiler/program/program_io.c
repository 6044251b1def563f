/* program_io.c: one set of functions walks a program's fields in order; whether it writes or reads
 * is a flag, so the two cannot differ. Numbers are 8 bytes in the machine's order. An error is kept
 * until the end; after one, reads give zeros, so that walks end early.
 *
 *      magic | build | device | features | checksum of what follows | fields ... */
#include "compiler/program/program_io.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/map.h"
#include "base/text.h"
#include "compiler/codegen_library.h"
#include "compiler/program/program_check.h"
#include "version.h"

static const char magic[16] = "gantry program 1";

enum { IDENTITY = sizeof magic + 48, HEADER = IDENTITY + 16, MAX_DEPTH = 64 };

/* A field added to one of these must be walked below, too. */
_Static_assert(sizeof(struct dot_spec) == 160 && sizeof(struct convolution_spec) == 384 &&
                   sizeof(struct program_value) == 80 && sizeof(struct slice) == 24 &&
                   sizeof(struct allocation) == 16 && sizeof(struct call_attribute) == 64 &&
                   sizeof(struct call_value) == 64 && sizeof(struct call_spec) == 64 &&
                   sizeof(struct program_channel) == 16,
               "a struct of program.h has changed: program_io.c writes it field by field");

struct io {
    bool writing;
    int depth; /* of step lists in step lists */
    struct text text;
    const char *at, *end;
    struct error *error;
};

/* ---- the wire -------------------------------------------------------------------------------- */
static void fail(struct io *io, struct error *error)
{
    io->error = error_join(io->error, error);
    io->at = io->end;
}

static bool has(struct io *io, uint64_t size)
{
    if (io->writing || size <= (uint64_t)(io->end - io->at))
        return true;
    if (!io->error)
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program ends in the middle"));
    return false;
}

static void bytes(struct io *io, void *data, size_t size)
{
    if (io->writing) {
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
    return value;
}

/* Any whole type narrower than 64 bits: int, enum, bool. A field is not stored to when it is
 * written out. */
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

/* A number of things that take at least a byte each: never more than there are bytes left. */
static void count_field(struct io *io, int *count)
{
    SMALL(io, *count);
    if (!io->writing && (*count < 0 || !has(io, (uint64_t)*count)))
        *count = 0;
}

/* Memory of `size` bytes, with its contents; read, it is owned by who holds *memory. */
static void block(struct io *io, void *memory, uint64_t size)
{
    void *at = NULL;
    if (io->writing) {
        memcpy(&at, memory, sizeof at);
    } else if (has(io, size)) {
        struct error *error = size ? alloc_bytes(size, &at) : NULL;
        if (error)
            fail(io, error);
        memcpy(memory, &at, sizeof at);
    }
    if (at && size)
        bytes(io, at, size);
}

static void text_field(struct io *io, char **text)
{
    uint64_t size = io->writing && *text ? strlen(*text) + 1 : 0; /* 0: NULL */
    size_field(io, &size);
    block(io, text, size);
    if (!io->writing && *text)
        (*text)[size - 1] = '\0';
}

/* Zeroed places for `count` things when reading. */
static bool places(struct io *io, int *count, size_t size, void *out)
{
    count_field(io, count);
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

/* Dimensions, then the layout when there is one; read, both are in one block, owned by who holds
 * *memory. Programs have no tiles. */
static void shape(struct io *io, struct shape *shape, void **memory)
{
    bool laid_out = shape->minor_to_major;
    SMALL(io, shape->dtype), SMALL(io, shape->memory), SMALL(io, laid_out);
    count_field(io, &shape->rank);
    size_t rank = (size_t)shape->rank;
    if (io->writing) {
        bytes(io, (void *)shape->dims, rank * sizeof *shape->dims);
        bytes(io, (void *)shape->minor_to_major, laid_out ? rank * sizeof *shape->dims : 0);
        return;
    }
    block(io, memory, (laid_out + 1) * rank * sizeof *shape->dims);
    shape->dims = *memory;
    shape->minor_to_major = laid_out && *memory ? shape->dims + rank : NULL;
    if (!*memory)
        shape->rank = 0;
}

static void attributes(struct io *io, int *count, struct call_attribute **list);

static void attribute(struct io *io, struct call_attribute *at)
{
    size_field(io, &at->name_size);
    block(io, &at->name, at->name_size ? at->name_size + 1 : 0);
    SMALL(io, at->kind), SMALL(io, at->dtype);
    size_field(io, &at->elements), size_field(io, &at->size);
    if (at->kind == CALL_DICTIONARY)
        attributes(io, &at->count, &at->entries);
    else
        block(io, &at->data, at->size);
    bool whole_elements = (at->kind != CALL_SCALAR && at->kind != CALL_ARRAY) ||
                          at->size == at->elements * (size_t)dtype_bytes(at->dtype);
    if (!io->writing && (at->kind < CALL_SCALAR || at->kind > CALL_DICTIONARY || !whole_elements))
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has an ill-formed attribute"));
}

static void attributes(struct io *io, int *count, struct call_attribute **list)
{
    if (io->depth == MAX_DEPTH) {
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program nests more than %d attributes",
                       MAX_DEPTH));
        return;
    }
    io->depth++;
    if (places(io, count, sizeof **list, list))
        for (int i = 0; i < *count; i++)
            attribute(io, &(*list)[i]);
    io->depth--;
}

static void call(struct io *io, struct call_spec *spec)
{
    text_field(io, &spec->target);
    size_field(io, &spec->config_size);
    block(io, &spec->config, spec->config_size);
    SMALL(io, spec->api_version), SMALL(io, spec->operand_count);
    if (places(io, &spec->value_count, sizeof *spec->values, &spec->values))
        for (int i = 0; i < spec->value_count; i++) {
            struct call_value *value = &spec->values[i];
            SMALL(io, value->slice);
            shape(io, &value->shape, &value->shape_memory);
        }
    attributes(io, &spec->attribute_count, &spec->attributes);
}

static void step_list(struct io *io, struct step_list *list);

static void step_body(struct io *io, struct step *step)
{
    switch (step->kind) {
    case STEP_KERNEL:
        SMALL(io, step->kernel.index);
        number(io, &step->kernel.work), number(io, &step->kernel.grain);
        break;
    case STEP_DOT: dot(io, &step->dot); break;
    case STEP_CONVOLUTION: convolution(io, &step->convolution); break;
    case STEP_COPY: break;
    case STEP_SEND:
    case STEP_RECEIVE: number(io, &step->channel); break;
    case STEP_WHILE:
        step_list(io, &step->loop.condition);
        step_list(io, &step->loop.body);
        break;
    case STEP_CASE:
        if (!places(io, &step->branch.count, sizeof *step->branch.branches, &step->branch.branches))
            break;
        for (int i = 0; i < step->branch.count; i++)
            step_list(io, &step->branch.branches[i]);
        SMALL(io, step->branch.is_predicate);
        break;
    case STEP_CUSTOM_CALL: call(io, &step->call); break;
    default:
        fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has a step of unknown kind"));
        break;
    }
}

static void one_step(struct io *io, struct step *step)
{
    SMALL(io, step->kind);
    text_field(io, &step->label);
    SMALL(io, step->operand_count);
    if (places(io, &step->slice_count, sizeof *step->slices, &step->slices))
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
    if (io->depth == MAX_DEPTH) {
        fail(io, ERROR(INVALID_ARGUMENT,
                       "a serialized program nests more than %d loops and branches", MAX_DEPTH));
        return;
    }
    io->depth++;
    if (places(io, &list->count, sizeof *list->steps, &list->steps))
        for (int i = 0; i < list->count; i++)
            one_step(io, &list->steps[i]);
    io->depth--;
}

/* ---- the program ----------------------------------------------------------------------------- */
static void values(struct io *io, int *count, struct program_value **list)
{
    if (!places(io, count, sizeof **list, list))
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
    if (!io->writing && program->constants_size) {
        struct error *error = NULL;
        if (has(io, program->constants_size))
            error = alloc_aligned(program->constants_size, &program->constants);
        if (error)
            fail(io, error);
    }
    if (program->constants)
        bytes(io, program->constants, program->constants_size);
}

static void kernels(struct io *io, struct program *program)
{
    if (places(io, &program->kernel_count, sizeof *program->kernel_names, &program->kernel_names))
        for (int i = 0; i < program->kernel_count; i++)
            text_field(io, &program->kernel_names[i]);
    if (!io->writing) {
        struct error *error = alloc_array((size_t)program->kernel_count + 1,
                                          sizeof *program->kernels, &program->kernels);
        if (error)
            fail(io, error);
    }
    size_field(io, &program->object_size);
    block(io, &program->object, program->object_size);
}

static void plans(struct io *io, struct program *program)
{
    SMALL(io, program->plan_count);
    if (io->writing)
        return;
    if (program->plan_count < 0 || program->plan_count > 1 << 24)
        program->plan_count = 0;
    struct error *error =
        alloc_array((size_t)program->plan_count + 1, sizeof *program->plans, &program->plans);
    if (error) {
        program->plan_count = 0;
        fail(io, error);
    }
}

static void whole(struct io *io, struct program *program)
{
    uint64_t assigned = program->device_assignment ? 1 : 0;
    text_field(io, &program->name);
    SMALL(io, program->num_replicas), SMALL(io, program->num_partitions);
    size_field(io, &assigned);
    if (assigned)
        block(io, &program->device_assignment,
              (uint64_t)program->num_replicas * (uint64_t)program->num_partitions *
                  sizeof(int64_t));
    values(io, &program->parameter_count, &program->parameters);
    values(io, &program->result_count, &program->results);
    if (places(io, &program->allocation_count, sizeof *program->allocations, &program->allocations))
        for (int i = 0; i < program->allocation_count; i++) {
            SMALL(io, program->allocations[i].kind), SMALL(io, program->allocations[i].index);
            size_field(io, &program->allocations[i].size);
        }
    constants(io, program);
    size_field(io, &program->temp_size);
    step_list(io, &program->steps);
    if (places(io, &program->channel_count, sizeof *program->channels, &program->channels))
        for (int i = 0; i < program->channel_count; i++) {
            number(io, &program->channels[i].id);
            SMALL(io, program->channels[i].receives);
        }
    kernels(io, program);
    number(io, &program->cost);
    real(io, &program->analysis.flops), real(io, &program->analysis.transcendentals);
    real(io, &program->analysis.bytes_accessed);
    size_field(io, &program->fingerprint);
    size_field(io, &program->optimized_size);
    block(io, &program->optimized, program->optimized_size);
    plans(io, program);
}

/* ---- who made it, for what ------------------------------------------------------------------- */
static void identity(const struct target *target, char out[IDENTITY])
{
    uint64_t digest = cpu_feature_digest();
    memset(out, 0, IDENTITY);
    memcpy(out, magic, sizeof magic);
    strncpy(out + sizeof magic, GANTRY_BUILD_ID, 15);
    strncpy(out + sizeof magic + 16, target->name, 15);
    memcpy(out + sizeof magic + 32, &digest, sizeof digest);
}

struct error *program_io_write(const struct program *program, const struct target *target,
                               char **out, size_t *size)
{
    struct io io = {.writing = true};
    char header[HEADER] = {0};
    identity(target, header);
    text_add_bytes(&io.text, header, HEADER);
    whole(&io, (struct program *)(uintptr_t)program); /* only read: io.writing */
    error_free(io.error);
    TRY(text_finish(&io.text, out, size));
    uint64_t check[2] = {map_hash(*out + HEADER, *size - HEADER, 0), *size};
    memcpy(*out + IDENTITY, check, sizeof check);
    return NULL;
}

static struct error *check_header(const char *at, size_t size, const struct target *target)
{
    char wanted[IDENTITY];
    uint64_t check[2];
    if (size < HEADER || memcmp(at, magic, sizeof magic))
        return ERROR(INVALID_ARGUMENT, "the bytes are no serialized program of Gantry");
    identity(target, wanted);
    if (memcmp(at, wanted, IDENTITY))
        return ERROR(INVALID_ARGUMENT,
                     "the program was serialized by build %.15s for device %.15s; this is build %s "
                     "for %s, or "
                     "the processor's features differ",
                     at + sizeof magic, at + sizeof magic + 16, GANTRY_BUILD_ID, target->name);
    memcpy(check, at + IDENTITY, sizeof check);
    if (check[1] != size || check[0] != map_hash(at + HEADER, size - HEADER, 0))
        return ERROR(INVALID_ARGUMENT,
                     "the serialized program is damaged: its checksum does not fit");
    return NULL;
}

static struct error *load(struct program *program)
{
    const struct codegen_library *library;
    if (!program->object)
        return NULL;
    TRY(codegen_library(&library));
    return library->load(program->object, program->object_size, program->kernel_count,
                         program->kernel_names, program->kernels, &program->code_size,
                         &program->code);
}

struct error *program_io_read(const void *data, size_t size, const struct target *target,
                              struct program **out)
{
    struct program *program;
    *out = NULL;
    TRY(check_header(data, size, target));
    struct io io = {.at = (const char *)data + HEADER, .end = (const char *)data + size};
    TRY(alloc_zeroed(sizeof *program, &program));
    refs_init(&program->refs);
    whole(&io, program);
    struct error *error = io.error ? io.error : program_check(program);
    if (!error)
        error = load(program);
    if (error)
        program_release(program);
    else
        *out = program;
    return error;
}
