/* lapack.h: custom calls that LAPACK answers: understood here, computed in lapack_<part>.c.
 * Matrices are column-major, one behind another. Batches are computed in parallel; LAPACK itself
 * runs on one thread. */
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
    int size[26]; /* by letter of the pattern: size['m' - 'a'] */
};

/* Computes matrices [begin, end) of the batch; any thread. */
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
/* A leading dimension: at least 1, or LAPACK complains. */
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
/* An attribute that is one of some characters, as its number. */
struct error *lapack_option(const struct lapack_call *c, const char *name, const char *allowed,
                            char *out);
/* The optimal size that a query left in the first element of `work`. */
int lapack_work_size(const struct lapack_call *c, const void *work);
/* Owned (alloc_free); never empty. */
struct error *lapack_alloc(int64_t count, size_t element, void *out);
/* A routine that refuses its arguments is our mistake. */
struct error *lapack_check(const struct lapack_call *c, int info);

/* Declares a Fortran routine for the four types and a table of them. */
#define LAPACK_FORTRAN(name, s, d, c, z, ...)                                                      \
    typedef void name##_function(__VA_ARGS__);                                                     \
    extern name##_function s, d, c, z;                                                             \
    static name##_function *const name[LAPACK_TYPES] = {s, d, c, z}

/* The same for two types whose routine takes other arguments than the other two's: [type & 1]. */
#define LAPACK_FORTRAN_PAIR(name, single, wide, ...)                                               \
    typedef void name##_function(__VA_ARGS__);                                                     \
    extern name##_function single, wide;                                                           \
    static name##_function *const name[2] = {single, wide}

#endif
