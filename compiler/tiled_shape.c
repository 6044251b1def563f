/* tiled_shape.c: see tiled_shape.h. */
#include "compiler/tiled_shape.h"

enum { WORD_BITS = 32 };

/* Bits of an element as stored; a pred takes a byte. */
static uint64_t element_bits(enum dtype dtype)
{
    int bits = dtype_info(dtype)->bits, bytes = dtype_bytes(dtype);
    bool packed = bytes == 1 && bits < 8 && dtype != DTYPE_PRED;
    return packed ? (uint64_t)bits : (uint64_t)bytes * 8;
}

/* Rows of a type that share a sublane. */
static uint64_t packing(enum dtype dtype)
{
    uint64_t bits = element_bits(dtype);
    return bits && bits < WORD_BITS ? WORD_BITS / bits : 1;
}

static bool multiply(uint64_t *to, uint64_t by)
{
    return !__builtin_mul_overflow(*to, by, to);
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* The smallest power of two times `least` that is at least `size`, at most `most`. */
static uint64_t block(uint64_t size, uint64_t least, uint64_t most)
{
    uint64_t result = least;
    while (result < size && result < most)
        result *= 2;
    return result;
}

static uint64_t to_bytes(uint64_t elements, enum dtype dtype)
{
    if (!multiply(&elements, element_bits(dtype)) || elements > UINT64_MAX / 2)
        return UINT64_MAX;
    return round_up(round_up(elements, 8) / 8, TILED_SHAPE_ALIGNMENT);
}

/* A vector is in tiles of up to `sublanes` rows of lanes. */
static uint64_t vector_bytes(const struct accelerator *accelerator, const struct shape *shape)
{
    uint64_t size = (uint64_t)shape->dims[0], lanes = (uint64_t)accelerator->lanes;
    uint64_t unit =
        block(size, lanes * packing(shape->dtype), lanes * (uint64_t)accelerator->sublanes);
    return size > UINT64_MAX / 2 ? UINT64_MAX : to_bytes(round_up(size, unit), shape->dtype);
}

uint64_t tiled_shape_bytes_in(const struct accelerator *accelerator, const struct shape *shape,
                              int minor, int second)
{
    uint64_t rows = (uint64_t)shape->dims[second], elements = 1;
    uint64_t unit = block(rows, packing(shape->dtype), (uint64_t)accelerator->sublanes);
    if (unit < packing(shape->dtype))
        unit = packing(shape->dtype);
    bool fits =
        multiply(&elements, round_up((uint64_t)shape->dims[minor], (uint64_t)accelerator->lanes)) &&
        multiply(&elements, round_up(rows, unit));
    for (int i = 0; i < shape->rank && fits; i++)
        if (i != minor && i != second)
            fits = multiply(&elements, (uint64_t)shape->dims[i]);
    return fits ? to_bytes(elements, shape->dtype) : UINT64_MAX;
}

struct choice {
    int minor, second;
    uint64_t bytes;
};

/* The pair of minor dimensions that pads least; the last ones where that is equal. */
static struct choice choose(const struct accelerator *accelerator, const struct shape *shape)
{
    struct choice best = {0, 0, UINT64_MAX};
    for (int minor = shape->rank - 1; minor >= 0; minor--)
        for (int second = shape->rank - 1; second >= 0; second--) {
            if (second == minor)
                continue;
            uint64_t bytes = tiled_shape_bytes_in(accelerator, shape, minor, second);
            if (bytes < best.bytes || (minor == shape->rank - 1 && second == shape->rank - 2))
                best = bytes <= best.bytes ? (struct choice){minor, second, bytes} : best;
        }
    return best;
}

uint64_t tiled_shape_bytes(const struct accelerator *accelerator, const struct shape *shape)
{
    if (shape->rank == 0)
        return TILED_SHAPE_ALIGNMENT;
    return shape->rank == 1 ? vector_bytes(accelerator, shape) : choose(accelerator, shape).bytes;
}

double tiled_shape_unpadded(const struct shape *shape)
{
    double bytes = (double)element_bits(shape->dtype) / 8;
    for (int i = 0; i < shape->rank; i++)
        bytes *= (double)shape->dims[i];
    return bytes;
}

/* ---- text ------------------------------------------------------------------------------------ */
static void print_layout(const struct shape *shape, const struct choice *choice, struct text *out)
{
    text_add(out, "%d,%d", choice->minor, choice->second);
    for (int i = shape->rank - 1; i >= 0; i--)
        if (i != choice->minor && i != choice->second)
            text_add(out, ",%d", i);
}

static void print_tile(const struct accelerator *accelerator, const struct shape *shape,
                       uint64_t rows, struct text *out)
{
    uint64_t unit = block(rows, packing(shape->dtype), (uint64_t)accelerator->sublanes);
    text_add(out, ":T(%llu,%d)", (unsigned long long)unit, accelerator->lanes);
    if (packing(shape->dtype) > 1)
        text_add(out, "(%llu,1)", (unsigned long long)packing(shape->dtype));
}

void tiled_shape_print(const struct accelerator *accelerator, const struct shape *shape,
                       struct text *out)
{
    text_add(out, "%s[", dtype_name(shape->dtype));
    for (int i = 0; i < shape->rank; i++)
        text_add(out, "%s%lld", i ? "," : "", (long long)shape->dims[i]);
    text_add(out, "]");
    if (shape->rank < 2)
        return;
    struct choice choice = choose(accelerator, shape);
    text_add(out, "{");
    print_layout(shape, &choice, out);
    print_tile(accelerator, shape, (uint64_t)shape->dims[choice.second], out);
    text_add(out, "}");
}
