/* net_layout_fuzz.c: any bytes as the address of a process, which is refused or is within them:
 * with a byte less it would not. */
#include <stdint.h>

#include "devices/host/net/net_layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && net_layout_is_valid(data, size, 0) && net_layout_is_valid(data, size - 1, 0))
        __builtin_trap();
    return 0;
}
