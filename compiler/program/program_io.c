/* program_io.c: one set of functions walks the fields of a program in order (program_wire.h): the
 * steps' are in program_io_step.c, the others here.
 *
 *      header (program_io_header.h) | fields ... */
#include "compiler/program/program_io.h"

#include "base/alloc.h"
#include "base/text.h"
#include "compiler/program/program_check.h"
#include "compiler/program/program_io_header.h"
#include "compiler/program/program_io_step.h"

/* The minimum serialized size of each kind of item: a count is checked against the remaining bytes
 * before an array is allocated. */
enum {
    WIRE_VALUE = 8 * WIRE_NUMBER,
    WIRE_ALLOCATION = 4 * WIRE_NUMBER,
    WIRE_BUFFER = 6 * WIRE_NUMBER,
    WIRE_CHANNEL = 2 * WIRE_NUMBER,
    WIRE_DYNAMIC_SIZE = 4 * WIRE_NUMBER,
    WIRE_TEXT = WIRE_NUMBER,
    WIRE_GROUPS = 3 * WIRE_NUMBER
};

/* ---- the program ----------------------------------------------------------------------------- */
static void values(struct wire *io, int *count, struct program_value **list)
{
    if (!wire_array(io, count, sizeof **list, WIRE_VALUE, list))
        return;
    for (int i = 0; i < *count; i++) {
        struct program_value *value = &(*list)[i];
        WIRE_INT(io, value->alias), WIRE_INT(io, value->donated);
        wire_size(io, &value->bytes);
        wire_text(io, &value->sharding);
        program_io_shape(io, &value->shape, &value->shape_memory);
    }
}

static void sizes(struct wire *io, struct program *program)
{
    if (!wire_array(io, &program->size_count, sizeof *program->sizes, WIRE_DYNAMIC_SIZE,
                    &program->sizes))
        return;
    for (int i = 0; i < program->size_count; i++) {
        struct program_size *size = &program->sizes[i];
        WIRE_INT(io, size->of_result), WIRE_INT(io, size->index);
        WIRE_INT(io, size->value), WIRE_INT(io, size->dimension);
    }
}

static void constants(struct wire *io, struct program *program)
{
    wire_size(io, &program->constants_size);
    if (!io->writing && program->constants_size && wire_has(io, program->constants_size))
        wire_fail(io, alloc_aligned(program->constants_size, &program->constants));
    if (program->constants)
        wire_bytes(io, program->constants, program->constants_size);
}

static void small_array(struct wire *io, int count, int **list)
{
    for (int i = 0; i < count && *list; i++)
        WIRE_INT(io, (*list)[i]);
}

static void groups(struct wire *io, struct program *program)
{
    WIRE_INT(io, program->collective_count);
    if (!wire_array(io, &program->group_count, sizeof *program->groups, WIRE_GROUPS,
                    &program->groups))
        return;
    for (int i = 0; i < program->group_count; i++) {
        struct program_groups *table = &program->groups[i];
        int ends = table->group_count + 1, sources = table->member_count;
        if (wire_array(io, &ends, sizeof(int), WIRE_NUMBER, &table->offsets))
            small_array(io, ends, &table->offsets);
        if (wire_array(io, &table->member_count, sizeof(int), WIRE_NUMBER, &table->members))
            small_array(io, table->member_count, &table->members);
        if (wire_array(io, &sources, sizeof(int), WIRE_NUMBER, &table->sources))
            small_array(io, sources, &table->sources);
        table->group_count = ends - 1;
        if (sources != table->member_count)
            wire_fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has damaged groups"));
    }
}

static void buffers(struct wire *io, struct program *program)
{
    if (!wire_array(io, &program->buffer_count, sizeof *program->buffers, WIRE_BUFFER,
                    &program->buffers))
        return;
    for (int i = 0; i < program->buffer_count; i++) {
        struct program_buffer *buffer = &program->buffers[i];
        WIRE_INT(io, buffer->slice.allocation);
        wire_size(io, &buffer->slice.offset), wire_size(io, &buffer->slice.size);
        wire_number(io, &buffer->first), wire_number(io, &buffer->last);
        wire_text(io, &buffer->contents);
    }
}

static void kernels(struct wire *io, struct program *program)
{
    if (wire_array(io, &program->kernel_count, sizeof *program->kernel_names, WIRE_TEXT,
                   &program->kernel_names))
        for (int i = 0; i < program->kernel_count; i++)
            wire_text(io, &program->kernel_names[i]);
    if (!io->writing)
        wire_fail(io, alloc_array((size_t)program->kernel_count + 1, sizeof *program->kernels,
                                  &program->kernels));
    wire_size(io, &program->object_size);
    wire_block(io, &program->object, program->object_size);
}

