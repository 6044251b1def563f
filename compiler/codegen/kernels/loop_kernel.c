/* loop_kernel.c: FUSION_LOOP and FUSION_ROWS: one loop nest for the results of each shape, and one
 * for each operand of a concatenation (pieces.h), which are one loop if they are parts of the same
 * rows: rows are then stored in the order of memory. Concatenations of many arrays in memory are
 * copied (copy_kernel.h). */
#include "compiler/codegen/kernels/kinds.h"

#include "base/vec.h"
#include "compiler/codegen/kernels/copy_kernel.h"
#include "compiler/codegen/loops/loops.h"
#include "compiler/codegen/loops/pieces.h"

enum { MAX_RESULTS = 1024 };

/* The nests of a kernel. */
struct nests {
    struct kernel *k;
    VEC(struct nest) list;
};

/* Adds a nest for each operand of a result that is a concatenation. False: one nest for the whole
 * result is better. */
static bool add_pieces(struct nests *nests, int result, const struct value *root)
{
    struct emitter *e = nests->k->e;
    struct piece *pieces = ARENA_ARRAY(e->arena, struct piece, CONCATENATION_PIECES);
    int count = pieces_of(e, root, pieces);
    LLVMValueRef *pointer = ARENA_NEW(e->arena, LLVMValueRef);
    if (count > 0)
        *pointer = kernel_result(nests->k, result);
    struct placement *places = ARENA_ARRAY(e->arena, struct placement, CONCATENATION_PIECES);
    for (int i = 0; i < count; i++) {
        places[i] = (struct placement){root->type, pieces[i].origin};
        struct nest nest = {.shape = pieces[i].value->type,
                            .count = 1,
                            .roots = &pieces[i].value,
                            .pointers = pointer,
                            .places = &places[i]};
        VEC_PUSH(e->arena, &nests->list, nest);
    }
    return count > 0;
}

/* Adds a nest for result `first` and all later ones of its shape that are not in `taken`. */
static void add_group(struct nests *nests, int first, bool *taken)
{
    struct kernel *k = nests->k;
    const struct op *end = k->fusion->regions[0]->last;
    size_t most = (size_t)end->operand_count;
    const struct value **roots = ARENA_ARRAY(k->e->arena, const struct value *, most);
    struct nest nest = {.shape = end->operands[first]->type,
                        .roots = roots,
                        .pointers = ARENA_ARRAY(k->e->arena, LLVMValueRef, most),
                        .by_rows = k->fusion->attrs.fusion.fusion_kind == FUSION_ROWS};
    for (int i = first; i < end->operand_count; i++) {
        if (taken[i] || !type_same_shape(nest.shape, end->operands[i]->type))
            continue;
        taken[i] = true;
        roots[nest.count] = end->operands[i];
        nest.pointers[nest.count++] = kernel_result(k, i);
    }
    VEC_PUSH(k->e->arena, &nests->list, nest);
}

static void add_results(struct nests *nests)
{
    const struct op *end = nests->k->fusion->regions[0]->last;
    bool taken[MAX_RESULTS] = {false};
    if (nests->k->fusion->attrs.fusion.fusion_kind == FUSION_LOOP)
        for (int i = 0; i < end->operand_count; i++)
            taken[i] = add_pieces(nests, i, end->operands[i]);
    for (int i = 0; i < end->operand_count; i++)
        if (!taken[i])
            add_group(nests, i, taken);
}

/* Intersects [begin, end) with [from, from + work), relative to `from`. */
static LLVMValueRef clip(struct emitter *e, LLVMValueRef at, int64_t from, int64_t work)
{
    at = LLVMBuildSub(e->builder, at, emitter_i64(e, from), "");
    at = emitter_binary(e, "llvm.smax", at, emitter_i64(e, 0));
    return emitter_binary(e, "llvm.smin", at, emitter_i64(e, work));
}

/* Loads the number of columns, if rows may be cut there: then all loops along them have whole
 * vectors, whose sizes divide PROGRAM_COLUMN_VECTOR. */
static void limit_columns(struct kernel *k)
{
    struct emitter *e = k->e;
    const struct shape *shape = &k->fusion->results[0].type->shape;
    int limits = k->fusion->operand_count + k->fusion->result_count;
    if (k->fusion->attrs.fusion.fusion_kind == FUSION_ROWS &&
        shape->dims[shape->rank - 1] % PROGRAM_COLUMN_VECTOR == 0)
        e->columns = LLVMBuildLoad2(e->builder, e->i64, kernel_buffer(k, limits + 1), "");
}

struct error *loop_kernel_emit(struct kernel *k)
{
    struct emitter *e = k->e;
    struct nests nests = {.k = k};
    if (copy_kernel_is(k->fusion)) {
        copy_kernel_emit(k);
        return NULL;
    }
    limit_columns(k);
    if (k->fusion->regions[0]->last->operand_count > MAX_RESULTS)
        return emitter_unimplemented(e, k->fusion, "more than 1024 results of a fusion");
    add_results(&nests);
    for (size_t i = 0; i < nests.list.count; i++)
        loops_plan(e->target, &nests.list.items[i]);
    int64_t work = 0;
    for (int i = 0, all = (int)nests.list.count, together; i < all; i += together) {
        const struct nest *nest = &nests.list.items[i];
        together = pieces_in_one_loop(nest, all - i);
        LLVMValueRef begin = k->begin, end = k->end;
        if (together < all) {
            begin = clip(e, k->begin, work, nest->plan.work);
            end = clip(e, k->end, work, nest->plan.work);
        }
        TRY(loops_emit(e, nest, together, begin, end));
        work += nest->plan.work;
    }
    k->request->work = work ? work : 1;
    return NULL;
}
