/* dtype.h: element types. Their properties are listed in the table dtype.def. Pure functions,
 * thread-safe. */
#ifndef GANTRY_BASE_DTYPE_H
#define GANTRY_BASE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pjrt_c_api.h"

enum dtype {
    DTYPE_INVALID,
#define DTYPE(name, NAME, pjrt, bits, class, significand, exponent, bias) DTYPE_##NAME,
#include "base/dtype.def"
#undef DTYPE
    DTYPE_COUNT
};

enum dtype_class {
    CLASS_OPAQUE,
    CLASS_PREDICATE,
    CLASS_SIGNED,
    CLASS_UNSIGNED,
    CLASS_FLOAT,
    CLASS_COMPLEX
};

struct dtype_info {
    const char *name; /* static: "f32" */
    const char *mlir; /* static: "f32", "i1", "ui8", "complex<f32>", "f8E4M3FN" */
    enum dtype_class class;
    PJRT_Buffer_Type pjrt;
    int bits;  /* significant bits of an element; complex: both parts */
    int bytes; /* bytes of an element in memory (sub-byte: 1; token: 0) */
    int significand_bits, exponent_bits, exponent_bias; /* floats; complex: of one part */
};

/* Static. For DTYPE_INVALID and values out of range: the entry named "invalid", of 0 bytes. */
const struct dtype_info *dtype_info(enum dtype dtype);
static inline int dtype_bytes(enum dtype dtype)
{
    return dtype_info(dtype)->bytes;
}
static inline const char *dtype_name(enum dtype dtype)
{
    return dtype_info(dtype)->name;
}
enum dtype dtype_from_pjrt(PJRT_Buffer_Type type);         /* DTYPE_INVALID when unsupported */
enum dtype dtype_from_name(const char *name, size_t size); /* XLA's name: "bf16" */
enum dtype dtype_from_mlir(const char *name, size_t size); /* MLIR's name: "i32", "f8E5M2" */
bool dtype_is_integer(enum dtype dtype);                   /* signed or unsigned, not pred */
bool dtype_is_float(enum dtype dtype);
bool dtype_is_complex(enum dtype dtype);
enum dtype dtype_real_part(enum dtype dtype); /* c64 -> f32; others: the same */

/* Reference conversions of one element in memory to a double (the real part of a complex element)
 * and back. They round to nearest even and overflow as the type does (to infinity, to NaN or by
 * saturation). */
double dtype_to_double(enum dtype dtype, const void *element);
void dtype_from_double(enum dtype dtype, double value, void *element);
/* u64 wraps; floats truncate and saturate; NaN becomes 0. */
int64_t dtype_to_int64(enum dtype dtype, const void *element);

#endif
