/* sort_radix.c: generates two functions, which process vectors if rows are contiguous:
 *
 *   load(buffers, row, first, count, arrays): evaluates operands that are not rows in memory
 *   keys(buffers, arrays, count, keys):       computes keys that are not an operand's elements
 *
 * and a call of radix_sort_row() for each row. */
#include "compiler/codegen/standalone/sort_radix.h"

#include "compiler/codegen/routines/radix_partition.h"
#include "compiler/codegen/standalone/sort_key.h"

static int64_t length_of(const struct op *op)
{
    const struct type *type = op->operands[0]->type;
    return type->shape.rank ? type->shape.dims[sort_row_dim(op)] : 1;
}

bool sort_radix_supports(const struct op *op)
{
    struct sort_key key;
    return op->operand_count <= RADIX_MAX_ARRAYS && length_of(op) >= RADIX_MIN_LENGTH &&
           length_of(op) < INT32_MAX && sort_key_find(op, &key);
}

static bool is_partitioned(const struct op *op)
{
    return sort_row_dim(op) == op->operands[0]->type->shape.rank - 1 &&
           length_of(op) >= RADIX_PARTITION_MIN_LENGTH;
}

int64_t sort_radix_capacity(const struct op *op)
{
    int64_t length = length_of(op);
    return is_partitioned(op) ? radix_partition_capacity(length) : length;
}

/* ---- the functions --------------------------------------------------------------------------- */
/* Whether the rows of an operand are in memory. */
static bool is_in_memory(const struct sort_row *s, int operand)
{
    return sort_row_is_contiguous(s) && map_get_pointer(s->e->buffers, s->op->operands[operand]);
}

static bool is_loaded(const struct sort_row *s)
{
    for (int i = 0; i < s->count; i++)
        if (!is_in_memory(s, i))
            return true;
    return false;
}

static int load_lanes(const struct sort_row *s)
{
    return sort_row_is_contiguous(s) ? s->e->target->isa.vector_bytes / 4 : 1;
}

static int key_lanes(const struct sort_row *s, const struct sort_key *key)
{
    return s->e->target->isa.vector_bytes / (key->bytes < 8 ? 4 : 8);
}

static LLVMValueRef pointer_in(struct emitter *e, LLVMValueRef arrays, int i)
{
    LLVMValueRef slot = emitter_at(e, e->pointer, arrays, emitter_i64(e, i));
    return LLVMBuildLoad2(e->builder, e->pointer, slot, "");
}

/* Begins a loop over vectors of `count` elements, a multiple of the lanes. *position: of each
 * lane, counted from `first` (in [0, max]). */
static struct loop *each_vector(struct emitter *e, int lanes, LLVMValueRef first,
                                LLVMValueRef count, int64_t max, struct lanes *back,
                                struct affine *position)
{
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), count, lanes, 0, max, 0, NULL);
    LLVMValueRef at = LLVMBuildAdd(e->builder, first, loop->i, "");
    *position = affine_var(emitter_var(e, at, 1, 0, max, e->scope->depth));
    *back = emitter_lanes(e, lanes);
    if (lanes > 1) {
        struct affine lane = affine_var(e->lane_var);
        *position = affine_add(e, position, &lane);
    }
    return loop;
}

/* The same position as `position`, counted from the loop's start. */
static struct affine in_loop(struct emitter *e, const struct loop *loop)
{
    struct affine i = affine_var(loop->var), lane;
    if (e->lanes == 1)
        return i;
    lane = affine_var(e->lane_var);
    return affine_add(e, &i, &lane);
}

static struct error *load_operands(struct sort_row *s, const struct affine *position,
                                   const struct affine *to, LLVMValueRef const *arrays)
{
    struct index index = sort_row_index(s, position);
    for (int i = 0; i < s->count; i++) {
        struct element element;
        if (!arrays[i])
            continue;
        TRY(expression_emit(s->e, s->op->operands[i], &index, &element));
        element_store(s->e, arrays[i], sort_row_dtype(s, i), to, &element, false);
    }
    return NULL;
}

