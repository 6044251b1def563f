/* kernels.c: see kernels.h. */
#include "devices/host/kernels/kernels.h"

#include "version.h"

const char *kernels_build(void)
{
    return GANTRY_BUILD_ID;
}
