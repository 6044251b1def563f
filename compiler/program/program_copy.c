/* program_copy.c: see program_copy.h. */
#include "compiler/program/program_copy.h"

#include <string.h>

#include "base/alloc.h"

static struct error *copy_text(const char *text, char **out)
{
    *out = NULL;
    return text ? alloc_copy(text, strlen(text), out) : NULL;
}

static struct error *copy_array(const void *from, size_t count, size_t size, void *out)
{
    void *nothing = NULL;
    memcpy(out, &nothing, sizeof nothing);
    return from && count ? alloc_copy(from, count * size, out) : NULL;
}

/* Pointers that are not copied yet are NULL, so a partial copy can be freed. */
static struct error *copy_attributes(int count, const struct call_attribute *from,
                                     struct call_attribute **out)
{
    TRY(alloc_array((size_t)count + 1, sizeof **out, out));
    for (int i = 0; i < count; i++) {
        struct call_attribute *to = &(*out)[i];
        *to = from[i];
        to->name = NULL;
        to->data = NULL;
        to->entries = NULL;
    }
    for (int i = 0; i < count; i++) {
        struct call_attribute *to = &(*out)[i];
        TRY(alloc_copy(from[i].name, from[i].name_size, &to->name));
        if (from[i].kind == CALL_DICTIONARY)
            TRY(copy_attributes(from[i].count, from[i].entries, &to->entries));
        else
            TRY(alloc_copy(from[i].size ? from[i].data : "", from[i].size, &to->data));
    }
    return NULL;
}

static struct error *copy_call(const struct call_spec *from, struct call_spec *to)
{
    memset(to, 0, sizeof *to);
    to->api_version = from->api_version;
    to->operand_count = from->operand_count;
    to->meets = from->meets;
    to->groups = from->groups;
    to->number = from->number;
    TRY(copy_text(from->target, &to->target));
    TRY(alloc_copy(from->config ? from->config : "", from->config_size, &to->config));
    to->config_size = from->config_size;
    TRY(alloc_array((size_t)from->value_count + 1, sizeof *to->values, &to->values));
    for (int i = 0; i < from->value_count; i++) {
        to->values[i] = from->values[i];
        to->value_count = i + 1;
        TRY(shape_clone(&from->values[i].shape, &to->values[i].shape, &to->values[i].shape_memory));
    }
    to->attribute_count = from->attribute_count;
    return copy_attributes(from->attribute_count, from->attributes, &to->attributes);
}

static struct error *copy_collective(const struct collective_spec *from, struct collective_spec *to)
{
    TRY(alloc_array((size_t)from->array_count + 1, sizeof *to->arrays, &to->arrays));
    for (int i = 0; i < from->array_count; i++) {
        to->arrays[i] = from->arrays[i];
        to->array_count = i + 1;
        TRY(copy_array(from->arrays[i].dims, (size_t)from->arrays[i].rank,
                       sizeof *from->arrays[i].dims, &to->arrays[i].dims));
    }
    return NULL;
}

static struct error *copy_list(const struct step_list *from, struct step_list *to);

/* Copies everything that a step points to; pointers of `to` that are not copied yet are NULL. */
static struct error *copy_step(const struct step *from, struct step *to)
{
    *to = *from;
    to->label = NULL;
    to->slices = NULL;
    to->offsets = NULL;
    if (from->kind == STEP_WHILE)
        memset(&to->loop, 0, sizeof to->loop);
    if (from->kind == STEP_CASE) {
        to->branch.branches = NULL;
        to->branch.count = 0;
    }
    if (from->kind == STEP_CUSTOM_CALL)
        memset(&to->call, 0, sizeof to->call);
    if (from->kind == STEP_COLLECTIVE)
        to->collective.arrays = NULL, to->collective.array_count = 0;
    TRY(copy_text(from->label, &to->label));
    TRY(copy_array(from->slices, (size_t)from->slice_count, sizeof *from->slices, &to->slices));
    TRY(copy_array(from->offsets, (size_t)from->offset_count, sizeof *from->offsets, &to->offsets));
    switch (from->kind) {
    case STEP_WHILE:
        to->loop.trip_count = from->loop.trip_count;
        TRY(copy_list(&from->loop.condition, &to->loop.condition));
        return copy_list(&from->loop.body, &to->loop.body);
    case STEP_CASE:
        TRY(alloc_array((size_t)from->branch.count, sizeof *to->branch.branches,
                        &to->branch.branches));
        to->branch.count = from->branch.count;
        for (int i = 0; i < from->branch.count; i++)
            TRY(copy_list(&from->branch.branches[i], &to->branch.branches[i]));
        return NULL;
    case STEP_CUSTOM_CALL: return copy_call(&from->call, &to->call);
    case STEP_COLLECTIVE: return copy_collective(&from->collective, &to->collective);
    default: return NULL;
    }
}

static struct error *copy_list(const struct step_list *from, struct step_list *to)
{
    *to = (struct step_list){0, NULL};
    if (!from->count)
        return NULL;
    TRY(alloc_array((size_t)from->count, sizeof *to->steps, &to->steps));
    for (int i = 0; i < from->count; i++) {
        to->count = i + 1;
        TRY(copy_step(&from->steps[i], &to->steps[i]));
    }
    return NULL;
}

