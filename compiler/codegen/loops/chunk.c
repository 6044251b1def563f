/* chunk.c: see chunk.h. */
#include "compiler/codegen/loops/chunk.h"

enum { LINE = 64 /* bytes of a cache line */ };

/* Bytes of a vector in registers, of which the largest elements have 8. */
static int64_t vector_bytes(enum dtype dtype, int lanes)
{
    int bytes = dtype_bytes(dtype_real_part(dtype));
    return (int64_t)lanes * (element_is_small_float(dtype) ? 4 : bytes);
}

int64_t chunk_array_bytes(const struct chunk *chunk, enum dtype dtype, int lanes)
{
    return chunk->most * vector_bytes(dtype, lanes) * (dtype_is_complex(dtype) ? 2 : 1);
}

struct element chunk_array(struct emitter *e, const struct chunk *chunk, enum dtype dtype,
                           int lanes)
{
    LLVMTypeRef type = LLVMArrayType2(element_type(e, dtype, lanes), (uint64_t)chunk->most);
    struct element array = {{emitter_alloca(e, type, LINE), NULL}, lanes};
    if (dtype_is_complex(dtype))
        array.part[1] = emitter_alloca(e, type, LINE);
    return array;
}

/* The address of the vector that belongs to the one being emitted. */
static LLVMValueRef address(struct emitter *e, LLVMTypeRef type, LLVMValueRef array)
{
    return emitter_at(e, type, array, e->vars.items[e->chunk->var].value);
}

/* Vectors of whole cache lines are aligned to these, others not at all. */
static unsigned alignment(LLVMTypeRef type, int lanes)
{
    LLVMTypeRef scalar = lanes > 1 ? LLVMGetElementType(type) : type;
    bool is_integer = LLVMGetTypeKind(scalar) == LLVMIntegerTypeKind;
    unsigned bits = is_integer ? LLVMGetIntTypeWidth(scalar) : 32;
    return bits * (unsigned)lanes % (LINE * 8) ? 1 : LINE;
}

struct element chunk_load(struct emitter *e, enum dtype dtype, const struct element *array)
{
    LLVMTypeRef type = element_type(e, dtype, array->lanes);
    struct element vector = {{NULL, NULL}, array->lanes};
    for (int part = 0; part < 2 && array->part[part]; part++) {
        LLVMValueRef from = address(e, type, array->part[part]);
        vector.part[part] = emitter_load(e, type, from, alignment(type, array->lanes), NULL);
    }
    return vector;
}

void chunk_store(struct emitter *e, const struct element *array, const struct element *vector)
{
    for (int part = 0; part < 2 && array->part[part]; part++) {
        LLVMTypeRef type = LLVMTypeOf(vector->part[part]);
        LLVMValueRef to = address(e, type, array->part[part]);
        emitter_store(e, vector->part[part], to, alignment(type, array->lanes), NULL);
    }
}

void chunk_loop_begin(struct emitter *e, const struct chunk *chunk, struct chunk_loop *out)
{
    out->loop =
        emitter_loop_begin(e, emitter_i64(e, 0), chunk->trip_count, 1, 0, chunk->most - 1, 0, NULL);
    out->chunk = *chunk;
    out->chunk.var = out->loop->var;
    out->outer = e->chunk;
    e->chunk = &out->chunk;
}

void chunk_loop_end(struct emitter *e, struct chunk_loop *vectors)
{
    emitter_loop_end(e, vectors->loop, NULL);
    e->chunk = vectors->outer;
}
