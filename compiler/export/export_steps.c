/* export_steps.c: reconstructs the data flow from memory: each list of steps has a log of the
 * ranges that instructions wrote, newest first for each allocation. */
#include "compiler/export/export_steps.h"

#include <string.h>

#include "base/vec.h"
#include "compiler/export/export_collective.h"
#include "compiler/export/export_fields.h"
#include "compiler/export/export_instruction.h"
#include "compiler/export/export_shape.h"
#include "compiler/program/program_communication.h"

struct record { /* of a range that the instruction `id` wrote */
    uint64_t begin, end;
    int64_t id;
    int older; /* the previous record of the allocation; -1: none */
};

struct writer { /* shared by all computations */
    struct arena *arena;
    const struct program *program;
    struct proto *module;
    int64_t last_id;            /* of instructions and of computations */
    const struct step **copies; /* the starts of copies that are written, by number */
    struct map *names;          /* of instructions by step; NULL: not asked for */
};

struct scope { /* one computation */
    struct writer *writer;
    struct proto text;
    VEC(struct record) records;
    int *newest;     /* by allocation; -1: none */
    int64_t carried; /* the parameter that stands for memory written outside; 0: none */
};

typedef export_ids ids;

/* ---- the log of writes ----------------------------------------------------------------------- */
static void record(struct scope *scope, const struct slice *slice, int64_t id)
{
    int *newest = &scope->newest[slice->allocation];
    struct record entry = {slice->offset, slice->offset + slice->size, id, *newest};
    *newest = (int)scope->records.count;
    VEC_PUSH(scope->writer->arena, &scope->records, entry);
}

static void add_id(struct scope *scope, ids *to, int64_t id)
{
    for (size_t i = 0; i < to->count; i++)
        if (to->items[i] == id)
            return;
    VEC_PUSH(scope->writer->arena, to, id);
}

/* Adds the instructions that wrote the current contents of the slice. */
static void find_writers(struct scope *scope, const struct slice *slice, ids *to)
{
    uint64_t begin = slice->offset, end = begin + slice->size;
    for (int i = scope->newest[slice->allocation]; i >= 0; i = scope->records.items[i].older) {
        const struct record *entry = &scope->records.items[i];
        if (entry->end <= begin || entry->begin >= end)
            continue;
        add_id(scope, to, entry->id);
        if (entry->begin <= begin && entry->end >= end)
            return;
    }
    if (scope->carried)
        add_id(scope, to, scope->carried);
}

static int list_count(const struct step *step)
{
    return step->kind == STEP_WHILE ? 2 : step->kind == STEP_CASE ? step->branch.count : 0;
}

static const struct step_list *list_of(const struct step *step, int index)
{
    if (step->kind == STEP_CASE)
        return &step->branch.branches[index];
    return index == 0 ? &step->loop.condition : &step->loop.body;
}

/* The step whose slices are those of `step`: the start of the copy that it ends, or itself. NULL:
 * the start is in a list that is not written yet. */
static const struct step *with_slices(const struct scope *scope, const struct step *step)
{
    return step->kind == STEP_COPY_DONE ? scope->writer->copies[step->copy.number] : step;
}

/* Adds the writers of everything that a step and its nested steps read. */
static void find_operands(struct scope *scope, const struct step *step, ids *to)
{
    const struct step *start = with_slices(scope, step);
    if (start && start != step)
        find_writers(scope, &start->slices[start->slice_count - 1], to);
    for (int i = 0; i < step->operand_count; i++) {
        const struct slice read = step_reach(step, i);
        find_writers(scope, &read, to);
    }
    for (int i = 0; i < step->offset_count; i++)
        find_writers(scope, &step->offsets[i].index, to);
    for (int i = 0; i < list_count(step); i++)
        for (int j = 0; j < list_of(step, i)->count; j++)
            find_operands(scope, &list_of(step, i)->steps[j], to);
}

static void record_results(struct scope *scope, const struct step *step, int64_t id)
{
    const struct step *start = with_slices(scope, step);
    for (int i = start->operand_count; i < start->slice_count; i++)
        record(scope, &start->slices[i], id);
    for (int i = 0; i < list_count(step); i++)
        for (int j = 0; j < list_of(step, i)->count; j++)
            record_results(scope, &list_of(step, i)->steps[j], id);
}

