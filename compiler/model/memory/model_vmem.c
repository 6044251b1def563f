/* model_vmem.c: see model_vmem.h. */
#include "compiler/model/memory/model_vmem.h"

#include <math.h>
#include <stdlib.h>

#include "compiler/model/kernels/model_role.h"
#include "compiler/model/kernels/model_traffic.h"
#include "compiler/model/time/model_time.h"
#include "compiler/model/units/model_occupancy.h"
#include "compiler/model/units/model_product.h"

enum {
    LONGEST = 8,      /* copies of all of vector memory: a value is unused in it for no longer */
    PREFERRED = 2,    /* kernels beside a copy should take twice as long */
    TRIPS = 5,        /* of a loop, as the compiler assumes */
    MOST_LOOPS = 6,   /* around a kernel that count */
    MOST_STEPS = 256, /* kernels beside a copy */
    MOST_COPIES = 40  /* at the same time */
};

/* In a loop, kernels beside a copy take at least so many times as long: of two that read equal
 * weights in HBM, the second one's are not copied beside the first (dumps of 9 loops for v4, v5e,
 * v5p and v6e; they are in loops whose other arrays are small). */
#define SLACK_IN_LOOPS 1.3

struct vmem_use {     /* of a value's buffer by a kernel */
    int64_t at, end;  /* positions: of the kernel, and until when the value has to stay for it */
    int64_t earliest; /* where a copy for it may begin */
    double seconds;   /* that the kernel saves if the value is in vector memory */
    double bytes;     /* that it reads or writes */
    struct model_read *read; /* NULL: it writes */
    struct vmem_use *next;
};

struct candidate {
    struct model_buffer *buffer;
    struct vmem_use *first, *last;
    bool has_others; /* uses that are no operand of a product or a reduction by itself */
    double saved, priority;
};

struct vmem {
    struct arena *arena; /* of this step */
    struct model *model;
    struct model_occupancy *occupancy;
    uint64_t capacity;
    struct candidate *candidates; /* by the buffer's index */
    double *elapsed;              /* [positions + 1]: seconds until the position's kernel begins */
    double *idle;                 /* [positions]: seconds of its kernel beside which no copy runs */
    double *weight;               /* [positions]: how often the compiler thinks that it runs */
    struct model_read ***begun;   /* [positions]: the copies that begin there; NULL: a loop's end */
};

/* ---- kernels --------------------------------------------------------------------------------- */
static bool is_in_memory(const struct model_buffer *buffer)
{
    return buffer && buffer->memory == MEMORY_DEVICE;
}

static struct model_buffer *buffer_of(const struct value *value)
{
    return model_value(value)->buffer ? model_buffer_of(value) : NULL;
}

static struct model_buffer *buffer_read(const struct model_read *read)
{
    return read->copy ? read->copy : buffer_of(read->value);
}

static double bytes_of(const struct model *model, const struct model_group *group)
{
    double bytes = 0;
    for (int i = 0; i < group->read_count; i++)
        if (is_in_memory(buffer_read(&group->reads[i])))
            bytes += group->reads[i].bytes;
    for (int i = 0; i < group->root->result_count; i++)
        if (is_in_memory(buffer_of(&group->root->results[i])))
            bytes += model_traffic_written(model, group->root, i);
    return bytes;
}

/* The block that has the value: uses inside of loops keep it until their end. */
static int64_t end_of(const struct model_buffer *buffer, const struct model_block *block,
                      int64_t at)
{
    const struct value *value = buffer->value;
    const struct block *home = ir_block_of(value);
    for (; block->block != home && block->owner; block = block->parent)
        at = block->owner->end;
    return at;
}

