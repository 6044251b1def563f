/* export_steps.c: reconstructs the data flow from memory: each list of steps knows which of its
 * instructions wrote a byte last. */
#include "compiler/export/export_steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "compiler/export/export_collective.h"
#include "compiler/export/export_fields.h"
#include "compiler/export/export_instruction.h"
#include "compiler/export/export_ranges.h"
#include "compiler/export/export_shape.h"
#include "compiler/program/program_communication.h"

typedef export_ids ids;

struct writer { /* shared by all computations */
    struct arena *arena;
    const struct program *program;
    struct proto *module;
    int64_t last_id;            /* of instructions and of computations */
    const struct step **copies; /* the starts of copies that are written, by number */
    struct map *names;          /* of instructions by step; NULL: not asked for */
    int64_t list_count;         /* lists of operands begun */
    ids listed;                 /* by instruction: the last list that has it */
    ids found;                  /* for add_writers() */
    struct export_pool pool;    /* of all ranges */
};

struct touched { /* memory, by the steps inside a loop or branch; the ranges' numbers are 0 */
    struct export_ranges read, written;
};

struct scope { /* one computation */
    struct writer *writer;
    struct proto text;
    struct export_ranges written; /* by which instruction last */
    struct touched *touched;      /* of the step that the computation belongs to; NULL: the entry */
    int64_t carried; /* the parameter that stands for memory written outside; 0: none */
};

/* Distinct instructions. One list is complete before the next one is begun. */
struct operands {
    ids ids;
    int64_t list;
};

/* ---- who wrote a range ----------------------------------------------------------------------- */
static void record(struct scope *scope, const struct slice *slice, int64_t id)
{
    export_ranges_set(&scope->written, slice, id);
    if (scope->touched)
        export_ranges_set(&scope->touched->written, slice, 0);
}

static struct operands begin_operands(struct scope *scope)
{
    return (struct operands){.list = ++scope->writer->list_count};
}

static void add_id(struct writer *writer, struct operands *to, int64_t id)
{
    while (writer->listed.count <= (size_t)id)
        VEC_PUSH(writer->arena, &writer->listed, 0);
    if (writer->listed.items[id] == to->list)
        return;
    writer->listed.items[id] = to->list;
    VEC_PUSH(writer->arena, &to->ids, id);
}

static int compare_newest(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a < b) - (a > b);
}

/* Lists the writers of the slice's parts in writer->found, which may repeat them. */
static void list_writers(struct scope *scope, const struct slice *slice)
{
    struct writer *writer = scope->writer;
    uint64_t at = slice->offset, end = at + slice->size;
    bool is_complete = true;
    writer->found.count = 0;
    while (at < end) {
        const struct export_range *range =
            export_ranges_from(&scope->written, slice->allocation, at);
        bool overlaps =
            range && range->slice.allocation == slice->allocation && range->slice.offset < end;
        is_complete &= overlaps && range->slice.offset <= at;
        if (overlaps)
            VEC_PUSH(writer->arena, &writer->found, range->number);
        at = overlaps ? range->slice.offset + range->slice.size : end;
    }
    if (!is_complete && scope->carried)
        VEC_PUSH(writer->arena, &writer->found, scope->carried);
}

/* Adds the instructions that wrote the current contents of the slice, newest first. */
static void add_writers(struct scope *scope, const struct slice *slice, struct operands *to)
{
    struct writer *writer = scope->writer;
    list_writers(scope, slice);
    if (writer->found.count > 1)
        qsort(writer->found.items, writer->found.count, sizeof *writer->found.items,
              compare_newest);
    for (size_t i = 0; i < writer->found.count; i++)
        add_id(writer, to, writer->found.items[i]);
}

/* The same for a slice that a step reads itself. */
static void find_writers(struct scope *scope, const struct slice *slice, struct operands *to)
{
    if (scope->touched)
        export_ranges_set(&scope->touched->read, slice, 0);
    add_writers(scope, slice, to);
}

/* The step whose slices are those of `step`: the start of the copy that it ends, or itself. */
static const struct step *with_slices(const struct scope *scope, const struct step *step)
{
    return step->kind == STEP_COPY_DONE ? scope->writer->copies[step->copy.number] : step;
}

/* Adds the writers of everything that a step reads itself. */
static void find_operands(struct scope *scope, const struct step *step, struct operands *to)
{
    const struct step *start = with_slices(scope, step);
    if (start != step)
        find_writers(scope, &start->slices[start->slice_count - 1], to);
    for (int i = 0; i < step->operand_count; i++) {
        const struct slice read = step_reach(step, i);
        find_writers(scope, &read, to);
    }
    for (int i = 0; i < step->offset_count; i++)
        find_writers(scope, &step->offsets[i].index, to);
}