/* ---- a step ---------------------------------------------------------------------------------- */
/* The target of a step's custom call. */
static const char *target_of(const struct step *step)
{
    switch (step->kind) {
    case STEP_KERNEL: return "gantry.kernel";
    case STEP_DOT: return "gantry.dot";
    case STEP_THIN_DOT: return "gantry.thin_dot";
    case STEP_CONVOLUTION: return "gantry.convolution";
    case STEP_ATTENTION: return "gantry.attention";
    case STEP_ATTENTION_BACKWARD: return "gantry.attention_backward";
    case STEP_COPY: return "gantry.copy";
    case STEP_COPY_START: return "gantry.copy_start";
    case STEP_COPY_DONE: return "gantry.copy_done";
    case STEP_CUSTOM_CALL: return step->call.target;
    case STEP_SEND: return "gantry.send";
    case STEP_RECEIVE: return "gantry.receive";
    case STEP_COLLECTIVE:
        return step->collective.kind == COLLECTIVE_SEND      ? "gantry.send"
               : step->collective.kind == COLLECTIVE_RECEIVE ? "gantry.receive"
                                                             : NULL;
    case STEP_WHILE:
    case STEP_CASE: break; /* HLO's own instructions, as other collectives */
    }
    return NULL;
}

/* The shapes of a step's results: as declared for custom calls, arrays of bytes for other steps. */
static struct shape *results_of(struct scope *scope, const struct step *step, int *count)
{
    bool call = step->kind == STEP_CUSTOM_CALL;
    const struct allocation *allocations = scope->writer->program->allocations;
    step = with_slices(scope, step);
    *count = call ? step->call.value_count - step->call.operand_count
                  : step->slice_count - step->operand_count;
    struct shape *arrays = ARENA_ARRAY(scope->writer->arena, struct shape, (size_t)*count);
    for (int i = 0; i < *count; i++) {
        if (call) {
            const struct call_value *value = &step->call.values[step->call.operand_count + i];
            arrays[i] = value->shape;
            continue;
        }
        int64_t *size = ARENA_NEW(scope->writer->arena, int64_t);
        const struct slice *slice = &step->slices[step->operand_count + i];
        *size = (int64_t)slice->size;
        arrays[i] = (struct shape){.dtype = DTYPE_U8,
                                   .rank = 1,
                                   .dims = size,
                                   .memory = allocations[slice->allocation].memory};
    }
    return arrays;
}

/* ---- instructions ---------------------------------------------------------------------------- */
/* `key`: a step or value of the program. */
static void note_name(struct writer *writer, const void *key, const char *name, int64_t id)
{
    if (!writer->names || !key)
        return;
    struct export_step *known = ARENA_NEW(writer->arena, struct export_step);
    *known = (struct export_step){name, id};
    map_put_pointer(writer->names, key, known);
}

/* Starts an instruction; the caller adds other fields and calls close_instruction(). `step`: that
 * it is, or NULL. */
static struct proto open_instruction(struct scope *scope, struct export_instruction what,
                                     const struct step *step, int64_t id)
{
    struct arena *arena = scope->writer->arena;
    if (step)
        note_name(scope->writer, step, export_instruction_name(arena, &what, id), id);
    what.label = step ? step->label : NULL;
    return export_instruction_open(arena, &what, id);
}

static void close_instruction(struct scope *scope, const struct proto *instruction)
{
    proto_message(&scope->text, COMPUTATION_INSTRUCTIONS, instruction);
}

static int64_t add_step_instruction(struct scope *scope, const struct export_instruction *what,
                                    const struct step *step)
{
    int64_t id = ++scope->writer->last_id;
    struct proto instruction = open_instruction(scope, *what, step, id);
    close_instruction(scope, &instruction);
    return id;
}

static int64_t add_instruction(struct scope *scope, const struct export_instruction *what)
{
    return add_step_instruction(scope, what, NULL);
}

/* A slice of memory as an array. */
static int64_t add_view(struct scope *scope, const struct slice *slice, const struct shape *shape)
{
    ids writers = {0};
    find_writers(scope, slice, &writers);
    return add_instruction(scope, &(struct export_instruction){.target = "gantry.view",
                                                               .shapes = shape,
                                                               .shape_count = 1,
                                                               .operands = &writers});
}

