/* top_k_spec.c: see top_k_spec.h. */
#include "compiler/program/top_k_spec.h"

static bool has_type(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_S8:
    case DTYPE_S16:
    case DTYPE_S32:
    case DTYPE_U8:
    case DTYPE_U16:
    case DTYPE_U32:
    case DTYPE_F16:
    case DTYPE_BF16:
    case DTYPE_F32: return true;
    default: return false;
    }
}

bool top_k_spec_is_supported(const struct top_k_spec *spec)
{
    return has_type(spec->dtype) && spec->k >= 1 && spec->k <= spec->length &&
           spec->k <= TOP_K_MOST && spec->length <= TOP_K_LENGTH &&
           (spec->total || !dtype_is_float(spec->dtype) || spec->dtype == DTYPE_F32);
}
