/* thin_integer_code.c: see thin_integer_code.h. */
#include "devices/host/thin/thin_integer_code.h"

#include <stddef.h>

#include "base/cpu.h"

const struct thin_integer_code *thin_integer_code(void)
{
#ifdef __x86_64__
    const struct cpu_features *features = cpu_features();
    if (features->avx512)
        return features->avx512_vnni ? &thin_integer_avx512vnni : &thin_integer_avx512;
    if (features->avx2 && features->fma)
        return features->avx_vnni ? &thin_integer_avxvnni : &thin_integer_avx2;
#endif
    return NULL;
}
