/* pallas_body.c: see pallas_body.h. */
#include "compiler/model/pallas/pallas_body.h"

#include <math.h>
#include <string.h>

#include "compiler/model/pallas/pallas_lanes.h"

enum { ISSUE = 4, LOOP = 3, LOOKED_AT = 8, MAX_VISITED = 1 << 18 /* operations of a run */ };

/* Segments of tpu.enqueue_dma and tpu.wait_dma2. */
enum { DMA_SOURCE = 0, DMA_TARGET = 2, DMA_TARGET_SEMAPHORE = 3, DMA_DEVICE = 4 };

struct pallas_body pallas_body(struct arena *arena, const struct accelerator *accelerator,
                               const struct kernel *kernel)
{
    int count = kernel->main->value_count;
    struct pallas_body body = {.accelerator = accelerator,
                               .scalars = pallas_scalars(arena, kernel->main),
                               .lanes = pallas_lanes(arena, kernel),
                               .roots = ARENA_ARRAY(arena, int, (size_t)count + 1),
                               .slots = ARENA_ARRAY(arena, int64_t, (size_t)count + 1),
                               .ready = ARENA_ARRAY(arena, double, (size_t)count + 1)};
    for (int i = 0; i < count; i++)
        body.roots[i] = i;
    return body;
}

double pallas_body_copy_cycles(const struct accelerator *a, enum kernel_space space, bool is_output,
                               double bytes)
{
    double latency = space == KERNEL_SMEM ? a->dma_smem_seconds
                     : is_output          ? a->dma_out_seconds
                                          : a->dma_in_seconds;
    return a->clock_hz * (latency + bytes / a->hbm_rate);
}

/* Ends a piece of straight code. */
static void flush(struct pallas_body *body)
{
    body->now += pallas_work_cycles(&body->work, fmax(body->path - body->now, 0));
    pallas_work_sum(&body->total, &body->work, 1);
    body->work = (struct pallas_work){0};
}

/* ---- DMAs ------------------------------------------------------------------------------------ */
static double bytes_of(const struct kernel_type *type)
{
    return type->elements == KERNEL_DYNAMIC || type->dtype == DTYPE_INVALID
               ? 0
               : (double)type->elements * dtype_info(type->dtype)->bits / 8;
}

static const struct kernel_value *segment(const struct kernel_op *op, int index)
{
    int first, count = kernel_op_segment(op, index, &first);
    return count > 0 ? op->operands[first] : NULL;
}

static double link_cycles(const struct accelerator *a, double bytes)
{
    return a->clock_hz * (a->hop_seconds + bytes / a->link_rate);
}

static bool is_on_core(enum kernel_space space)
{
    return space == KERNEL_VMEM || space == KERNEL_SMEM;
}

/* Of a copy within the device. */
static double local_cycles(const struct accelerator *a, const struct kernel_op *op, double bytes)
{
    const struct kernel_value *source = segment(op, DMA_SOURCE), *target = segment(op, DMA_TARGET);
    if (!source || !target)
        return 0;
    bool is_output = is_on_core(source->type->space);
    return pallas_body_copy_cycles(a, is_output ? source->type->space : target->type->space,
                                   is_output, bytes);
}

static void start_copy(struct pallas_body *body, const struct kernel_op *op)
{
    const struct kernel_value *source = segment(op, DMA_SOURCE),
                              *semaphore = segment(op, DMA_TARGET_SEMAPHORE);
    double bytes = source ? bytes_of(source->type) : 0;
    bool is_remote = segment(op, DMA_DEVICE) != NULL;
    flush(body);
    body->now += ISSUE;
    *(is_remote ? &body->remote_bytes : &body->copied_bytes) += bytes;
    if (body->copy_count == PALLAS_MAX_COPIES || !semaphore)
        return;
    body->copies[body->copy_count++] =
        (struct pallas_copy){body->roots[semaphore->id], body->slots[semaphore->id],
                             body->now + (is_remote ? link_cycles(body->accelerator, bytes)
                                                    : local_cycles(body->accelerator, op, bytes))};
}

/* The oldest copy that signals the semaphore, or the oldest one. As in libtpu's profiles, a wait
 * for an element of an array of semaphores whose index they do not know is for the copy that was
 * last started with any of them. */
