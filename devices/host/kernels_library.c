/* kernels_library.c: see kernels_library.h. */
#include "devices/host/kernels_library.h"

#include <stdatomic.h>
#include <string.h>

#include "base/cpu.h"
#include "base/fork.h"
#include "base/library.h"
#include "base/map.h"

static struct fork_lock lock = FORK_LOCK(FORK_LIBRARY, NULL);
static struct kernels_library library;

static struct error *open_library(void)
{
    static const char *const names[] = {"kernels_dot_plan", "kernels_convolution_plan",
                                        "kernels_dot_supported", "kernels_convolution_supported",
                                        "kernels_find_call"};
    void *symbols[5];
    TRY(library_check("libdnnl.so.3"));
    TRY(library_open("libgantry_kernels.so", "kernels_build", 5, names, symbols));
    library.find_call = (kernels_find_call_function *)symbols[4];
    library.convolution_supported = (kernels_convolution_supported_function *)symbols[3];
    library.dot_supported = (kernels_dot_supported_function *)symbols[2];
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

/* ---- what is supported ----------------------------------------------------------------------- */
/* A lock-free cache of answers, indexed by the hash of the query: an entry is the hash with the
 * answer in its lowest bit, and a newer entry replaces an older one with the same index. */
enum { ANSWERS = 2048 };
static _Atomic(uint64_t) answers[ANSWERS];

static bool lookup_answer(uint64_t hash, bool *answer)
{
    uint64_t entry = atomic_load_explicit(&answers[hash / 2 % ANSWERS], memory_order_relaxed);
    *answer = entry & 1;
    return entry && (entry | 1) == (hash | 1);
}

static void store_answer(uint64_t hash, bool answer)
{
    atomic_store_explicit(&answers[hash / 2 % ANSWERS], (hash & ~(uint64_t)1) | answer,
                          memory_order_relaxed);
}

/* Floats accumulate in f32 for any result type; 8-bit integers produce s32. */
static bool is_narrow_product(enum dtype lhs, enum dtype rhs, enum dtype out)
{
    switch (lhs) {
    case DTYPE_F32: return rhs == lhs && out == lhs;
    case DTYPE_BF16:
    case DTYPE_F16: return rhs == lhs && (out == lhs || out == DTYPE_F32);
    case DTYPE_S8: return rhs == lhs && out == DTYPE_S32;
    default: return false;
    }
}

/* Whether all products of a type by itself are supported: integers are where there are vectors of
 * 32 bytes with fused multiply-add. */
static bool is_always_supported(const struct dot_spec *s)
{
    const struct cpu_features *features = cpu_features();
    if (s->lhs != s->rhs || s->lhs != s->out)
        return false;
    switch (s->lhs) {
    case DTYPE_F32:
    case DTYPE_F64:
    case DTYPE_C64:
    case DTYPE_C128: return true;
    case DTYPE_S32:
    case DTYPE_U32:
    case DTYPE_S64:
    case DTYPE_U64: return features->avx512 || (features->avx2 && features->fma);
    default: return false;
    }
}

static const struct kernels_library *library_or_null(void)
{
    const struct kernels_library *found;
    error_free(kernels_library(&found));
    return found;
}

bool kernels_library_supports_dot(const struct dot_spec *s)
{
    const int64_t question[] = {s->lhs,
                                s->rhs,
                                s->out,
                                s->batch,
                                s->m,
                                s->n,
                                s->k,
                                s->lhs_batch_stride,
                                s->lhs_m_stride,
                                s->lhs_k_stride,
                                s->rhs_batch_stride,
                                s->rhs_k_stride,
                                s->rhs_n_stride,
                                s->out_batch_stride,
                                s->out_m_stride,
                                s->out_n_stride};
    const struct kernels_library *asked;
    bool answer;
    if (is_always_supported(s))
        return true;
    if (!is_narrow_product(s->lhs, s->rhs, s->out))
        return false;
    uint64_t hash = map_hash(question, sizeof question, 1);
    if (lookup_answer(hash, &answer))
        return answer;
    if (!(asked = library_or_null()))
        return false;
    answer = asked->dot_supported(s, cpu_usable_cores());
    store_answer(hash, answer);
    return answer;
}

/* Hashes each member, because padding is indeterminate. */
static uint64_t hash_of(const struct convolution_spec *s)
{
    const int64_t scalars[] = {s->lhs,
                               s->rhs,
                               s->out,
                               s->spatial,
                               s->batch,
                               s->in_features,
                               s->out_features,
                               s->feature_groups,
                               s->batch_groups,
                               s->lhs_batch_stride,
                               s->lhs_feature_stride,
                               s->rhs_in_stride,
                               s->rhs_out_stride,
                               s->out_batch_stride,
                               s->out_feature_stride,
                               s->above_default_precision};
    uint64_t hash = map_hash(scalars, sizeof scalars, 2);
    for (int i = 0; i < s->spatial; i++) {
        const int64_t dimension[] = {s->in[i],           s->kernel[i],       s->out_size[i],
                                     s->stride[i],       s->pad_low[i],      s->pad_high[i],
                                     s->lhs_dilation[i], s->rhs_dilation[i], s->reverse[i],
                                     s->lhs_stride[i],   s->rhs_stride[i],   s->out_stride[i]};
        hash = map_hash(dimension, sizeof dimension, hash);
    }
    return hash;
}

bool kernels_library_supports_convolution(const struct convolution_spec *s)
{
    const struct kernels_library *asked;
    bool answer;
    if (!is_narrow_product(s->lhs, s->rhs, s->out))
        return false;
    uint64_t hash = hash_of(s);
    if (lookup_answer(hash, &answer))
        return answer;
    if (!(asked = library_or_null()))
        return false;
    answer = asked->convolution_supported(s, cpu_usable_cores());
    store_answer(hash, answer);
    return answer;
}

/* ---- custom calls ---------------------------------------------------------------------------- */
bool kernels_library_is_call(const char *name, const char *letters, const char *target, size_t size)
{
    size_t length = strlen(name);
    if (!letters)
        return size == length && !memcmp(target, name, size);
    return size == 7 + 1 + length + 4 && !memcmp(target, "lapack_", 7) && target[7] &&
           strchr(letters, target[7]) && !memcmp(target + 8, name, length) &&
           !memcmp(target + 8 + length, "_ffi", 4);
}

bool kernels_library_has_call(const char *target, size_t size)
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
        if (kernels_library_is_call(known[i].name, known[i].letters, target, size))
            return true;
    return false;
}