/* radix_load_function */
static struct error *emit_load(struct sort_row *s, LLVMValueRef *function)
{
    LLVMTypeRef i64 = s->e->i64, pointer = s->e->pointer;
    LLVMTypeRef types[] = {pointer, i64, i64, i64, pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(s->e->context), types, 5, false);
    struct kernel k = kernel_function_begin(s->k, type);
    struct sort_row in = *s;
    LLVMValueRef arrays[RADIX_MAX_ARRAYS];
    struct affine position;
    struct lanes back;
    *function = k.e->function;
    in.k = &k, in.e = k.e;
    in.row = affine_var(emitter_var(k.e, LLVMGetParam(*function, 1), 1, 0, s->rows - 1, 0));
    for (int i = 0; i < s->count; i++)
        arrays[i] = is_in_memory(s, i) ? NULL : pointer_in(k.e, LLVMGetParam(*function, 4), i);
    int lanes = load_lanes(s);
    struct loop *loop =
        each_vector(k.e, lanes, LLVMGetParam(*function, 2), LLVMGetParam(*function, 3),
                    s->length - lanes, &back, &position);
    struct affine to = in_loop(k.e, loop);
    TRY(load_operands(&in, &position, &to, arrays));
    emitter_lanes_restore(k.e, back);
    emitter_loop_end(k.e, loop, NULL);
    kernel_function_end(&k);
    return NULL;
}

/* radix_keys_function */
static struct error *emit_keys(struct sort_row *s, const struct sort_key *key,
                               LLVMValueRef *function)
{
    LLVMTypeRef pointer = s->e->pointer, types[] = {pointer, pointer, s->e->i64, pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(s->e->context), types, 4, false);
    struct kernel k = kernel_function_begin(s->k, type);
    struct sort_row in = *s;
    struct element elements[RADIX_MAX_ARRAYS];
    LLVMValueRef arrays[RADIX_MAX_ARRAYS], bits;
    struct affine position;
    struct lanes back;
    *function = k.e->function;
    in.k = &k, in.e = k.e;
    for (int i = 0; i < s->count; i++)
        arrays[i] = pointer_in(k.e, LLVMGetParam(*function, 1), i);
    struct loop *loop = each_vector(k.e, key_lanes(s, key), emitter_i64(k.e, 0),
                                    LLVMGetParam(*function, 2), s->length, &back, &position);
    sort_row_load(&in, arrays, &position, elements);
    TRY(sort_row_key(&in, key, elements, &bits));
    if (key->bytes < 4)
        bits = LLVMBuildZExt(k.e->builder, bits, emitter_vector(k.e->i32, k.e->lanes), "");
    LLVMTypeRef scalar = key->bytes < 8 ? k.e->i32 : k.e->i64;
    LLVMValueRef to = emitter_at(k.e, scalar, LLVMGetParam(*function, 3), loop->i);
    emitter_store(k.e, bits, to, key->bytes < 8 ? 4 : 8, NULL);
    emitter_lanes_restore(k.e, back);
    emitter_loop_end(k.e, loop, NULL);
    kernel_function_end(&k);
    return NULL;
}

/* ---- the call -------------------------------------------------------------------------------- */
/* The operand whose elements are the keys but for some flipped bits; -1: keys are computed. */
static int key_array(const struct op *op, const struct sort_key *key)
{
    bool is_argument = !key->value->def && key->value->block == op->regions[0];
    return is_argument && key->bytes >= 4 && !dtype_is_float(key->dtype) ? key->value->index / 2
                                                                         : -1;
}

/* As sort_key_bits(). */
static uint64_t flip_of(const struct sort_key *key)
{
    uint64_t all = key->bytes == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t flip = element_is_signed(key->dtype) ? UINT64_C(1) << (key->bytes * 8 - 1) : 0;
    return key->by->comparison_direction == COMPARE_GT ? flip ^ all : flip;
}

/* Keys may be of other numbers than the elements: whether they are is seen when rows are sorted. */
static enum radix_element element_kind(const struct op *op, const struct sort_key *key)
{
    if (op->operand_count != 1 || key->bytes != 4)
        return RADIX_ANY;
    if (key_array(op, key) == 0)
        return RADIX_FROM_KEY;
    if (key->dtype != DTYPE_F32 || op->operands[0]->type->shape.dtype != DTYPE_F32)
        return RADIX_ANY;
    return key->by->comparison_direction == COMPARE_GT ? RADIX_FLOAT_DESCENDING : RADIX_FLOAT;
}

