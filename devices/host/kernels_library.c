/* kernels_library.c: see kernels_library.h. */
#include "devices/host/kernels_library.h"

#include <string.h>

#include "base/fork.h"
#include "base/library.h"

static struct fork_lock lock = FORK_LOCK(FORK_LIBRARY, NULL);
static struct kernels_library library;

static struct error *open_library(void)
{
    static const char *const names[] = {"kernels_dot_plan", "kernels_convolution_plan",
                                        "kernels_find_call"};
    void *symbols[3];
    TRY(library_check("libdnnl.so.3"));
    TRY(library_open("libgantry_kernels.so", "kernels_build", 3, names, symbols));
    library.find_call = (kernels_find_call_function *)symbols[2];
    library.convolution_plan = (kernels_convolution_plan_function *)symbols[1];
    library.dot_plan = (kernels_dot_plan_function *)symbols[0];
    return NULL;
}

struct error *kernels_library(const struct kernels_library **out)
{
    fork_lock_take(&lock);
    struct error *error = library.dot_plan ? NULL : open_library();
    fork_lock_release(&lock);
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

bool kernels_is_call(const char *name, const char *letters, const char *target, size_t size)
{
    size_t length = strlen(name);
    if (!letters)
        return size == length && !memcmp(target, name, size);
    return size == 7 + 1 + length + 4 && !memcmp(target, "lapack_", 7) && target[7] &&
           strchr(letters, target[7]) && !memcmp(target + 8, name, length) &&
           !memcmp(target + 8 + length, "_ffi", 4);
}

bool kernels_serve_call(const char *target, size_t size)
{
    static const struct {
        const char *name, *letters;
    } known[] = {
#define LAPACK(name, letters, routine, values, copies) {#name, letters},
#define PLAIN(name, routine, values, copies) {#name, NULL},
#include "devices/host/kernels/lapack.def"
#undef LAPACK
#undef PLAIN
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (kernels_is_call(known[i].name, known[i].letters, target, size))
            return true;
    return false;
}