static int awaited(const struct pallas_body *body, const struct kernel_op *op)
{
    int semaphore = op->operand_count ? body->roots[op->operands[0]->id] : -1, last = -1;
    int64_t slot = op->operand_count ? body->slots[op->operands[0]->id] : 0;
    for (int i = 0; i < body->copy_count; i++) {
        const struct pallas_copy *copy = &body->copies[i];
        if (copy->semaphore != semaphore)
            continue;
        if (slot != PALLAS_ANY_SLOT && (copy->slot == slot || copy->slot == PALLAS_ANY_SLOT))
            return i;
        last = i;
    }
    return last < 0 ? 0 : last;
}

/* The first index of a view, where libtpu's profiles know it. */
static int64_t slot_of(const struct pallas_body *body, const struct kernel_op *op)
{
    int64_t index = PALLAS_ANY_SLOT;
    if (op->code != KERNEL_MEMREF_SLICE || op->operand_count < 2)
        return body->slots[op->operands[0]->id];
    bool known = pallas_scalars_get_profiled(&body->scalars, op->operands[1], &index);
    return known ? index : PALLAS_ANY_SLOT;
}

static void await_copy(struct pallas_body *body, const struct kernel_op *op)
{
    flush(body);
    if (!body->copy_count)
        return;
    int i = awaited(body, op);
    double wait = fmax(body->copies[i].done - body->now, 0);
    body->waited += wait;
    body->now += wait;
    body->copy_count--;
    memmove(&body->copies[i], &body->copies[i + 1],
            (size_t)(body->copy_count - i) * sizeof *body->copies);
}

/* ---- control --------------------------------------------------------------------------------- */
static void run_block(struct pallas_body *body, const struct kernel_block *block);

static void forget_results(struct pallas_body *body, const struct kernel_op *op)
{
    for (int i = 0; i < op->result_count; i++)
        pallas_scalars_forget(&body->scalars, &op->results[i]);
}

/* A region whose arguments are not known. */
static void run_region(struct pallas_body *body, const struct kernel_op *op, int region)
{
    const struct kernel_block *block = &op->regions[region];
    for (int i = 0; i < block->argument_count; i++)
        pallas_scalars_forget(&body->scalars, &block->arguments[i]);
    run_block(body, block);
    flush(body);
}

static bool is_empty(const struct kernel_block *block)
{
    return !block->first || !block->first->next;
}

/* Of a condition that is not known, the branch that does something. */
static void run_if(struct pallas_body *body, const struct kernel_op *op)
{
    int64_t condition;
    bool known = pallas_scalars_get(&body->scalars, op->operands[0], &condition);
    int region = known ? !condition : is_empty(&op->regions[0]);
    if (region < op->region_count)
        run_region(body, op, region);
}

static void run_switch(struct pallas_body *body, const struct kernel_op *op)
{
    int64_t index, region = op->region_count > 1 ? 1 : 0;
    if (pallas_scalars_get(&body->scalars, op->operands[0], &index)) {
        region = 0;
        for (int64_t i = 0; i < op->attrs->sizes.count && i + 1 < op->region_count; i++)
            if (op->attrs->sizes.at[i] == index)
                region = i + 1;
    }
    run_region(body, op, (int)region);
}

/* What the sums advance by from `before` to now, `times` more. */
static void repeat(struct pallas_body *body, const struct pallas_body *before, double times)
{
    struct pallas_work change = body->total;
    pallas_work_sum(&change, &before->total, -1);
    body->now += times * (body->now - before->now);
    body->copied_bytes += times * (body->copied_bytes - before->copied_bytes);
    body->remote_bytes += times * (body->remote_bytes - before->remote_bytes);
    body->waited += times * (body->waited - before->waited);
    pallas_work_sum(&body->total, &change, times);
}

static const struct kernel_op *terminator(const struct kernel_block *block)
{
    const struct kernel_op *op = block->first;
    while (op && op->next)
        op = op->next;
    return op;
}

static void iterate(struct pallas_body *body, const struct kernel_op *op, int64_t index, bool known)
{
    const struct kernel_block *block = &op->regions[0];
    if (known)
        pallas_scalars_set(&body->scalars, &block->arguments[0], index);
    else
        pallas_scalars_forget(&body->scalars, &block->arguments[0]);
    run_block(body, block);
    flush(body);
    body->now += LOOP;
}

/* The first iterations are run: one, once many operations have been visited. Later ones take as
 * long as the last two on average: copies often alternate between two buffers. */