bool sort_radix_sorts_numbers(const struct op *op, const struct target *target)
{
    struct sort_key key;
    return target->isa.compresses && sort_radix_supports(op) && sort_key_find(op, &key) &&
           element_kind(op, &key) != RADIX_ANY;
}

static LLVMValueRef make_constants(struct sort_row *s, const struct sort_key *key)
{
    struct radix_sort sort = {
        .flip = key_array(s->op, key) < 0 ? 0 : flip_of(key),
        .key_array = key_array(s->op, key),
        .length = s->length,
        .capacity = s->capacity,
        .arrays = s->count,
        .key_bits = key->bytes * 8,
        .load_lanes = load_lanes(s),
        .key_lanes = key_lanes(s, key),
        .is_partitioned = is_partitioned(s->op),
        .element = element_kind(s->op, key),
        .has_long_digit = key->bytes == 8 || dtype_is_float(key->dtype),
    };
    for (int i = 0; i < s->count; i++)
        sort.bytes[i] = (int32_t)dtype_bytes(sort_row_dtype(s, i));
    return emitter_constant_bytes(s->e, &sort, sizeof sort);
}

struct error *sort_radix_begin(struct sort_radix *r, struct sort_row *s)
{
    struct sort_key key;
    sort_key_find(s->op, &key);
    *r = (struct sort_radix){.s = s, .load = LLVMConstNull(s->e->pointer)};
    r->keys = r->load;
    r->constants = make_constants(s, &key);
    r->addresses = emitter_alloca(s->e, LLVMArrayType2(s->e->pointer, (uint64_t)s->count * 3), 16);
    if (is_loaded(s))
        TRY(emit_load(s, &r->load));
    return key_array(s->op, &key) < 0 ? emit_keys(s, &key, &r->keys) : NULL;
}

static LLVMValueRef routine(struct emitter *e, LLVMTypeRef *type)
{
    static const char name[] = "radix_sort_row";
    LLVMTypeRef p = e->pointer, types[] = {p, p, p, p, e->i64, p};
    *type = LLVMFunctionType(LLVMVoidTypeInContext(e->context), types, 6, false);
    LLVMValueRef known = LLVMGetNamedFunction(e->module, name);
    return known ? known : LLVMAddFunction(e->module, name, *type);
}

static void put_address(struct sort_radix *r, int i, LLVMValueRef address)
{
    struct emitter *e = r->s->e;
    LLVMBuildStore(e->builder, address, emitter_at(e, e->pointer, r->addresses, emitter_i64(e, i)));
}

/* The current row of an operand; NULL if it is loaded. */
static LLVMValueRef row_of(struct sort_row *s, int operand)
{
    struct emitter *e = s->e;
    if (!is_in_memory(s, operand))
        return LLVMConstNull(e->pointer);
    LLVMValueRef base = map_get_pointer(e->buffers, s->op->operands[operand]);
    LLVMValueRef bytes = emitter_i64(e, s->length * dtype_bytes(sort_row_dtype(s, operand)));
    LLVMValueRef at = LLVMBuildMul(e->builder, affine_scalar(e, &s->row), bytes, "");
    return emitter_at(e, e->i8, base, at);
}

void sort_radix_row(struct sort_radix *r)
{
    struct sort_row *s = r->s;
    struct emitter *e = s->e;
    LLVMTypeRef type;
    LLVMValueRef function = routine(e, &type);
    for (int i = 0; i < s->count; i++) {
        put_address(r, i, row_of(s, i));
        put_address(r, s->count + i, s->arrays[0][i]);
        put_address(r, 2 * s->count + i, s->arrays[1][i]);
    }
    LLVMValueRef arguments[] = {
        r->constants, r->load, r->keys, s->k->buffers, affine_scalar(e, &s->row), r->addresses};
    LLVMBuildCall2(e->builder, type, function, arguments, 6, "");
}