/* ---- collectives ----------------------------------------------------------------------------- */
/* The instruction for arrays [begin, end) of a collective. */
static void add_exchange(struct scope *scope, const struct step *step, int begin, int end)
{
    struct writer *writer = scope->writer;
    const struct collective_spec *spec = &step->collective;
    struct shape *shapes = ARENA_ARRAY(writer->arena, struct shape, (size_t)(end - begin) + 1);
    ids operands = {0}, called = {0};
    for (int i = begin; i < end; i++) {
        struct shape shape = export_collective_operand(spec, i);
        VEC_PUSH(writer->arena, &operands, add_view(scope, &step->slices[i], &shape));
        shapes[i - begin] = export_collective_result(writer->arena, spec, i);
    }
    if (spec->kind == COLLECTIVE_ALL_REDUCE || spec->kind == COLLECTIVE_REDUCE_SCATTER)
        VEC_PUSH(writer->arena, &called,
                 export_collective_reducer(writer->module, spec, shapes->dtype, &writer->last_id));
    int64_t id = ++writer->last_id;
    struct proto instruction = open_instruction(
        scope,
        (struct export_instruction){.opcode = program_communication_name(spec->kind),
                                    .shapes = shapes,
                                    .shape_count = end - begin,
                                    .operands = &operands,
                                    .computations = &called},
        step, id);
    export_collective(&instruction, writer->program, spec);
    close_instruction(scope, &instruction);
    for (int i = begin; i < end; i++)
        record(scope, &step->slices[spec->array_count + i], id);
}

static void add_collective(struct scope *scope, const struct step *step)
{
    const struct collective_spec *spec = &step->collective;
    if (spec->groups < 0) {
        struct shape shape = {.dtype = DTYPE_U32};
        record(scope, &step->slices[0],
               add_step_instruction(
                   scope,
                   &(struct export_instruction){.opcode = program_communication_name(spec->kind),
                                                .shapes = &shape,
                                                .shape_count = 1},
                   step));
    } else if (export_collective_is_variadic(spec) && spec->array_count) {
        add_exchange(scope, step, 0, spec->array_count);
    } else {
        for (int i = 0; i < spec->array_count; i++)
            add_exchange(scope, step, i, i + 1);
    }
}

/* ---- control flow ---------------------------------------------------------------------------- */
/* `decision`: the slice that the computation returns; NULL: it returns an empty tuple. */
static struct export_computation write_list(struct writer *writer, const char *name,
                                            const struct step_list *list,
                                            const struct slice *decision);

static int64_t add_state(struct scope *scope, const struct step *step)
{
    ids operands = {0};
    find_operands(scope, step, &operands);
    return add_instruction(
        scope, &(struct export_instruction){.target = "gantry.state", .operands = &operands});
}

static void add_while(struct scope *scope, const struct step *step)
{
    struct writer *writer = scope->writer;
    ids operands = {0}, called = {0};
    VEC_PUSH(writer->arena, &called, write_list(writer, "body", &step->loop.body, NULL).id);
    VEC_PUSH(writer->arena, &called,
             write_list(writer, "condition", &step->loop.condition, &step->slices[0]).id);
    VEC_PUSH(writer->arena, &operands, add_state(scope, step));
    int64_t id = ++writer->last_id;
    struct proto instruction =
        open_instruction(scope,
                         (struct export_instruction){
                             .opcode = "while", .operands = &operands, .computations = &called},
                         step, id);
    if (step->loop.trip_count >= 0)
        proto_string(&instruction, INSTRUCTION_BACKEND_CONFIG,
                     arena_format(writer->arena, "{\"known_trip_count\":{\"n\":\"%lld\"}}",
                                  (long long)step->loop.trip_count));
    close_instruction(scope, &instruction);
    record_results(scope, step, id);
}