static void run_for(struct pallas_body *body, const struct kernel_op *op)
{
    int64_t lower, upper, step;
    const struct kernel_block *block = &op->regions[0];
    const struct kernel_op *yield = terminator(block);
    int carried = yield ? yield->operand_count : 0;
    bool known = pallas_scalars_get(&body->scalars, op->operands[0], &lower) &&
                 pallas_scalars_get(&body->scalars, op->operands[1], &upper) &&
                 pallas_scalars_get(&body->scalars, op->operands[2], &step) && step > 0;
    body->has_unknown_trips |= !known;
    int64_t trips = !known ? 1 : upper > lower ? (upper - lower + step - 1) / step : 0;
    int most = body->visited > MAX_VISITED ? 1 : body->depth < 2 ? LOOKED_AT : 2;
    int looked_at = trips < most ? (int)trips : most;
    struct pallas_body before = *body;
    pallas_scalars_move(&body->scalars, carried, op->operands + 3, block->arguments + 1);
    body->depth++;
    for (int i = 0; i < looked_at; i++) {
        if (i >= looked_at - 2 && (looked_at - i) % 2 == 0)
            before = *body;
        iterate(body, op, lower + i * step, known);
        pallas_scalars_move(&body->scalars, carried, yield->operands, block->arguments + 1);
    }
    if (trips > looked_at)
        repeat(body, &before, (double)(trips - looked_at) / (looked_at < 2 ? 1 : 2));
    body->depth--;
}

static void run_control(struct pallas_body *body, const struct kernel_op *op)
{
    flush(body);
    if (op->code == KERNEL_IF) {
        run_if(body, op);
    } else if (op->code == KERNEL_FOR) {
        run_for(body, op);
    } else if (op->code == KERNEL_INDEX_SWITCH) {
        run_switch(body, op);
    } else {
        body->has_unknown_trips |= op->code == KERNEL_WHILE;
        for (int r = 0; r < op->region_count; r++)
            run_region(body, op, r);
    }
    forget_results(body, op);
}

/* ---- the walk -------------------------------------------------------------------------------- */
/* When an operand is there. Stores to one reference do not wait for each other, loads wait for
 * them. */
static double operand_ready(const struct pallas_body *body, const struct kernel_op *op, int i)
{
    const struct kernel_value *operand = op->operands[i];
    bool is_store = kernel_op_info(op->code)->class == KERNEL_CLASS_STORE;
    if (is_store && operand->type->kind == KERNEL_REF)
        return body->now;
    return fmax(body->now, body->ready[body->roots[operand->id]]) +
           pallas_work_operand_latency(op, i);
}

static void add_work(struct pallas_body *body, const struct kernel_op *op)
{
    bool is_store = kernel_op_info(op->code)->class == KERNEL_CLASS_STORE;
    double end = body->now;
    for (int i = 0; i < op->operand_count; i++)
        end = fmax(end, operand_ready(body, op, i));
    end += pallas_work_add(&body->work, body->accelerator, op, body->lanes, end - body->now);
    for (int i = 0; i < op->result_count; i++)
        body->ready[op->results[i].id] = end;
    for (int i = 0; is_store && i < op->operand_count; i++)
        if (op->operands[i]->type->kind == KERNEL_REF)
            body->ready[body->roots[op->operands[i]->id]] = end;
    body->path = fmax(body->path, end);
}

static void run_op(struct pallas_body *body, const struct kernel_op *op)
{
    body->visited++;
    if (op->region_count) {
        run_control(body, op);
        return;
    }
    if (op->code == KERNEL_ENQUEUE_DMA)
        start_copy(body, op);
    else if (op->code == KERNEL_WAIT_DMA2 || op->code == KERNEL_WAIT_DMA)
        await_copy(body, op);
    else
        add_work(body, op);
    if (kernel_op_info(op->code)->class == KERNEL_CLASS_VIEW && op->operand_count) {
        body->roots[op->results[0].id] = body->roots[op->operands[0]->id];
        body->slots[op->results[0].id] = slot_of(body, op);
    }
    pallas_scalars_compute(&body->scalars, op);
}

static void run_block(struct pallas_body *body, const struct kernel_block *block)
{
    for (const struct kernel_op *op = block->first; op; op = op->next)
        run_op(body, op);
}

void pallas_body_run(struct pallas_body *body, const struct kernel *kernel)
{
    body->visited = 0;
    run_block(body, &kernel->main->body);
    flush(body);
}