static struct candidate *add_access(struct vmem *v, const struct model_block *block, int64_t at,
                                    struct model_buffer *buffer, double bytes, double spare)
{
    if (!is_in_memory(buffer))
        return NULL;
    double rate = v->model->accelerator->hbm_rate, seconds = bytes / rate;
    struct candidate *to = &v->candidates[buffer->index];
    struct vmem_use *access = ARENA_NEW(v->arena, struct vmem_use);
    *access = (struct vmem_use){
        .at = at,
        .end = buffer->storage == MODEL_TEMPORARY ? end_of(buffer, block, at) : at,
        .earliest = block->begin,
        .seconds = spare > 0 ? seconds * v->weight[at] : spare,
        .bytes = bytes};
    if (to->last)
        to->last->next = access;
    else
        to->first = access;
    to->last = access;
    bool both = to->first != access && to->saved > 0 && access->seconds > 0;
    to->saved = both                                                 ? to->saved + access->seconds
                : to->first == access || access->seconds > to->saved ? access->seconds
                                                                     : to->saved;
    return to;
}

/* The array, not a copy of it, of which the group gathers rows or elements; NULL: none. */
static const struct value *gathered_array(const struct model_group *group)
{
    for (int i = 0; i < group->op_count; i++)
        if (group->ops[i]->code == OP_gather)
            return model_value(group->ops[i]->operands[0])->rows ? NULL
                                                                 : group->ops[i]->operands[0];
    return NULL;
}

/* Whether a product on the matrix units reads what the group multiplies. */
static bool has_matrix_product(const struct model_group *group)
{
    for (int i = 0; i < group->op_count; i++)
        if (model_role(group->ops[i]) == MODEL_PRODUCT && !model_product_has_one_row(group->ops[i]))
            return true;
    return false;
}

/* Whether the kernel only reduces an argument: to an index of elements, or as the only kernel of
 * the program. Dumps of 13 reductions for v5e: others read their argument in HBM. */
static bool only_reduces(const struct model *model, const struct model_group *group)
{
    bool has_index = false, reduces = false;
    for (int i = 0; i < group->op_count; i++) {
        const struct op *op = group->ops[i];
        if (op->code == OP_reduce)
            reduces = true, has_index = op->result_count > 1;
        else if (op->code != OP_convert && model_role(op) != MODEL_FREE)
            return false;
    }
    return reduces && (has_index || model->entry->groups.count == 1);
}

/* spare: by how much the kernel's memory traffic takes longer than what it computes. */
static void add_group(struct vmem *v, const struct model_block *block, struct model_group *group,
                      double weight)
{
    bool moves_nothing = model_traffic_moves_nothing(group);
    double memory = moves_nothing ? 0 : bytes_of(v->model, group) / v->model->accelerator->hbm_rate;
    double compute = model_time_compute(v->model, group), spare = memory - compute;
    const struct value *gathered = gathered_array(group);
    bool has_product = has_matrix_product(group), reduces = only_reduces(v->model, group);
    int64_t at = group->begin;
    v->idle[at] = spare > 0 ? memory : compute;
    v->weight[at] = weight;
    v->begun[at] = &group->begun;
    if (moves_nothing)
        return;
    for (int i = 0; i < group->read_count; i++) {
        struct model_read *read = &group->reads[i];
        struct candidate *c = add_access(v, block, at, buffer_read(read), read->bytes, spare);
        if (c)
            c->has_others |=
                !(has_product && read->is_multiplied) && read->value != gathered && !reduces,
                c->last->read = read;
    }
    for (int i = 0; i < group->root->result_count; i++) {
        struct candidate *c = add_access(v, block, at, buffer_of(&group->root->results[i]),
                                         model_traffic_written(v->model, group->root, i), spare);
        if (c)
            c->has_others = true;
    }
}

static void add_block(struct vmem *v, struct model_block *block, int depth)
{
    double weight = pow(TRIPS, depth < MOST_LOOPS ? depth : MOST_LOOPS);
    for (size_t i = 0; i < block->groups.count; i++) {
        struct model_group *group = block->groups.items[i];
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            add_block(v, group->inside[k], depth + (group->root->code == OP_while));
        if (!group->inside)
            add_group(v, block, group, weight);
        else
            v->weight[group->begin] = v->weight[group->end] = weight,
            v->begun[group->end] = &group->begun;
    }
    v->weight[block->begin] = v->weight[block->end] = weight;
    v->begun[block->begin] = &block->begun;
}

