#include "compiler/export/export_model.h"

#include <inttypes.h>
#include <stdlib.h>

#include "compiler/export/export_assignment.h"
#include "compiler/export/export_fields.h"
#include "compiler/export/export_instruction.h"
#include "compiler/export/export_shape.h"
#include "compiler/export/export_steps.h"
#include "compiler/program/step_label.h"
#include "compiler/tiled_shape.h"

struct writer {
    const struct program *program;
    const struct model_plan *plan;
    const struct accelerator *accelerator;
    struct arena *arena;
    struct proto module;
    int64_t last_id;       /* of instructions and computations */
    int64_t *computations; /* of loops, by number; 0: not written yet */
    struct export_assignment *memory;
};

/* ---- names ----------------------------------------------------------------------------------- */
static const char *name_of(struct arena *arena, const struct model_plan *plan, uint64_t label,
                           uint64_t number)
{
    return export_instruction_unique(arena, model_plan_text(plan, label), (int64_t)number);
}

const char *export_model_operation(struct arena *arena, const struct model_plan *plan,
                                   uint64_t index)
{
    return name_of(arena, plan, model_plan_operations(plan)[index].label, index + 1);
}

const char *export_model_wait(struct arena *arena, const struct model_plan *plan, uint64_t index)
{
    const char *label = model_plan_text(plan, model_plan_operations(plan)[index].label);
    struct step_label parts = step_label(label);
    char *kind = arena_string(arena, parts.name, (size_t)parts.name_size);
    for (char *at = kind; *at; at++)
        *at = *at == '_' ? '-' : *at;
    kind = arena_format(arena, "%s-done", kind);
    return export_instruction_unique(arena, kind, (int64_t)index + 1);
}

const char *export_model_loop(struct arena *arena, const struct model_plan *plan, uint64_t index)
{
    return name_of(arena, plan, model_plan_loops(plan)[index].label,
                   plan->operation_count + index + 1);
}

/* Not negative, and no more than an int64_t holds. */
static int64_t whole(double number)
{
    return number > 0 ? (int64_t)(number < 1e18 ? number : 1e18) : 0;
}

/* ---- instructions ---------------------------------------------------------------------------- */
static int64_t add(struct writer *w, struct proto *computation,
                   const struct export_instruction *what)
{
    int64_t id = ++w->last_id;
    struct proto instruction = export_instruction_open(w->arena, what, id);
    proto_message(computation, COMPUTATION_INSTRUCTIONS, &instruction);
    return id;
}

static void add_operation(struct writer *w, struct proto *to, uint64_t index)
{
    const struct model_operation *operation = &model_plan_operations(w->plan)[index];
    add(w, to,
        &(struct export_instruction){.name = export_model_operation(w->arena, w->plan, index),
                                     .target = "gantry.kernel",
                                     .label = model_plan_text(w->plan, operation->label)});
    if (operation->waited > 0)
        add(w, to,
            &(struct export_instruction){.name = export_model_wait(w->arena, w->plan, index),
                                         .target = "gantry.wait",
                                         .label = model_plan_text(w->plan, operation->label)});
}

static void add_loop(struct writer *w, struct proto *to, uint64_t index)
{
    const struct model_loop *loop = &model_plan_loops(w->plan)[index];
    export_ids called = {0};
    VEC_PUSH(w->arena, &called, w->computations[index + 1]);
    const struct export_instruction what = {.name = export_model_loop(w->arena, w->plan, index),
                                            .opcode = "call",
                                            .label = model_plan_text(w->plan, loop->label),
                                            .computations = &called};
    struct proto instruction = export_instruction_open(w->arena, &what, ++w->last_id);
    proto_string(&instruction, INSTRUCTION_BACKEND_CONFIG,
                 arena_format(w->arena, "{\"known_trip_count\":{\"n\":\"%" PRId64 "\"}}",
                              whole(loop->trips)));
    proto_message(to, COMPUTATION_INSTRUCTIONS, &instruction);
}

/* ---- computations ---------------------------------------------------------------------------- */
struct item {     /* an operation, or a loop */
    int64_t loop; /* that it is in */
    double begin;
    uint64_t index;
    bool is_loop;
};

