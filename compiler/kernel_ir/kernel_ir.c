#include "compiler/kernel_ir/kernel_ir.h"

#include <stdio.h>
#include <string.h>

static const struct kernel_op_info infos[] = {
#define KERNEL_OP(CODE, name, class, operands, results, regions)                                   \
    {name, KERNEL_CLASS_##class, operands, results, regions},
#include "compiler/kernel_ir/kernel_ops.def"
#undef KERNEL_OP
};

const struct kernel_op_info *kernel_op_info(enum kernel_code code)
{
    return &infos[code];
}

/* The table is small, and a reader looks up each name of a file once. */
enum kernel_code kernel_op_find(const char *name, size_t size)
{
    for (int code = 0; code < KERNEL_CODE_COUNT; code++)
        if (strlen(infos[code].name) == size && memcmp(infos[code].name, name, size) == 0)
            return (enum kernel_code)code;
    return KERNEL_CODE_COUNT;
}

static bool is_last(const struct kernel_type *type, struct dims contract)
{
    return contract.count == 1 && contract.at[0] == type->rank - 1;
}

bool kernel_op_is_row_product(const struct kernel_op *op)
{
    const struct kernel_type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type;
    const struct kernel_dot *dot = op->attrs->dot;
    int64_t vectors = 1;
    for (int64_t i = 0; i < dot->rhs_free.count; i++)
        vectors *= rhs->dims[dot->rhs_free.at[i]];
    return lhs->dtype == DTYPE_F32 && rhs->dtype == DTYPE_F32 && vectors == 1 &&
           is_last(lhs, dot->lhs_contract) && is_last(rhs, dot->rhs_contract);
}

int kernel_op_segment(const struct kernel_op *op, int segment, int *first)
{
    *first = 0;
    if (segment >= op->segment_count)
        return 0;
    for (int i = 0; i < segment; i++)
        *first += op->segments[i];
    return op->segments[segment];
}

void kernel_op_where(const struct kernel_op *op, char *out, size_t size)
{
    const struct location *location = op->location;
    const char *name = infos[op->code].name;
    if (!location)
        snprintf(out, size, "%s", name);
    else if (!location->file)
        snprintf(out, size, "%s at %s", name, location->name);
    else if (!location->name)
        snprintf(out, size, "%s at %s:%d", name, location->file, location->line);
    else
        snprintf(out, size, "%s at %s (%s:%d)", name, location->name, location->file,
                 location->line);
}

/* ---- windows --------------------------------------------------------------------------------- */
bool kernel_window_is_whole(const struct kernel_window *window, const struct shape *array)
{
    for (int64_t i = 0; window->is_present && i < window->bounds.count; i++)
        if (window->bounds.at[i] != array->dims[i])
            return false;
    return true;
}

/* ---- types ----------------------------------------------------------------------------------- */
struct printer {
    char *out;
    size_t size, used;
};

static void put(struct printer *p, const char *text)
{
    size_t left = p->used < p->size ? p->size - p->used : 0;
    int length = snprintf(left ? p->out + p->used : NULL, left, "%s", text);
    p->used += length > 0 ? (size_t)length : 0;
}

static void put_dims(struct printer *p, const struct kernel_type *type)
{
    char number[24];
    for (int i = 0; i < type->rank; i++) {
        snprintf(number, sizeof number, "%lld", (long long)type->dims[i]);
        put(p, type->dims[i] == KERNEL_DYNAMIC ? "?" : number);
        put(p, "x");
    }
}

static const char *element_name(const struct kernel_type *type)
{
    static const char *const semaphores[] = {"", "semaphore", "dma_semaphore", "barrier_semaphore"};
    if (type->semaphore != KERNEL_NO_SEMAPHORE)
        return semaphores[type->semaphore];
    return type->is_index ? "index" : dtype_info(type->dtype)->mlir;
}

void kernel_type_print(const struct kernel_type *type, char *out, size_t size)
{
    static const char *const spaces[] = {"any",  "hbm",        "vmem", "smem",
                                         "cmem", "semaphores", "host"};
    struct printer p = {.out = out, .size = size};
    if (size > 0)
        *out = 0;
    if (type->kind != KERNEL_SCALAR)
        put(&p, type->kind == KERNEL_VECTOR ? "vector<" : "memref<");
    put_dims(&p, type);
    put(&p, element_name(type));
    if (type->kind == KERNEL_REF) {
        put(&p, ", ");
        put(&p, spaces[type->space]);
    }
    if (type->kind != KERNEL_SCALAR)
        put(&p, ">");
}
