#include "compiler/codegen/standalone/panel.h"

enum dtype panel_dtype(enum dtype dtype)
{
    return element_is_small_float(dtype) ? DTYPE_F32 : dtype;
}

static enum dtype part_of(const struct panel *p)
{
    return dtype_is_complex(p->dtype) ? dtype_real_part(p->dtype) : p->dtype;
}

void panel_plan(struct panel *p, const struct target *target, enum dtype dtype, int64_t columns)
{
    p->dtype = panel_dtype(dtype);
    int most = target->isa.vector_bytes / dtype_bytes(part_of(p));
    p->lanes = 1;
    while (p->lanes < most && p->lanes < columns)
        p->lanes *= 2;
    most = dtype_is_complex(dtype) ? PANEL_MAX / 2 : PANEL_MAX;
    p->vectors = 1;
    while (p->vectors < most && (int64_t)p->vectors * p->lanes < columns)
        p->vectors *= 2;
}

int64_t panel_bytes(const struct panel *p)
{
    int64_t bytes = p->rows * p->ld * dtype_bytes(p->dtype);
    return (bytes + 63) & ~(int64_t)63;
}

struct affine panel_column(const struct panel *p, const struct affine *column, int v)
{
    struct affine result = affine_offset(column, (int64_t)v * p->lanes);
    if (p->lanes == 1)
        return result;
    struct affine lane = affine_var(p->e->lane_var);
    return affine_add(p->e, &result, &lane);
}

/* The address of a part of the number at (row, column). */
static struct affine offset_of(const struct panel *p, const struct affine *row,
                               const struct affine *column, int part)
{
    struct affine offset = affine_scale(row, p->ld);
    offset = affine_add(p->e, &offset, column);
    return affine_offset(&offset, part * p->rows * p->ld);
}

struct element panel_load(const struct panel *p, const struct affine *row,
                          const struct affine *column)
{
    struct element result = {{NULL, NULL}, 1};
    for (int part = 0; part < 1 + dtype_is_complex(p->dtype); part++) {
        struct affine offset = offset_of(p, row, column, part);
        struct element loaded =
            element_load(p->e, p->base, part_of(p), &offset, 2 * p->rows * p->ld);
        result.part[part] = loaded.part[0];
        result.lanes = loaded.lanes;
    }
    return result;
}

void panel_store(const struct panel *p, const struct affine *row, const struct affine *column,
                 const struct element *element)
{
    for (int part = 0; part < 1 + dtype_is_complex(p->dtype); part++) {
        struct affine offset = offset_of(p, row, column, part);
        struct element one = {{element->part[part], NULL}, element->lanes};
        element_store(p->e, p->base, part_of(p), &offset, &one, false);
    }
}

struct element panel_conjugate(struct emitter *e, const struct element *element)
{
    struct element result = *element;
    if (result.part[1])
        result.part[1] = LLVMBuildFNeg(e->builder, result.part[1], "");
    return result;
}

static LLVMValueRef minus_product(struct emitter *e, LLVMValueRef sum, LLVMValueRef a,
                                  LLVMValueRef b)
{
    LLVMValueRef product = emitter_contract(LLVMBuildFMul(e->builder, a, b, ""));
    return emitter_contract(LLVMBuildFSub(e->builder, sum, product, ""));
}

static LLVMValueRef plus_product(struct emitter *e, LLVMValueRef sum, LLVMValueRef a,
                                 LLVMValueRef b)
{
    LLVMValueRef product = emitter_contract(LLVMBuildFMul(e->builder, a, b, ""));
    return emitter_contract(LLVMBuildFAdd(e->builder, sum, product, ""));
}

/* *acc -= a * b */
static void subtract_product(struct emitter *e, struct element *acc, const struct element *a,
                             const struct element *b)
{
    acc->part[0] = minus_product(e, acc->part[0], a->part[0], b->part[0]);
    if (!acc->part[1])
        return;
    acc->part[0] = plus_product(e, acc->part[0], a->part[1], b->part[1]);
    acc->part[1] = minus_product(e, acc->part[1], a->part[0], b->part[1]);
    acc->part[1] = minus_product(e, acc->part[1], a->part[1], b->part[0]);
}

struct error *panel_update(const struct panel *p, LLVMValueRef count, const struct affine *column,
                           panel_coefficient *coefficient, void *context, struct element *acc)
{
    struct emitter *e = p->e;
    LLVMValueRef carried[2 * PANEL_MAX], zero = emitter_i64(e, 0);
    LLVMValueRef otherwise[2 * PANEL_MAX];
    int all = element_flatten(p->vectors, acc, carried);
    element_flatten(p->vectors, acc, otherwise);
    struct branch *some =
        emitter_branch_begin(e, LLVMBuildICmp(e->builder, LLVMIntSGT, count, zero, ""));
    struct loop *loop = emitter_loop_begin(e, zero, count, 1, 0, p->rows - 1, all, carried);
    struct affine s = affine_var(loop->var);
    struct element factor;
    TRY(coefficient(context, &s, &factor));
    factor = element_widen(e, &factor, p->lanes);
    element_unflatten(p->vectors, loop->carried, acc);
    for (int v = 0; v < p->vectors; v++) {
        struct affine at = panel_column(p, column, v);
        struct element row = panel_load(p, &s, &at);
        subtract_product(e, &acc[v], &factor, &row);
    }
    element_flatten(p->vectors, acc, carried);
    emitter_loop_end(e, loop, carried);
    emitter_branch_end(e, some, all, carried, otherwise);
    element_unflatten(p->vectors, carried, acc);
    return NULL;
}