static void add_case(struct scope *scope, const struct step *step)
{
    struct writer *writer = scope->writer;
    struct shape index = {.dtype = step->branch.is_predicate ? DTYPE_PRED : DTYPE_S32};
    ids operands = {0}, called = {0};
    for (int i = 0; i < step->branch.count; i++)
        VEC_PUSH(writer->arena, &called,
                 write_list(writer, "branch", &step->branch.branches[i], NULL).id);
    VEC_PUSH(writer->arena, &operands, add_view(scope, &step->slices[0], &index));
    int64_t state = add_state(scope, step);
    for (int i = 0; i < step->branch.count; i++)
        VEC_PUSH(writer->arena, &operands, state);
    int64_t id = add_step_instruction(scope,
                                      &(struct export_instruction){.opcode = "conditional",
                                                                   .operands = &operands,
                                                                   .computations = &called},
                                      step);
    record_results(scope, step, id);
}

/* ---- the walk -------------------------------------------------------------------------------- */
static void add_call(struct scope *scope, const struct step *step)
{
    struct writer *writer = scope->writer;
    ids operands = {0};
    int count;
    if (step->kind == STEP_COPY_START)
        writer->copies[step->copy.number] = step;
    find_operands(scope, step, &operands);
    const struct shape *results = results_of(scope, step, &count);
    int64_t id = ++writer->last_id;
    struct proto instruction =
        open_instruction(scope,
                         (struct export_instruction){
                             .name = export_instruction_unique(writer->arena, step->label, id),
                             .target = target_of(step),
                             .shapes = results,
                             .shape_count = count,
                             .operands = &operands,
                         },
                         step, id);
    close_instruction(scope, &instruction);
    record_results(scope, step, id);
}

static void add_step(struct scope *scope, const struct step *step)
{
    switch (step->kind) {
    case STEP_WHILE: add_while(scope, step); break;
    case STEP_CASE: add_case(scope, step); break;
    case STEP_COLLECTIVE:
        if (collective_is_message(step->collective.kind))
            add_call(scope, step);
        else
            add_collective(scope, step);
        break;
    default: add_call(scope, step); break;
    }
}

static void add_steps(struct scope *scope, const struct step_list *list)
{
    for (int i = 0; i < list->count; i++) {
        const struct step *step = &list->steps[i];
        const struct slice *from = step->slices, *to = from + 1;
        if (step->kind == STEP_COPY && from->allocation == to->allocation &&
            from->offset == to->offset)
            continue;
        add_step(scope, step);
    }
}

/* ---- computations ---------------------------------------------------------------------------- */
static void scope_open(struct scope *scope, struct writer *writer)
{
    size_t count = (size_t)writer->program->allocation_count;
    *scope = (struct scope){.writer = writer, .text = {.arena = writer->arena}};
    scope->newest = ARENA_ARRAY(writer->arena, int, count);
    for (size_t i = 0; i < count; i++)
        scope->newest[i] = -1;
}

static int64_t add_root(struct scope *scope, const ids *operands, const struct shape *arrays,
                        int count)
{
    return add_instruction(scope, &(struct export_instruction){.target = "gantry.results",
                                                               .shapes = arrays,
                                                               .shape_count = count,
                                                               .operands = operands});
}

static struct export_computation scope_close(struct scope *scope, int64_t root)
{
    struct export_computation computation = {++scope->writer->last_id, root};
    proto_number(&scope->text, COMPUTATION_ID, computation.id);
    proto_number(&scope->text, COMPUTATION_ROOT_ID, root);
    proto_message(scope->writer->module, MODULE_COMPUTATIONS, &scope->text);
    return computation;
}

/* The steps of a loop or branch. They use the program's memory, so the parameter is an empty
 * tuple, and so is the result unless there is a decision. */
static struct export_computation write_list(struct writer *writer, const char *name,
                                            const struct step_list *list,
                                            const struct slice *decision)
{
    struct scope scope;
    struct proto shape = {.arena = writer->arena};
    struct shape predicate = {.dtype = DTYPE_PRED};
    scope_open(&scope, writer);
    proto_string(&scope.text, COMPUTATION_NAME,
                 arena_format(writer->arena, "%s.%lld", name, (long long)++writer->last_id));
    scope.carried = add_instruction(&scope, &(struct export_instruction){.opcode = "parameter"});
    add_steps(&scope, list);
    int64_t root =
        decision ? add_view(&scope, decision, &predicate) : add_root(&scope, &(ids){0}, NULL, 0);
    export_shape(&shape, PROGRAM_SHAPE_PARAMETERS, NULL, 0);
    export_shape(&shape, PROGRAM_SHAPE_RESULT, &predicate, decision ? 1 : 0);
    proto_string(&shape, PROGRAM_SHAPE_PARAMETER_NAMES, "state");
    proto_message(&scope.text, COMPUTATION_PROGRAM_SHAPE, &shape);
    return scope_close(&scope, root);
}