static int compare(const void *left, const void *right)
{
    const struct item *x = left, *y = right;
    if (x->loop != y->loop)
        return x->loop < y->loop ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->is_loop != y->is_loop)
        return x->is_loop ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

static size_t item_count(const struct model_plan *plan)
{
    return (size_t)(plan->operation_count + plan->loop_count);
}

/* All of the plan: those of the entry, then those of loop 1, 2 ..., each in the order of time. */
static struct item *sorted_items(struct writer *w)
{
    const struct model_plan *plan = w->plan;
    const struct model_operation *operations = model_plan_operations(plan);
    const struct model_loop *loops = model_plan_loops(plan);
    struct item *items = ARENA_ARRAY(w->arena, struct item, item_count(plan) + 1);
    for (uint64_t i = 0; i < plan->operation_count; i++)
        items[i] = (struct item){operations[i].loop, whole(operations[i].begin * 1e12), i, false};
    for (uint64_t i = 0; i < plan->loop_count; i++)
        items[plan->operation_count + i] =
            (struct item){loops[i].loop, whole(loops[i].begin * 1e12), i, true};
    if (item_count(plan))
        qsort(items, item_count(plan), sizeof *items, compare);
    return items;
}

static void add_items(struct writer *w, struct proto *to, const struct item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i].is_loop)
            add_loop(w, to, items[i].index);
        else
            add_operation(w, to, items[i].index);
    }
}

static int64_t close_computation(struct writer *w, struct proto *computation, int64_t root)
{
    int64_t id = ++w->last_id;
    proto_number(computation, COMPUTATION_ID, id);
    proto_number(computation, COMPUTATION_ROOT_ID, root);
    proto_message(&w->module, MODULE_COMPUTATIONS, computation);
    return id;
}

/* A loop's body has no parameter and no result. */
static int64_t add_body(struct writer *w, int64_t number, const struct item *items, size_t count)
{
    struct proto body = {.arena = w->arena}, shape = body;
    proto_string(&body, COMPUTATION_NAME, arena_format(w->arena, "body.%" PRId64, number));
    add_items(w, &body, items, count);
    int64_t root = add(w, &body, &(struct export_instruction){.target = "gantry.results"});
    export_shape(&shape, PROGRAM_SHAPE_RESULT, NULL, 0);
    proto_message(&body, COMPUTATION_PROGRAM_SHAPE, &shape);
    return close_computation(w, &body, root);
}

/* Inner loops first, whose numbers are higher; `items` are those of all loops. Returns how many of
 * them are left: the entry's. */
static size_t add_bodies(struct writer *w, const struct item *items)
{
    size_t end = item_count(w->plan), begin = end;
    w->computations = ARENA_ARRAY(w->arena, int64_t, w->plan->loop_count + 1);
    for (int64_t number = (int64_t)w->plan->loop_count; number > 0; number--, end = begin) {
        while (begin && items[begin - 1].loop == number)
            begin--;
        w->computations[number] = add_body(w, number, items + begin, end - begin);
    }
    return end;
}

/* ---- memory ---------------------------------------------------------------------------------- */
static uint64_t bytes_of(const struct writer *w, const struct shape *shape)
{
    return tiled_shape_bytes_laid_out(w->accelerator, shape);
}

static void add_value(struct writer *w, const struct allocation *allocation, bool is_result,
                      const struct export_step *instruction, int result)
{
    int index = export_assignment_allocation(w->memory, allocation, is_result);
    if (allocation->size)
        export_assignment_buffer(w->memory, &(struct export_buffer){.allocation = index,
                                                                    .instruction = instruction->id,
                                                                    .name = instruction->name,
                                                                    .result = result,
                                                                    .size = allocation->size});
}

static void add_parameter(struct writer *w, struct proto *to, int index)
{
    const struct program_value *value = &w->program->parameters[index];
    struct export_step parameter = {.name = arena_format(w->arena, "p%d", index)};
    const struct export_instruction what = {
        .name = parameter.name, .opcode = "parameter", .shapes = &value->shape, .shape_count = 1};
    parameter.id = ++w->last_id;
    struct proto instruction = export_instruction_open(w->arena, &what, parameter.id);
    proto_number(&instruction, INSTRUCTION_PARAMETER_NUMBER, index);
    proto_message(to, COMPUTATION_INSTRUCTIONS, &instruction);
    add_value(w,
              &(struct allocation){ALLOCATION_PARAMETER, index, bytes_of(w, &value->shape),
                                   value->shape.memory},
              value->alias >= 0, &parameter, -1);
}