/* ---- what kernels need ----------------------------------------------------------------------- */
/* Whether kernels take their own part of vector memory only while they run, rather than a part that
 * values never have. */
static bool is_divided_by_kernel(const struct accelerator *a)
{
    return !a->cmem_bytes && a->vmem_for_values + a->vmem_for_kernel > a->vmem_bytes;
}

/* Dumps for 7x state each kernel's part: 17.5 % of the most for the smallest, all of it for larger
 * products; between them about what the kernel's operands and results have. */
static uint64_t kernel_bytes(const struct vmem *v, const struct model_group *group)
{
    const double smallest = 0.175, most = (double)v->model->accelerator->vmem_for_kernel;
    double bytes = smallest * most + bytes_of(v->model, group);
    return (uint64_t)(bytes < most ? bytes : most);
}

static void reserve(struct vmem *v, const struct model_block *block)
{
    for (size_t i = 0; i < block->groups.count; i++) {
        const struct model_group *group = block->groups.items[i];
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            reserve(v, group->inside[k]);
        if (!group->inside)
            model_occupancy_add(v->occupancy, group->begin, group->begin, kernel_bytes(v, group));
    }
}

static void sum_times(struct vmem *v)
{
    for (int64_t i = 0; i < v->model->positions; i++)
        v->elapsed[i + 1] = v->elapsed[i] + v->idle[i] * v->weight[i];
}

/* ---- placement ------------------------------------------------------------------------------- */
/* Seconds of the kernels between two positions, in one execution of the outermost loop's body that
 * has both. */
static double between(const struct vmem *v, int64_t first, int64_t last)
{
    double weight = v->weight[first] < v->weight[last] ? v->weight[first] : v->weight[last];
    return last > first ? (v->elapsed[last] - v->elapsed[first + 1]) / weight : 0;
}

static bool is_free(const struct vmem *v, int64_t first, int64_t last, uint64_t bytes)
{
    return bytes <= v->capacity &&
           model_occupancy_peak(v->occupancy, first, last) <= v->capacity - bytes;
}

/* Whether a value may stay from `first` to `last`. */
static bool stays(const struct vmem *v, int64_t first, int64_t last, uint64_t bytes)
{
    double longest = LONGEST * (double)v->capacity / v->model->accelerator->hbm_rate;
    return between(v, first, last) < longest && is_free(v, first, last, bytes);
}

/* Gives the copy the idle seconds of kernels from `first`, before `last`. */
static bool copies(struct vmem *v, int64_t first, int64_t last, double seconds)
{
    bool in_loop = v->weight[last] > 1;
    double left = in_loop ? SLACK_IN_LOOPS * seconds : seconds;
    int64_t i = first + 1;
    for (; i < last && left > 0; i++)
        left -= v->idle[i];
    if (left > 0)
        return false;
    left = seconds;
    for (i = first + 1; i < last && left > 0; i++) {
        double taken = v->idle[i] < left ? v->idle[i] : left;
        v->idle[i] -= taken;
        left -= taken;
    }
    return true;
}

/* Notes that the copy for the access begins after the kernel at the position, or with its block.
 * Copies that begin together are made in the order in which they are needed. */
static void begin_copy(struct vmem *v, int64_t position, const struct vmem_use *access)
{
    while (!v->begun[position])
        position--;
    struct model_read **at = v->begun[position], *read = access->read;
    for (int i = 0; i < MOST_COPIES && *at && (*at)->needed <= access->at; i++)
        at = &(*at)->next_begun;
    read->in_vmem = read->is_fetched = true;
    read->needed = access->at;
    read->next_begun = *at;
    *at = read;
}

