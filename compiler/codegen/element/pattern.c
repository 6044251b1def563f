/* pattern.c: see pattern.h. */
#include "compiler/codegen/element/pattern.h"

#include "compiler/codegen/element/element.h"
#include "compiler/codegen/element/shuffle.h"

enum { PATTERN_VECTORS = 4 }; /* of which a load takes elements */

int pattern_var(struct emitter *e, const int64_t *at)
{
    LLVMValueRef *numbers = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)e->lanes);
    int64_t max = 0;
    int enabled = emitter_lanes_enabled(e);
    for (int i = 0; i < e->lanes; i++) {
        numbers[i] = emitter_i64(e, at[i]);
        max = i < enabled && at[i] > max ? at[i] : max;
    }
    return emitter_var(e, LLVMConstVector(numbers, (unsigned)e->lanes), e->lanes, 0, max, 0);
}

/* Lane `i` of a constant vector. */
static bool read_lane(LLVMValueRef vector, int i, int64_t *out)
{
    LLVMValueRef number =
        LLVMIsConstant(vector) ? LLVMGetAggregateElement(vector, (unsigned)i) : NULL;
    if (!number || !LLVMIsAConstantInt(number))
        return false;
    *out = LLVMConstIntGetSExtValue(number);
    return true;
}

bool pattern_of(const struct emitter *e, const struct affine *a, int64_t *at)
{
    if (e->lanes > PATTERN_LANES)
        return false;
    for (int i = 0; i < e->lanes; i++)
        at[i] = 0;
    for (int64_t k = 0; k < a->count; k++) {
        const struct index_var *var = &e->vars.items[a->terms[k].var];
        for (int i = 0; i < e->lanes && var->lanes > 1; i++) {
            int64_t number;
            if (!read_lane(var->value, i, &number))
                return false;
            at[i] += a->terms[k].coefficient * number;
        }
    }
    return true;
}

static bool varies(const struct emitter *e, const struct affine_term *term)
{
    return e->vars.items[term->var].lanes > 1;
}

struct affine pattern_settled(struct emitter *e, const struct affine *a)
{
    int64_t at[PATTERN_LANES];
    struct affine settled = affine_constant(a->constant);
    bool plain = true;
    for (int64_t k = 0; k < a->count; k++)
        plain &= !varies(e, &a->terms[k]) || a->terms[k].var == e->lane_var;
    if (plain || e->lane_var < 0 || !pattern_of(e, a, at))
        return *a;
    int64_t stride = at[1] - at[0];
    for (int i = 1; i < e->lanes; i++)
        if (at[i] - at[i - 1] != stride)
            return *a;
    settled.constant += at[0];
    for (int64_t k = 0; k < a->count; k++)
        if (!varies(e, &a->terms[k]))
            settled.terms[settled.count++] = a->terms[k];
    struct affine lane = affine_var(e->lane_var);
    lane = affine_scale(&lane, stride);
    return affine_add(e, &settled, &lane);
}

/* The vectors of a load. */
struct source {
    LLVMValueRef pointer, base; /* base: the uniform part of the offset */
    LLVMTypeRef scalar;
    unsigned align;
    int64_t min, max; /* of what the enabled lanes add to it */
    int64_t bound;    /* elements of the buffer if some may be beyond them; else 0 */
};

static bool is_constant(const struct emitter *e, LLVMValueRef mask)
{
    int64_t enabled;
    for (int i = 0; i < e->lanes; i++)
        if (!read_lane(mask, i, &enabled))
            return false;
    return true;
}

/* The lanes that a mask enables at most, a constant; NULL: all. Padding between elements disables
 * the same lanes of every vector, whatever else the mask depends on. */
static LLVMValueRef most_lanes(const struct emitter *e, LLVMValueRef mask)
{
    LLVMValueRef of_operand = NULL;
    if (!mask || is_constant(e, mask))
        return mask;
    bool both = LLVMIsAInstruction(mask) && LLVMGetInstructionOpcode(mask) == LLVMAnd;
    for (unsigned i = 0; both && i < 2 && !of_operand; i++)
        of_operand = most_lanes(e, LLVMGetOperand(mask, i));
    return of_operand;
}

/* Sets the limits of the pattern in the lanes that a constant mask enables. False if there are
 * none. */
static bool find_limits(const struct emitter *e, LLVMValueRef mask, const int64_t *at,
                        struct source *source)
{
    source->min = INT64_MAX, source->max = INT64_MIN;
    for (int i = 0; i < e->lanes; i++) {
        int64_t enabled = 1;
        if (mask && read_lane(mask, i, &enabled) && !enabled)
            continue;
        source->min = at[i] < source->min ? at[i] : source->min;
        source->max = at[i] > source->max ? at[i] : source->max;
    }
    return source->min <= source->max;
}