static void add_results(struct writer *w, struct proto *to, int64_t *root)
{
    int count = program_visible(w->program, true);
    struct shape *shapes = ARENA_ARRAY(w->arena, struct shape, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        shapes[i] = w->program->results[i].shape;
    const struct export_instruction what = {
        .target = "gantry.results", .shapes = shapes, .shape_count = count};
    *root = add(w, to, &what);
    const struct export_step results = {export_instruction_name(w->arena, &what, *root), *root};
    for (int i = 0; i < count; i++)
        if (w->program->results[i].alias < 0)
            add_value(w,
                      &(struct allocation){ALLOCATION_RESULT, i, bytes_of(w, &shapes[i]),
                                           shapes[i].memory},
                      true, &results, count > 1 ? i : -1);
}

/* A temporary has an instruction of its own, since the plan does not say which operation's it is.
 * Those that live together are shown one behind the other. */
static uint64_t add_temporary(struct writer *w, struct proto *to, int allocation, uint64_t index,
                              uint64_t offset)
{
    const struct model_largest *largest = &model_plan_largest(w->plan)[index];
    const char *label = model_plan_text(w->plan, largest->label);
    struct shape_layout room;
    int64_t dims[SHAPE_MAX_RANK];
    struct shape shape = export_shape_parse(model_plan_text(w->plan, largest->shape), dims, &room);
    const struct export_instruction what = {
        .name = arena_format(w->arena, "%s.value",
                             export_instruction_unique(w->arena, label, (int64_t)index + 1)),
        .target = "gantry.value",
        .label = label,
        .shapes = &shape,
        .shape_count = 1};
    export_assignment_buffer(w->memory, &(struct export_buffer){.allocation = allocation,
                                                                .instruction = add(w, to, &what),
                                                                .name = what.name,
                                                                .result = -1,
                                                                .offset = offset,
                                                                .size = largest->bytes});
    return offset + largest->bytes;
}

static void add_temporaries(struct writer *w, struct proto *to)
{
    uint64_t bytes = w->plan->temp_bytes, offset = 0;
    int allocation = export_assignment_allocation(
        w->memory, &(struct allocation){.kind = ALLOCATION_TEMP, .size = bytes}, false);
    for (uint64_t i = 0; i < w->plan->largest_count; i++)
        if (model_plan_largest(w->plan)[i].bytes <= bytes - offset)
            offset = add_temporary(w, to, allocation, i, offset);
}

/* ---- the whole ------------------------------------------------------------------------------- */
static int64_t add_entry(struct writer *w, const struct item *items, size_t count)
{
    struct proto entry = {.arena = w->arena};
    int64_t root;
    proto_string(&entry, COMPUTATION_NAME, "main");
    for (int i = 0; i < program_visible(w->program, false); i++)
        add_parameter(w, &entry, i);
    add_items(w, &entry, items, count);
    add_temporaries(w, &entry);
    add_results(w, &entry, &root);
    export_program_shape(&entry, COMPUTATION_PROGRAM_SHAPE, w->program);
    return close_computation(w, &entry, root);
}

void export_model(struct proto *to, const struct program *program,
                  const struct accelerator *accelerator, const char *name, int64_t id)
{
    struct writer w = {.program = program,
                       .plan = program->model,
                       .accelerator = accelerator,
                       .arena = to->arena,
                       .module = {.arena = to->arena},
                       .memory = export_assignment_create(to->arena)};
    proto_string(&w.module, MODULE_NAME, name);
    proto_string(&w.module, MODULE_ENTRY_NAME, "main");
    const struct item *items = sorted_items(&w);
    int64_t entry = add_entry(&w, items, add_bodies(&w, items));
    export_program_shape(&w.module, MODULE_HOST_PROGRAM_SHAPE, program);
    proto_number(&w.module, MODULE_ID, id);
    proto_number(&w.module, MODULE_ENTRY_ID, entry);
    proto_message(to, PROTO_MODULE, &w.module);
    export_assignment_write(w.memory, to, PROTO_ASSIGNMENT);
}