static void record_results(struct scope *scope, const struct step *step, int64_t id)
{
    const struct step *start = with_slices(scope, step);
    for (int i = start->operand_count; i < start->slice_count; i++)
        record(scope, &start->slices[i], id);
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
    struct operands writers = begin_operands(scope);
    find_writers(scope, slice, &writers);
    return add_instruction(scope, &(struct export_instruction){.target = "gantry.view",
                                                               .shapes = shape,
                                                               .shape_count = 1,
                                                               .operands = &writers.ids});
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
/* `decision`: the slice that the computation returns; NULL: it returns an empty tuple. Adds what
 * the steps read and write to *touched. */
static struct export_computation write_list(struct writer *writer, const char *name,
                                            const struct step_list *list,
                                            const struct slice *decision, struct touched *touched);

/* The memory that a loop or branch reads, itself and by the steps inside. */
static int64_t add_state(struct scope *scope, const struct step *step, struct touched *touched)
{
    struct operands operands = begin_operands(scope);
    const struct export_range *range = NULL;
    find_operands(scope, step, &operands);
    while ((range = export_ranges_next(&touched->read, range)))
        add_writers(scope, &range->slice, &operands);
    if (scope->touched)
        export_ranges_move(&scope->touched->read, &touched->read, 0);
    export_ranges_clear(&touched->read);
    return add_instruction(
        scope, &(struct export_instruction){.target = "gantry.state", .operands = &operands.ids});
}

/* A loop or branch writes what the steps inside write. */
static void record_touched(struct scope *scope, struct touched *touched, int64_t id)
{
    const struct export_range *range = NULL;
    while ((range = export_ranges_next(&touched->written, range)))
        export_ranges_set(&scope->written, &range->slice, id);
    if (scope->touched)
        export_ranges_move(&scope->touched->written, &touched->written, 0);
    export_ranges_clear(&touched->written);
}

static void add_while(struct scope *scope, const struct step *step)
{
    struct writer *writer = scope->writer;
    struct touched touched = {{.pool = &writer->pool}, {.pool = &writer->pool}};
    ids operands = {0}, called = {0};
    VEC_PUSH(writer->arena, &called,
             write_list(writer, "body", &step->loop.body, NULL, &touched).id);
    VEC_PUSH(writer->arena, &called,
             write_list(writer, "condition", &step->loop.condition, &step->slices[0], &touched).id);
    VEC_PUSH(writer->arena, &operands, add_state(scope, step, &touched));
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
    record_touched(scope, &touched, id);
}

static void add_case(struct scope *scope, const struct step *step)
{
    struct writer *writer = scope->writer;
    struct shape index = {.dtype = step->branch.is_predicate ? DTYPE_PRED : DTYPE_S32};
    struct touched touched = {{.pool = &writer->pool}, {.pool = &writer->pool}};
    ids operands = {0}, called = {0};
    for (int i = 0; i < step->branch.count; i++)
        VEC_PUSH(writer->arena, &called,
                 write_list(writer, "branch", &step->branch.branches[i], NULL, &touched).id);
    VEC_PUSH(writer->arena, &operands, add_view(scope, &step->slices[0], &index));
    int64_t state = add_state(scope, step, &touched);
    for (int i = 0; i < step->branch.count; i++)
        VEC_PUSH(writer->arena, &operands, state);
    int64_t id = add_step_instruction(scope,
                                      &(struct export_instruction){.opcode = "conditional",
                                                                   .operands = &operands,
                                                                   .computations = &called},
                                      step);
    record_touched(scope, &touched, id);
}

/* ---- the walk -------------------------------------------------------------------------------- */
static void add_call(struct scope *scope, const struct step *step)
{
    struct writer *writer = scope->writer;
    struct operands operands = begin_operands(scope);
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
                             .operands = &operands.ids,
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
static void scope_open(struct scope *scope, struct writer *writer, struct touched *touched)
{
    *scope = (struct scope){.writer = writer,
                            .text = {.arena = writer->arena},
                            .written = {.pool = &writer->pool},
                            .touched = touched};
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
    export_ranges_clear(&scope->written);
    return computation;
}

/* The steps of a loop or branch. They use the program's memory, so the parameter is an empty
 * tuple, and so is the result unless there is a decision. */
static struct export_computation write_list(struct writer *writer, const char *name,
                                            const struct step_list *list,
                                            const struct slice *decision, struct touched *touched)
{
    struct scope scope;
    struct proto shape = {.arena = writer->arena};
    struct shape predicate = {.dtype = DTYPE_PRED};
    scope_open(&scope, writer, touched);
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
static struct operands result_operands(struct scope *scope)
{
    const struct program *program = scope->writer->program;
    struct operands operands = begin_operands(scope);
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
    struct writer writer = {.arena = arena,
                            .program = program,
                            .module = module,
                            .names = names,
                            .pool = {.arena = arena}};
    writer.copies = ARENA_ARRAY(arena, const struct step *, (size_t)program->copy_count + 1);
    struct scope scope;
    scope_open(&scope, &writer, NULL);
    proto_string(&scope.text, COMPUTATION_NAME, "main");
    int results = program_visible(program, true);
    add_parameters(&scope);
    add_steps(&scope, &program->steps);
    struct operands operands = result_operands(&scope);
    int64_t root =
        add_root(&scope, &operands.ids, arrays_of(arena, program->results, results), results);
    note_name(&writer, program->results,
              arena_format(arena, "gantry.results.%lld", (long long)root), root);
    export_program_shape(&scope.text, COMPUTATION_PROGRAM_SHAPE, program);
    *entry = scope_close(&scope, root);
}
