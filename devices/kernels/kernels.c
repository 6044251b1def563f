/* kernels.c: see kernels.h. */
#include "devices/kernels/kernels.h"

#include "version.h"

const char *kernels_build(void)
{
    return GANTRY_BUILD_ID;
}