static const struct shape *arrays_of(struct arena *arena, const struct program_value *values,
                                     int count)
{
    struct shape *arrays = ARENA_ARRAY(arena, struct shape, (size_t)count);
    for (int i = 0; i < count; i++)
        arrays[i] = values[i].shape;
    return arrays;
}

static int64_t add_parameter(struct scope *scope, const struct shape *array, int index)
{
    struct writer *writer = scope->writer;
    int64_t id = ++writer->last_id;
    const struct export_instruction what = {.name = arena_format(writer->arena, "p%d", index),
                                            .opcode = "parameter",
                                            .shapes = array,
                                            .shape_count = 1};
    struct proto instruction = export_instruction_open(writer->arena, &what, id);
    note_name(writer, &writer->program->parameters[index], what.name, id);
    proto_number(&instruction, INSTRUCTION_PARAMETER_NUMBER, index);
    proto_message(&scope->text, COMPUTATION_INSTRUCTIONS, &instruction);
    return id;
}

/* Those that the client sees, and that they write their memory. */
static void add_parameters(struct scope *scope)
{
    struct writer *writer = scope->writer;
    const struct program *program = writer->program;
    int count = program_visible(program, false);
    int64_t *added = ARENA_ARRAY(writer->arena, int64_t, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        added[i] = add_parameter(scope, &program->parameters[i].shape, i);
    for (int i = 0; i < program->allocation_count; i++) {
        const struct allocation *allocation = &program->allocations[i];
        if (allocation->kind == ALLOCATION_PARAMETER && allocation->index < count)
            record(scope, &(struct slice){i, 0, allocation->size}, added[allocation->index]);
    }
}

/* The last writers of the memory of all results. */
static ids result_operands(struct scope *scope)
{
    const struct program *program = scope->writer->program;
    ids operands = {0};
    for (int i = 0; i < program->allocation_count; i++)
        if (program->allocations[i].kind == ALLOCATION_RESULT)
            find_writers(scope, &(struct slice){i, 0, program->allocations[i].size}, &operands);
    return operands;
}

void export_program_shape(struct proto *to, int field, const struct program *program)
{
    struct arena *arena = to->arena;
    struct proto shape = {.arena = arena};
    int count = program_visible(program, false), results = program_visible(program, true);
    const struct shape *parameters = arrays_of(arena, program->parameters, count);
    for (int i = 0; i < count; i++)
        export_shape(&shape, PROGRAM_SHAPE_PARAMETERS, &parameters[i], 1);
    export_shape(&shape, PROGRAM_SHAPE_RESULT, arrays_of(arena, program->results, results),
                 results);
    for (int i = 0; i < count; i++)
        proto_string(&shape, PROGRAM_SHAPE_PARAMETER_NAMES, arena_format(arena, "p%d", i));
    proto_message(to, field, &shape);
}

void export_steps(struct proto *module, const struct program *program, struct map *names,
                  struct export_computation *entry)
{
    struct arena *arena = module->arena;
    struct writer writer = {.arena = arena, .program = program, .module = module, .names = names};
    writer.copies = ARENA_ARRAY(arena, const struct step *, (size_t)program->copy_count + 1);
    struct scope scope;
    scope_open(&scope, &writer);
    proto_string(&scope.text, COMPUTATION_NAME, "main");
    int results = program_visible(program, true);
    add_parameters(&scope);
    add_steps(&scope, &program->steps);
    ids operands = result_operands(&scope);
    int64_t root =
        add_root(&scope, &operands, arrays_of(arena, program->results, results), results);
    note_name(&writer, program->results,
              arena_format(arena, "gantry.results.%lld", (long long)root), root);
    export_program_shape(&scope.text, COMPUTATION_PROGRAM_SHAPE, program);
    *entry = scope_close(&scope, root);
}
