/* row_reductions.c: see row_reductions.h. While rows are joined, all vectors have the same layout.
 * The steps first move whole blocks of 128 bits, then elements inside of blocks, as processors do
 * it best. That leaves the results in an order of its own, so rows begin in the order from which
 * the results come out in that of their lanes. */
#include "compiler/codegen/loops/row_reductions.h"

#include <string.h>

#include "compiler/codegen/element/shuffle.h"
#include "compiler/schedule/analysis.h"

bool row_reductions_index(struct emitter *e, const struct index *index, int lane, struct index *at)
{
    struct affine *moved = affine_array(e, index->rank);
    for (int i = 0; i < index->rank; i++) {
        int64_t stride = affine_split(&index->at[i], e->lane_var, &moved[i]);
        if (!affine_is_uniform(e, &moved[i]))
            return false;
        moved[i] = affine_offset(&moved[i], stride * lane);
    }
    *at = affine_index(index->rank, moved);
    return true;
}

bool row_reductions_fits(struct emitter *e, const struct op *reduce, const struct index *index)
{
    struct index at;
    uint64_t dims = 0;
    for (int i = 0; i < index->rank; i++)
        dims |= affine_is_uniform(e, &index->at[i]) ? 0 : 1ULL << i;
    return dims && e->lanes <= SHUFFLE_LANES && !e->binding && !e->tile &&
           row_reductions_index(e, index, 0, &at) && analysis_side_by_side(reduce, dims);
}

/* Lane i of vector v is element part[i] of row v * rows + row[i]. */
struct layout {
    int lanes; /* of a vector */
    int rows;  /* of a vector */
    int parts; /* lanes of a row */
    int row[SHUFFLE_LANES], part[SHUFFLE_LANES];
};

/* Where the lanes of two operands come from: lanes of one vector, then of another. */
struct halves {
    int lanes;
    int lower[2 * SHUFFLE_LANES], upper[2 * SHUFFLE_LANES];
};

static struct layout one_row(int lanes)
{
    struct layout layout = {.lanes = lanes, .rows = 1, .parts = lanes};
    for (int i = 0; i < lanes; i++)
        layout.part[i] = i;
    return layout;
}

/* The lane of an element; it exists. */
static int lane_of(const struct layout *layout, int row, int part)
{
    int lane = 0;
    while (layout->row[lane] != row || layout->part[lane] != part)
        lane++;
    return lane;
}

/* Halves the rows of `vectors` vectors, 1 or 2, into one. Lanes stay in their group of `group`
 * lanes, but of two vectors the first one's come first there. */
static struct halves halve(struct layout *layout, int vectors, int group)
{
    struct layout next = {.rows = layout->rows * vectors, .parts = layout->parts / 2};
    struct halves halves;
    for (int first = 0; first < layout->lanes; first += group)
        for (int vector = 0; vector < vectors; vector++)
            for (int i = first; i < first + group; i++) {
                if (layout->part[i] >= next.parts)
                    continue;
                int upper = lane_of(layout, layout->row[i], layout->part[i] + next.parts);
                halves.lower[next.lanes] = vector * layout->lanes + i;
                halves.upper[next.lanes] = vector * layout->lanes + upper;
                next.row[next.lanes] = vector * layout->rows + layout->row[i];
                next.part[next.lanes++] = layout->part[i];
            }
    halves.lanes = next.lanes;
    *layout = next;
    return halves;
}

/* The next step of joining `vectors` vectors, with blocks of `block` lanes. */
static struct halves next_halves(struct layout *layout, int vectors, int block)
{
    bool inside = layout->parts <= block && layout->lanes > block;
    return halve(layout, vectors > 1 ? 2 : 1, inside ? block : layout->lanes);
}

/* The place of each result's row, so that results come out in order. */
static void place_rows(int lanes, int results, int block, int *place)
{
    struct layout layout = one_row(lanes);
    int vectors = results;
    for (; layout.parts > 1; vectors = vectors > 1 ? vectors / 2 : 1)
        next_halves(&layout, vectors, block);
    for (int i = 0; i < results; i++)
        place[i] = i - i % layout.lanes + layout.row[i % layout.lanes];
}

/* Makes all accumulators of vector `i` those of one step of joining. */
static struct error *join(struct emitter *e, const struct reduction *r, const struct halves *halves,
                          int vectors, int i, struct element *rows)
{
    struct element *upper = ARENA_ARRAY(e->arena, struct element, (size_t)r->count);
    int from = vectors > 1 ? 2 * i : i;
    for (int k = 0; k < r->count; k++) {
        struct element a = rows[from * r->count + k];
        const struct element *b = vectors > 1 ? &rows[(from + 1) * r->count + k] : NULL;
        upper[k] = shuffle_element(e, &a, b, halves->lanes, halves->upper);
        rows[i * r->count + k] = shuffle_element(e, &a, b, halves->lanes, halves->lower);
    }
    TRY(r->combine(e, r->context, &rows[i * r->count], upper));
    for (int k = 0; k < r->count; k++)
        rows[i * r->count + k] = element_widen(e, &rows[i * r->count + k], halves->lanes);
    return NULL;
}

