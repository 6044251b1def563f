/* lapack.h: custom calls implemented with LAPACK: decoded here, computed in lapack_<part>.c.
 * Matrices are column-major, and those of a batch are contiguous. Batches are computed in parallel;
 * LAPACK itself runs on one thread. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_LAPACK_H
#define GANTRY_DEVICES_HOST_KERNELS_LAPACK_H

#include "devices/host/custom_call.h"

enum lapack_type { LAPACK_S, LAPACK_D, LAPACK_C, LAPACK_Z, LAPACK_TYPES };

struct lapack_row;
struct lapack_call { /* a custom call whose values fit the row's pattern */
    const struct custom_call *call;
    const struct lapack_row *row;
    enum lapack_type type;
    enum dtype dtype;
    size_t element, real; /* bytes of an element, and of its real part */
    int64_t batch;
    int size[26]; /* sizes by letter of the pattern: size['m' - 'a'] */
};

/* Computes matrices [begin, end) of the batch; may be called on any thread. */
typedef struct error *lapack_routine(const struct lapack_call *c, int64_t begin, int64_t end);

#define LAPACK(name, letters, routine, values, copies) lapack_routine lapack_##routine;
#define PLAIN(name, routine, values, copies) lapack_routine lapack_##routine;
#include "devices/host/kernels/lapack.def"
#undef LAPACK
#undef PLAIN

static inline int lapack_size(const struct lapack_call *c, char letter)
{
    return c->size[letter - 'a'];
}
/* A leading dimension, which LAPACK requires to be at least 1. */
static inline int lapack_leading(int rows)
{
    return rows > 1 ? rows : 1;
}
static inline bool lapack_is_complex(const struct lapack_call *c)
{
    return c->type >= LAPACK_C;
}

/* Matrix or vector i of an operand or result. */
void *lapack_operand(const struct lapack_call *c, int operand, int64_t i);
void *lapack_result(const struct lapack_call *c, int result, int64_t i);
/* Reads an attribute, a character code that must be one of `allowed`. */
struct error *lapack_option(const struct lapack_call *c, const char *name, const char *allowed,
                            char *out);
/* The optimal workspace size that a query stored in the first element of `work`. */
int lapack_work_size(const struct lapack_call *c, const void *work);
/* *out is owned (alloc_free) and never NULL, even for a count of 0. */
struct error *lapack_alloc(int64_t count, size_t element, void *out);
/* Returns an error if the routine rejected an argument (info < 0), which is a bug in the caller. */
struct error *lapack_check(const struct lapack_call *c, int info);

/* Whether a column-major m x n matrix has no infinity and no NaN: for them LAPACK's iterations may
 * not end. `part`: 'L' or 'U' for that triangle, which is all that the routine reads; 'A' for
 * all. */
bool lapack_is_finite(const struct lapack_call *c, const void *matrix, int64_t m, int64_t n,
                      char part);
/* The results of matrix i for a matrix that is not finite: NaN, and 0 for integers. */
void lapack_fill_nan(const struct lapack_call *c, int64_t i);

/* Declares a Fortran routine for the four types and a table of them. */
#define LAPACK_FORTRAN(name, s, d, c, z, ...)                                                      \
    typedef void name##_function(__VA_ARGS__);                                                     \
    extern name##_function s, d, c, z;                                                             \
    static name##_function *const name[LAPACK_TYPES] = {s, d, c, z}

/* The same for two of the types, if the routines for real and complex types have different
 * arguments; indexed by [type & 1]. */
#define LAPACK_FORTRAN_PAIR(name, single, wide, ...)                                               \
    typedef void name##_function(__VA_ARGS__);                                                     \
    extern name##_function single, wide;                                                           \
    static name##_function *const name[2] = {single, wide}

#endif