/* Fetches the value for one access, not before `from`. */
static bool fetch(struct vmem *v, const struct vmem_use *access, int64_t from, uint64_t bytes)
{
    double seconds = (double)bytes / v->model->accelerator->hbm_rate;
    int64_t earliest = from > access->earliest ? from : access->earliest, begin = access->at - 1;
    if (access->bytes * 2 < (double)bytes)
        return false;
    for (int i = 0; begin > earliest && i < MOST_STEPS; i++, begin--)
        if (between(v, begin, access->at) >= PREFERRED * seconds)
            break;
    for (; begin < access->at; begin++)
        if (is_free(v, begin, access->end, bytes))
            break;
    if (begin >= access->at || !copies(v, begin, access->at, seconds))
        return false;
    model_occupancy_add(v->occupancy, begin, access->end, bytes);
    begin_copy(v, begin, access);
    return true;
}

static bool is_temporary(const struct model_buffer *buffer)
{
    return buffer->storage == MODEL_TEMPORARY;
}

/* Seconds of the copies to and from the memory of an argument or result, which is in HBM. */
static double copied_seconds(const struct vmem *v, const struct model_buffer *buffer)
{
    enum { IN_AND_OUT = 2 };
    double seconds = (double)buffer->bytes / v->model->accelerator->hbm_rate;
    return buffer->storage == MODEL_TEMPORARY  ? 0
           : buffer->storage == MODEL_ARGUMENT ? IN_AND_OUT * seconds
                                               : seconds;
}

/* What loops carry, and what one kernel needs for itself, is there all the time or not at all. */
static void place_whole(struct vmem *v, const struct candidate *c)
{
    struct model_buffer *buffer = c->buffer;
    bool stays_in_hbm = buffer->storage == MODEL_ARGUMENT && !buffer->given;
    if (buffer->in_hbm || stays_in_hbm || c->saved <= copied_seconds(v, buffer))
        return;
    buffer->in_vmem = stays(v, buffer->first, buffer->last, buffer->bytes);
    if (buffer->in_vmem)
        model_occupancy_add(v->occupancy, buffer->first, buffer->last, buffer->bytes);
}

/* The last position at which a use that does not find the value in vector memory needs it in HBM: a
 * copy for a kernel ends before the kernel begins, one in a loop is made in each iteration. */
static int64_t needed_until(const struct vmem_use *use, bool is_fetched)
{
    return is_fetched && use->end == use->at ? use->at - 1 : use->end;
}

/* Whether the use is of an argument that an earlier kernel outside of loops has read in HBM. It is
 * copied beside that kernel, and this one does not wait for HBM. */
static bool was_read(const struct model_buffer *buffer, const struct vmem_use *use, int64_t from)
{
    return buffer->storage == MODEL_ARGUMENT && from > buffer->first && use->earliest == 0;
}

/* The value begins in vector memory, or is written to HBM and fetched for the uses after that. What
 * all later uses find in vector memory is in HBM no longer. */
static void place(struct vmem *v, const struct candidate *c)
{
    struct model_buffer *buffer = c->buffer;
    bool is_used = buffer->last > buffer->first;
    bool is_there = is_temporary(buffer) && !buffer->in_hbm && is_used, always = is_there;
    int64_t from = buffer->first, needed = from;
    for (const struct vmem_use *a = c->first; a; a = a->next) {
        if (a->end <= from)
            continue;
        bool same_loop = is_temporary(buffer) || from >= a->earliest;
        int64_t first = from + (from > buffer->first);
        if (is_there && same_loop && stays(v, first, a->end, buffer->bytes)) {
            model_occupancy_add(v->occupancy, first, a->end, buffer->bytes);
            if (a->read)
                a->read->in_vmem = true;
        } else {
            is_there = a->read &&
                       fetch(v, a, was_read(buffer, a, from) ? buffer->first : from, buffer->bytes);
            always = false;
            needed = needed_until(a, is_there);
        }
        from = a->end;
    }
    bool stays_on = always && stays(v, from + (from > buffer->first), buffer->last, buffer->bytes);
    if (stays_on && buffer->last > from)
        model_occupancy_add(v->occupancy, from + 1, buffer->last, buffer->bytes);
    buffer->in_vmem = stays_on;
    if (is_temporary(buffer) && !stays_on && from == buffer->last && needed > buffer->first)
        buffer->last = needed;
}