/* All lanes of vectors that have one lane for each row. */
static void concatenate(struct emitter *e, const struct reduction *r, int lanes, int vectors,
                        struct element *rows)
{
    int all[2 * SHUFFLE_LANES];
    for (int i = 0; i < 2 * SHUFFLE_LANES; i++)
        all[i] = i;
    for (; vectors > 1; vectors /= 2, lanes *= 2)
        for (int i = 0; i < vectors / 2; i++)
            for (int k = 0; k < r->count; k++) {
                const struct element *pair = &rows[2 * i * r->count + k];
                rows[i * r->count + k] = shuffle_element(e, pair, pair + r->count, 2 * lanes, all);
            }
}

/* Of the widest accumulator. */
static int bits_of(const struct reduction *r)
{
    int bits = 8;
    for (int i = 0; i < r->count; i++) {
        enum dtype dtype = dtype_real_part(r->dtypes[i]);
        int of_one = element_is_small_float(dtype) ? 32 : 8 * dtype_bytes(dtype);
        bits = of_one > bits ? of_one : bits;
    }
    return bits;
}

/* Combines the halves of a row's lanes until they fit a register. */
static struct error *fit_register(struct emitter *e, const struct reduction *r, int most,
                                  struct element *row)
{
    for (int lanes = r->lanes; lanes > most; lanes /= 2) {
        struct layout layout = one_row(lanes);
        const struct halves halves = halve(&layout, 1, lanes);
        TRY(join(e, r, &halves, 1, 0, row));
    }
    return NULL;
}

/* The accumulators of the row of a lane. A guard is that of the lane. */
static struct error *emit_row(struct emitter *e, const struct reduction *r, int lane,
                              struct element *out)
{
    const struct guard *guard = e->guard;
    struct guard of_row;
    if (guard && guard->lanes > 1) {
        LLVMValueRef number = emitter_i32(e, lane);
        LLVMValueRef is_needed = LLVMBuildExtractElement(e->builder, guard->value, number, "");
        of_row = emitter_guard(e, is_needed, 1);
        e->guard = &of_row;
    }
    struct reduction apart = *r;
    apart.apart = true;
    struct error *error = reduction_emit(e, &apart, out);
    e->guard = guard;
    return error;
}

/* The accumulators of all rows, in the places from which they are joined, in vectors of at most
 * `most` lanes. */
static struct error *emit_rows(struct emitter *e, const struct reduction *r,
                               row_reductions_row *row, const int *place, int most,
                               struct element *rows)
{
    int enabled = emitter_lanes_enabled(e), lanes = r->lanes < most ? r->lanes : most;
    for (int i = 0; i < e->lanes; i++) {
        struct element *out = &rows[place[i] * r->count];
        for (int k = 0; k < r->count && i >= enabled; k++)
            out[k] = element_widen(e, &r->initial[k], lanes);
        if (i >= enabled)
            continue;
        row(e, r->context, i);
        TRY(emit_row(e, r, i, out));
        TRY(fit_register(e, r, most, out));
    }
    return NULL;
}

struct error *row_reductions_emit(struct emitter *e, const struct reduction *r,
                                  row_reductions_row *row, struct element *out)
{
    int vectors = e->lanes, place[SHUFFLE_LANES], bits = bits_of(r),
        most = e->target->isa.vector_bytes * 8 / bits, lanes = r->lanes < most ? r->lanes : most;
    struct element *rows = ARENA_ARRAY(e->arena, struct element, (size_t)(vectors * r->count));
    place_rows(lanes, vectors, SHUFFLE_BLOCK_BITS / bits, place);
    TRY(emit_rows(e, r, row, place, most, rows));
    struct layout layout = one_row(lanes);
    for (; layout.parts > 1; vectors = vectors > 1 ? vectors / 2 : 1) {
        const struct halves halves = next_halves(&layout, vectors, SHUFFLE_BLOCK_BITS / bits);
        for (int i = 0; i < (vectors + 1) / 2; i++)
            TRY(join(e, r, &halves, vectors, i, rows));
    }
    concatenate(e, r, layout.lanes, vectors, rows);
    memcpy(out, rows, (size_t)r->count * sizeof *out);
    return NULL;
}