static void plans(struct wire *io, struct program *program)
{
    WIRE_INT(io, program->plan_count), WIRE_INT(io, program->copy_count);
    if (io->writing)
        return;
    if (program->plan_count < 0 || (uint64_t)program->plan_count > io->size / WIRE_STEP) {
        program->plan_count = 0;
        wire_fail(io, ERROR(INVALID_ARGUMENT, "a serialized program has more plans than steps"));
    }
    struct error *error =
        alloc_array((size_t)program->plan_count + 1, sizeof *program->plans, &program->plans);
    if (error) {
        program->plan_count = 0;
        wire_fail(io, error);
    }
}

static void modeled(struct wire *io, struct model_plan **plan)
{
    uint64_t size = io->writing && *plan ? (*plan)->size : 0;
    wire_size(io, &size);
    wire_block(io, plan, size);
    wire_fail(io, !io->writing && *plan ? model_plan_check(*plan, size) : NULL);
}

static void whole(struct wire *io, struct program *program)
{
    wire_text(io, &program->name);
    WIRE_INT(io, program->num_replicas), WIRE_INT(io, program->num_partitions);
    wire_count(io, &program->assignment_count, WIRE_NUMBER);
    wire_block(io, &program->device_assignment,
               (uint64_t)program->assignment_count * sizeof(int64_t));
    values(io, &program->parameter_count, &program->parameters);
    values(io, &program->result_count, &program->results);
    sizes(io, program);
    if (wire_array(io, &program->allocation_count, sizeof *program->allocations, WIRE_ALLOCATION,
                   &program->allocations))
        for (int i = 0; i < program->allocation_count; i++) {
            WIRE_INT(io, program->allocations[i].kind), WIRE_INT(io, program->allocations[i].index);
            wire_size(io, &program->allocations[i].size);
            WIRE_INT(io, program->allocations[i].memory);
        }
    constants(io, program);
    program_io_steps(io, &program->steps);
    groups(io, program);
    buffers(io, program);
    if (wire_array(io, &program->channel_count, sizeof *program->channels, WIRE_CHANNEL,
                   &program->channels))
        for (int i = 0; i < program->channel_count; i++) {
            wire_number(io, &program->channels[i].id);
            WIRE_INT(io, program->channels[i].receives);
        }
    kernels(io, program);
    wire_number(io, &program->cost), wire_number(io, &program->expected_cost);
    wire_real(io, &program->analysis.flops), wire_real(io, &program->analysis.transcendentals);
    wire_real(io, &program->analysis.bytes_accessed), wire_real(io, &program->seconds);
    plans(io, program);
    modeled(io, &program->model);
    if (!io->digest)
        wire_bytes(io, program->fingerprint, sizeof program->fingerprint);
}

/* ---- entry points ---------------------------------------------------------------------------- */
void program_io_fingerprint(const struct program *program, uint64_t out[2])
{
    struct wire io = {.writing = true, .digest = out};
    out[0] = out[1] = 0;
    whole(&io, (struct program *)(uintptr_t)program); /* not modified, because io.writing is set */
    error_free(io.error);
}

static void io_meeting(struct wire *io, struct step *step)
{
    if (step->kind == STEP_COLLECTIVE)
        program_io_collective(io, &step->collective);
    else if (step_meeting(step).groups >= 0)
        program_io_call(io, &step->call);
}

struct error *program_io_collectives(const struct program *program, uint64_t out[2])
{
    struct wire io = {.writing = true, .digest = out};
    int64_t count = program_step_count(program);
    const struct step **steps;
    out[0] = out[1] = 0;
    TRY(alloc_array((size_t)count, sizeof *steps, &steps));
    program_list_steps(program, steps);
    groups(&io, (struct program *)(uintptr_t)program); /* not modified, because io.writing is set */
    for (int64_t i = 0; i < count; i++)
        io_meeting(&io, (struct step *)(uintptr_t)steps[i]);
    alloc_free(steps);
    return io.error;
}

struct error *program_io_write(const struct program *program, const char *device, char **out,
                               size_t *size)
{
    struct wire io = {.writing = true};
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
    struct wire io = {.at = (const char *)from + PROGRAM_IO_HEADER,
                      .end = (const char *)from + size,
                      .size = size,
                      .unclaimed = size};
    TRY(alloc_zeroed(sizeof *program, &program));
    refs_init(&program->refs);
    whole(&io, program);
    if (!io.error && io.at != io.end)
        wire_fail(&io, ERROR(INVALID_ARGUMENT, "bytes follow the serialized program"));
    struct error *error = io.error ? io.error : as_invalid(program_check(program));
    if (error)
        program_release(program);
    else
        *out = program;
    return error;
}