static bool may_be_fetched_ahead(const struct vmem *v, const struct candidate *c)
{
    return c->buffer->storage == MODEL_ARGUMENT && c->first && !c->has_others &&
           c->last->earliest == 0 && c->buffer->bytes <= v->capacity;
}

/* One argument that only products read, or a reduction by itself, is fetched by the execution
 * before this one, at its end: the largest of those that have room. */
static void place_ahead(struct vmem *v, size_t count)
{
    struct candidate *found = NULL;
    for (size_t i = 0; i < count && !v->model->accelerator->vmem_is_cache; i++) {
        struct candidate *c = &v->candidates[i];
        if (may_be_fetched_ahead(v, c) && (!found || c->buffer->bytes > found->buffer->bytes))
            found = c;
    }
    if (!found)
        return;
    struct model_buffer *buffer = found->buffer;
    int64_t end = v->model->positions - 1, begin = end - 1;
    double seconds = (double)buffer->bytes / v->model->accelerator->hbm_rate;
    for (int i = 0; begin > found->last->at && i < MOST_STEPS; i++, begin--)
        if (between(v, begin, end) >= seconds)
            break;
    model_occupancy_add(v->occupancy, 0, found->last->at, buffer->bytes);
    if (begin > found->last->at)
        model_occupancy_add(v->occupancy, begin, end, buffer->bytes);
    found->first->read->is_ahead = true;
    for (struct vmem_use *a = found->first->next; a; a = a->next)
        a->read->in_vmem = true;
    found->first = NULL;
}

/* ---- candidates ------------------------------------------------------------------------------ */
static int compare(const void *left, const void *right)
{
    const struct candidate *x = left, *y = right;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    return x->buffer->index < y->buffer->index ? -1 : 1;
}

static void set_priority(const struct vmem *v, struct candidate *c)
{
    const struct model_buffer *buffer = c->buffer;
    if (!c->first)
        c->saved = buffer->traffic / v->model->accelerator->hbm_rate;
    c->priority = buffer->bytes ? c->saved / sqrt((double)buffer->bytes) : 0;
}

static bool may_be_in_vmem(const struct model_buffer *buffer)
{
    return !buffer->same && buffer->bytes && buffer->memory == MEMORY_DEVICE &&
           (buffer->storage == MODEL_ARGUMENT || buffer->storage == MODEL_TEMPORARY ||
            (buffer->storage == MODEL_RESULT && buffer->loop));
}

static void place_all(struct vmem *v)
{
    size_t count = 0;
    for (size_t i = 0; i < v->model->buffers.count; i++) {
        struct candidate *c = &v->candidates[i];
        c->buffer = v->model->buffers.items[i];
        set_priority(v, c);
        if (may_be_in_vmem(c->buffer))
            v->candidates[count++] = *c;
    }
    if (count)
        qsort(v->candidates, count, sizeof *v->candidates, compare);
    place_ahead(v, count);
    for (size_t i = 0; i < count; i++)
        if (v->candidates[i].first && !v->candidates[i].buffer->loop)
            place(v, &v->candidates[i]);
        else
            place_whole(v, &v->candidates[i]);
}

void model_vmem(struct model *model)
{
    struct arena *arena = arena_step(model->arena);
    size_t positions = (size_t)model->positions;
    struct vmem v = {
        .arena = arena, .model = model, .capacity = model->accelerator->vmem_for_values};
    v.candidates = ARENA_ARRAY(arena, struct candidate, model->buffers.count + 1);
    v.elapsed = ARENA_ARRAY(arena, double, positions + 1);
    v.idle = ARENA_ARRAY(arena, double, positions + 1);
    v.weight = ARENA_ARRAY(arena, double, positions + 1);
    v.begun = ARENA_ARRAY(arena, struct model_read **, positions + 1);
    v.occupancy = model_occupancy_create(arena, model->positions);
    for (size_t i = 0; i < model->buffers.count; i++)
        model->buffers.items[i]->index = (int)i;
    add_block(&v, model->entry, 0);
    sum_times(&v);
    if (is_divided_by_kernel(model->accelerator))
        reserve(&v, model->entry);
    place_all(&v);
    arena_step_clear(model->arena);
}
