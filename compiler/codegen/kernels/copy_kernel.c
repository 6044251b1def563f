/* copy_kernel.c: see copy_kernel.h. A row of the result is what it has at one index of the
 * dimensions outside of the concatenated one: a run of each operand. Work items are bytes of the
 * result, so that threads may begin anywhere; or rows, where each run is an element. */
#include "compiler/codegen/kernels/copy_kernel.h"

#include "compiler/schedule/concatenation.h"

enum { BLOCK_ROWS = 64 }; /* of single elements */

struct run { /* an entry of the table */
    int64_t buffer;
    int64_t from;  /* the byte of the buffer where its first row begins */
    int64_t begin; /* of the row */
    int64_t size;
};

struct copy {
    struct kernel *k;
    LLVMValueRef table, into;
    int64_t count, rows, row_bytes;
    int64_t element; /* bytes of each run, if they are an element's; else 0 */
};

bool copy_kernel_is(const struct op *fusion)
{
    const struct op *root = fusion->regions[0]->last->operands[0]->def;
    return fusion->attrs.fusion.fusion_kind == FUSION_LOOP && fusion->result_count == 1 && root &&
           root->code == OP_concatenate && concatenation_is_copied(root);
}

/* Lists the runs, without empty ones. */
static void plan(struct copy *copy, const struct op *root)
{
    struct emitter *e = copy->k->e;
    struct run *runs = ARENA_ARRAY(e->arena, struct run, (size_t)root->operand_count);
    copy->rows = 1;
    for (int i = 0; i < (int)root->attrs.dimension.dimension; i++)
        copy->rows *= root->results[0].type->shape.dims[i];
    copy->element = dtype_bytes(root->results[0].type->shape.dtype);
    for (int i = 0; i < root->operand_count && copy->rows; i++) {
        struct run *run = &runs[copy->count];
        run->buffer = concatenation_viewed(root->operands[i], &run->from)->index;
        run->begin = copy->row_bytes;
        run->size = type_bytes(root->operands[i]->type) / copy->rows;
        copy->row_bytes += run->size;
        copy->count += run->size > 0;
        if (run->size > 0 && (run->size != copy->element || run->size > 8))
            copy->element = 0;
    }
    copy->table = emitter_constant_bytes(e, runs, copy->count * (int64_t)sizeof *runs);
}

/* Loads the 8-byte number `field` of run i. */
static LLVMValueRef load_field(struct copy *copy, LLVMValueRef i, int64_t field)
{
    struct emitter *e = copy->k->e;
    LLVMValueRef at = LLVMBuildMul(e->builder, i, emitter_i64(e, sizeof(struct run) / 8), "");
    at = LLVMBuildAdd(e->builder, at, emitter_i64(e, field), "");
    return LLVMBuildLoad2(e->builder, e->i64, emitter_at(e, e->i64, copy->table, at), "");
}

/* The address of the first row of run i. */
static LLVMValueRef source(struct copy *copy, LLVMValueRef i)
{
    struct emitter *e = copy->k->e;
    LLVMValueRef buffer = load_field(copy, i, 0);
    LLVMValueRef slot = emitter_at(e, e->pointer, copy->k->buffers, buffer);
    LLVMValueRef base = LLVMBuildLoad2(e->builder, e->pointer, slot, "");
    return emitter_at(e, e->i8, base, load_field(copy, i, 1));
}

/* Copies an element of run i to each of the rows from `first` to `end`. */
static void copy_elements(struct copy *copy, LLVMValueRef i, LLVMValueRef first, LLVMValueRef end)
{
    struct emitter *e = copy->k->e;
    LLVMTypeRef type = LLVMIntTypeInContext(e->context, (unsigned)copy->element * 8);
    LLVMValueRef from = source(copy, i);
    struct loop *rows = emitter_loop_begin(e, first, end, 1, 0, copy->rows - 1, 0, NULL);
    LLVMValueRef at = LLVMBuildMul(e->builder, rows->i, emitter_i64(e, copy->count), "");
    at = LLVMBuildAdd(e->builder, at, i, "");
    LLVMValueRef source = emitter_at(e, type, from, rows->i);
    LLVMValueRef to = emitter_at(e, type, copy->into, at);
    LLVMBuildStore(e->builder, LLVMBuildLoad2(e->builder, type, source, ""), to);
    emitter_loop_end(e, rows, NULL);
}