static struct error *copy_values(int count, const struct program_value *from, int *out_count,
                                 struct program_value **out)
{
    TRY(alloc_array((size_t)count + 1, sizeof **out, out));
    *out_count = count;
    for (int i = 0; i < count; i++) {
        struct program_value *to = &(*out)[i];
        *to = from[i];
        to->shape_memory = NULL;
        to->sharding = NULL;
    }
    for (int i = 0; i < count; i++) {
        struct program_value *to = &(*out)[i];
        TRY(shape_clone(&from[i].shape, &to->shape, &to->shape_memory));
        TRY(copy_text(from[i].sharding, &(*out)[i].sharding));
    }
    return NULL;
}

static struct error *copy_buffers(const struct program *from, struct program *to)
{
    TRY(alloc_array((size_t)from->buffer_count + 1, sizeof *to->buffers, &to->buffers));
    for (int i = 0; i < from->buffer_count; i++) {
        to->buffers[i] = from->buffers[i];
        TRY(copy_text(from->buffers[i].contents, &to->buffers[i].contents));
        to->buffer_count = i + 1;
    }
    return NULL;
}

static struct error *copy_groups(const struct program *from, struct program *to)
{
    TRY(alloc_array((size_t)from->group_count + 1, sizeof *to->groups, &to->groups));
    for (int i = 0; i < from->group_count; i++) {
        const struct program_groups *groups = &from->groups[i];
        struct program_groups *out = &to->groups[i];
        size_t members = (size_t)groups->member_count;
        *out = (struct program_groups){groups->group_count, groups->member_count, NULL, NULL, NULL};
        to->group_count = i + 1;
        TRY(copy_array(groups->offsets, (size_t)groups->group_count + 1, sizeof(int),
                       &out->offsets));
        TRY(copy_array(groups->members, members, sizeof(int), &out->members));
        TRY(copy_array(groups->sources, members, sizeof(int), &out->sources));
    }
    return NULL;
}

static struct error *copy_names(const struct program *from, struct program *to)
{
    TRY(alloc_array((size_t)from->kernel_count + 1, sizeof *to->kernel_names, &to->kernel_names));
    TRY(alloc_array((size_t)from->kernel_count + 1, sizeof *to->kernels, &to->kernels));
    for (int i = 0; i < from->kernel_count; i++) {
        TRY(copy_text(from->kernel_names[i], &to->kernel_names[i]));
        to->kernel_count = i + 1;
    }
    return NULL;
}

static struct error *copy_all(const struct program *from, struct program *to)
{
    TRY(copy_text(from->name, &to->name));
    TRY(copy_array(from->device_assignment, (size_t)from->assignment_count, sizeof(int64_t),
                   &to->device_assignment));
    to->assignment_count = from->assignment_count;
    TRY(copy_values(from->parameter_count, from->parameters, &to->parameter_count,
                    &to->parameters));
    TRY(copy_values(from->result_count, from->results, &to->result_count, &to->results));
    TRY(copy_array(from->allocations, (size_t)from->allocation_count, sizeof *from->allocations,
                   &to->allocations));
    to->allocation_count = from->allocation_count;
    TRY(copy_array(from->sizes, (size_t)from->size_count, sizeof *from->sizes, &to->sizes));
    to->size_count = from->size_count;
    TRY(copy_array(from->channels, (size_t)from->channel_count, sizeof *from->channels,
                   &to->channels));
    to->channel_count = from->channel_count;
    TRY(copy_buffers(from, to));
    TRY(copy_groups(from, to));
    to->collective_count = from->collective_count;
    if (from->model)
        TRY(alloc_copy(from->model, from->model->size, &to->model));
    TRY(copy_names(from, to));
    TRY(alloc_array((size_t)from->plan_count + 1, sizeof *to->plans, &to->plans));
    to->plan_count = from->plan_count;
    to->copy_count = from->copy_count;
    return copy_list(&from->steps, &to->steps);
}

struct error *program_copy(struct program *draft, struct program **out)
{
    struct program *to;
    *out = NULL;
    struct error *error = alloc_zeroed(sizeof *to, &to);
    if (error) {
        alloc_free(draft->object);
        alloc_free(draft->constants);
        draft->object = draft->constants = NULL;
        return error;
    }
    refs_init(&to->refs);
    to->num_replicas = draft->num_replicas;
    to->num_partitions = draft->num_partitions;
    to->object = draft->object;
    to->object_size = draft->object_size;
    to->constants = draft->constants;
    to->constants_size = draft->constants_size;
    draft->object = draft->constants = NULL;
    to->plan_only = draft->plan_only;
    to->cost = draft->cost;
    to->expected_cost = draft->expected_cost;
    to->analysis = draft->analysis;
    to->seconds = draft->seconds;
    memcpy(to->fingerprint, draft->fingerprint, sizeof to->fingerprint);
    error = copy_all(draft, to);
    if (error)
        program_release(to);
    else
        *out = to;
    return error;
}