/* Which of the elements from `at` on are in the buffer. */
static LLVMValueRef in_buffer(struct emitter *e, const struct source *source, LLVMValueRef at)
{
    bool narrow =
        source->bound < INT32_MAX / 2; /* `at` is at most PATTERN_VECTORS before or behind */
    struct affine lane = affine_var(e->lane_var);
    LLVMValueRef lanes = narrow ? affine_vector32(e, &lane) : affine_vector(e, &lane);
    LLVMValueRef first = narrow ? LLVMBuildTrunc(e->builder, at, e->i32, "") : at;
    LLVMValueRef positions = LLVMBuildAdd(e->builder, emitter_splat(e, first, e->lanes), lanes, "");
    return LLVMBuildICmp(e->builder, LLVMIntULT, positions,
                         emitter_int_like(LLVMTypeOf(positions), source->bound), "");
}

/* Loads as many elements from `first` on as there are lanes, but none beyond source->max. */
static LLVMValueRef load_from(struct emitter *e, const struct source *source, int64_t first)
{
    LLVMTypeRef type = emitter_vector(source->scalar, e->lanes);
    int64_t many = source->max - first + 1;
    LLVMValueRef at = LLVMBuildAdd(e->builder, source->base, emitter_i64(e, first), "");
    LLVMValueRef mask = many < e->lanes ? emitter_first_lanes(e, e->lanes, many) : NULL;
    if (source->bound) {
        LLVMValueRef inside = in_buffer(e, source, at);
        mask = mask ? LLVMBuildAnd(e->builder, mask, inside, "") : inside;
        return element_load_some(e, source->pointer, source->scalar, source->align, at,
                                 source->bound, mask);
    }
    LLVMValueRef address = emitter_at(e, source->scalar, source->pointer, at);
    return emitter_load(e, type, address, source->align, mask);
}

/* The vector of elements at[i]. Only vectors that have some of them are loaded. */
static LLVMValueRef choose(struct emitter *e, const struct source *source, const int64_t *at)
{
    LLVMValueRef loaded[PATTERN_VECTORS] = {NULL};
    int from[PATTERN_LANES];
    for (int i = 0; i < e->lanes; i++) {
        bool within = at[i] >= source->min && at[i] <= source->max;
        from[i] = within ? (int)(at[i] - source->min) : -1;
        int v = within ? from[i] / e->lanes : 0;
        if (!loaded[v])
            loaded[v] = load_from(e, source, source->min + (int64_t)v * e->lanes);
    }
    return shuffle_pick(e, loaded, PATTERN_VECTORS, from);
}

/* Whether all lanes are guarded by one condition, and no other lane is beyond the buffer. */
static bool is_guarded_whole(const struct emitter *e)
{
    return e->guard && e->guard->lanes == 1 && (!e->tail || is_constant(e, e->tail));
}

/* Sets where the vectors are. Where the guard says that none is needed, they are others of the
 * buffer: that takes less than masks. */
static void set_base(struct emitter *e, struct source *source, const struct affine *offset,
                     int64_t count, LLVMValueRef mask)
{
    int64_t min, max, covered = source->max - source->min + 1;
    affine_range(e, offset, &min, &max);
    source->base = affine_scalar(e, offset);
    if (!mask || is_constant(e, mask) || (min >= 0 && max < count))
        return;
    if (is_guarded_whole(e) && covered <= count) {
        source->base = LLVMBuildSelect(e->builder, e->guard->value, source->base,
                                       emitter_i64(e, -source->min), "");
        return;
    }
    LLVMValueRef low = emitter_i64(e, source->min);
    LLVMValueRef first = LLVMBuildAdd(e->builder, source->base, low, "");
    first = emitter_near_buffer(e, first, (int)covered, count);
    source->base = LLVMBuildSub(e->builder, first, low, "");
    source->bound = count;
}

LLVMValueRef pattern_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                          unsigned align, const struct affine *offset, int64_t count,
                          LLVMValueRef mask)
{
    int64_t at[PATTERN_LANES];
    struct source source = {.pointer = pointer, .scalar = scalar, .align = align};
    if (e->lanes == 1 || e->lane_var < 0 || !pattern_of(e, offset, at) ||
        !find_limits(e, most_lanes(e, mask), at, &source) ||
        source.max - source.min >= (int64_t)PATTERN_VECTORS * e->lanes)
        return NULL;
    set_base(e, &source, offset, count, mask);
    return choose(e, &source, at);
}