static struct loop *begin_runs(struct copy *copy)
{
    struct emitter *e = copy->k->e;
    return emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, copy->count), 1, 0,
                              copy->count - 1, 0, NULL);
}

/* Goes over some rows for one run after another, so that the table is read once for all of them. */
static void copy_blocks(struct copy *copy)
{
    struct emitter *e = copy->k->e;
    struct loop *blocks =
        emitter_loop_begin(e, copy->k->begin, copy->k->end, BLOCK_ROWS, 0, copy->rows - 1, 0, NULL);
    LLVMValueRef end = LLVMBuildAdd(e->builder, blocks->i, emitter_i64(e, BLOCK_ROWS), "");
    end = emitter_binary(e, "llvm.smin", end, copy->k->end);
    struct loop *runs = begin_runs(copy);
    copy_elements(copy, runs->i, blocks->i, end);
    emitter_loop_end(e, runs, NULL);
    emitter_loop_end(e, blocks, NULL);
}

/* Copies what of run i in a row is among the kernel's bytes. */
static void copy_run(struct copy *copy, LLVMValueRef row, LLVMValueRef i)
{
    struct emitter *e = copy->k->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef size = load_field(copy, i, 3);
    LLVMValueRef begin = LLVMBuildMul(b, row, emitter_i64(e, copy->row_bytes), "");
    begin = LLVMBuildAdd(b, begin, load_field(copy, i, 2), "");
    LLVMValueRef first = emitter_binary(e, "llvm.smax", begin, copy->k->begin);
    LLVMValueRef end = LLVMBuildAdd(b, begin, size, "");
    end = emitter_binary(e, "llvm.smin", end, copy->k->end);
    LLVMValueRef some = LLVMBuildICmp(b, LLVMIntSLT, first, end, "");
    struct branch *branch = emitter_branch_begin(e, some);
    LLVMValueRef offset = LLVMBuildMul(b, row, size, "");
    offset = LLVMBuildAdd(b, offset, LLVMBuildSub(b, first, begin, ""), "");
    LLVMBuildMemCpy(b, emitter_at(e, e->i8, copy->into, first), 1,
                    emitter_at(e, e->i8, source(copy, i), offset), 1,
                    LLVMBuildSub(b, end, first, ""));
    emitter_branch_end(e, branch, 0, NULL, NULL);
}

/* Goes over the rows that some of the kernel's bytes are in. */
static void copy_rows(struct copy *copy)
{
    struct emitter *e = copy->k->e;
    LLVMValueRef bytes = emitter_i64(e, copy->row_bytes);
    LLVMValueRef end = LLVMBuildAdd(e->builder, copy->k->end, bytes, "");
    end = LLVMBuildSub(e->builder, end, emitter_i64(e, 1), "");
    end = LLVMBuildSDiv(e->builder, end, bytes, "");
    LLVMValueRef first = LLVMBuildSDiv(e->builder, copy->k->begin, bytes, "");
    struct loop *rows = emitter_loop_begin(e, first, end, 1, 0, copy->rows - 1, 0, NULL);
    struct loop *runs = begin_runs(copy);
    copy_run(copy, rows->i, runs->i);
    emitter_loop_end(e, runs, NULL);
    emitter_loop_end(e, rows, NULL);
}

void copy_kernel_emit(struct kernel *k)
{
    struct copy copy = {.k = k};
    plan(&copy, k->fusion->regions[0]->last->operands[0]->def);
    k->request->work = 1;
    if (!copy.count)
        return;
    copy.into = kernel_result(k, 0);
    k->request->work = copy.element ? copy.rows : copy.rows * copy.row_bytes;
    (copy.element ? copy_blocks : copy_rows)(&copy);
}
