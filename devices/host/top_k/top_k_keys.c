/* top_k_keys.c: see top_k_keys.h. */
#include "devices/host/top_k/top_k_keys.h"

#include <string.h>

#include "base/cpu.h"

typedef uint32_t key_vector __attribute__((vector_size(KEY_GROUP * sizeof(uint32_t))));

static inline uint32_t key_of(const struct key_kind *kind, uint32_t bits)
{
    return bits ^ kind->always ^ ((uint32_t)((int32_t)bits >> 31) & kind->if_negative);
}

static inline uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* ---- loops, for each instruction set --------------------------------------------------------- */
enum element { BYTES_1, BYTES_2, BYTES_4, EQUAL_ZEROS, ELEMENTS };

#define NAME(name) name##_any
#define TARGET
#include "devices/host/top_k/top_k_keys_body.h"

#ifdef __x86_64__
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2")))
#include "devices/host/top_k/top_k_keys_body.h"

#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#include "devices/host/top_k/top_k_keys_body.h"
#endif

static const struct key_reader *readers_of_processor(void)
{
#ifdef __x86_64__
    const struct cpu_features *features = cpu_features();
    if (features->avx512)
        return readers_avx512;
    if (features->avx2)
        return readers_avx2;
#endif
    return readers_any;
}

/* ---- elements -------------------------------------------------------------------------------- */
static enum element element_of(const struct top_k_spec *t)
{
    if (!t->total && dtype_is_float(t->dtype))
        return EQUAL_ZEROS;
    int64_t bytes = dtype_bytes(t->dtype);
    return bytes == 1 ? BYTES_1 : bytes == 2 ? BYTES_2 : BYTES_4;
}

static bool is_signed(enum dtype dtype)
{
    return dtype == DTYPE_S8 || dtype == DTYPE_S16 || dtype == DTYPE_S32;
}

static struct key_kind kind_of(const struct top_k_spec *t)
{
    const uint32_t sign = UINT32_C(1) << 31;
    bool is_float = dtype_is_float(t->dtype);
    return (struct key_kind){.if_negative = is_float ? ~sign : 0,
                             .always = (is_float || is_signed(t->dtype) ? sign : 0) ^
                                       (t->largest ? UINT32_MAX : 0)};
}

struct key_reader key_reader(const struct top_k_spec *t)
{
    struct key_reader reader = readers_of_processor()[element_of(t)];
    reader.kind = kind_of(t);
    reader.bytes = dtype_bytes(t->dtype);
    return reader;
}

void key_reader_last(const struct key_reader *reader, const void *from, int count, uint32_t *keys)
{
    uint32_t copy[KEY_BLOCK];
    int groups = (count - 1) / KEY_GROUP;
    memset((char *)copy + groups * KEY_GROUP * reader->bytes, 0, KEY_GROUP * sizeof *copy);
    memcpy(copy, from, (size_t)(count * reader->bytes));
    reader->keys(&reader->kind, copy, count, keys);
}
