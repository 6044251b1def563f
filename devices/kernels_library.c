/* kernels_library.c: see kernels_library.h. */
#include "devices/kernels_library.h"

#include <pthread.h>

#include "base/library.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kernels_library library;

static struct error *open_library(void)
{
    static const char *const names[] = {"kernels_dot_plan", "kernels_convolution_plan"};
    void *symbols[2];
    TRY(library_open("libgantry_kernels.so", 2, names, symbols));
    library.convolution_plan = (kernels_convolution_plan_function *)symbols[1];
    library.dot_plan = (kernels_dot_plan_function *)symbols[0];
    return NULL;
}

struct error *kernels_library(const struct kernels_library **out)
{
    pthread_mutex_lock(&lock);
    struct error *error = library.dot_plan ? NULL : open_library();
    pthread_mutex_unlock(&lock);
    *out = error ? NULL : &library;
    return error;
}

/* Floats accumulate in f32 whatever the result; integers give s32. */
static bool narrow_product(enum dtype lhs, enum dtype rhs, enum dtype out)
{
    switch (lhs) {
    case DTYPE_F32: return rhs == lhs && out == lhs;
    case DTYPE_BF16:
    case DTYPE_F16: return rhs == lhs && (out == lhs || out == DTYPE_F32);
    case DTYPE_S8: return rhs == lhs && out == DTYPE_S32;
    default: return false;
    }
}

bool kernels_serve_dot(enum dtype lhs, enum dtype rhs, enum dtype out)
{
    bool wide = lhs == DTYPE_F64 || lhs == DTYPE_C64 || lhs == DTYPE_C128;
    return (wide && rhs == lhs && out == lhs) || narrow_product(lhs, rhs, out);
}

bool kernels_serve_convolution(enum dtype lhs, enum dtype rhs, enum dtype out)
{
    return narrow_product(lhs, rhs, out);
}
