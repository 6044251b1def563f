/* kinds.h: the kernel emitter of each kind of fusion (codegen.h). */
#ifndef GANTRY_COMPILER_CODEGEN_KERNELS_KINDS_H
#define GANTRY_COMPILER_CODEGEN_KERNELS_KINDS_H

#include "compiler/codegen/kernels/kernel.h"

kernel_emitter loop_kernel_emit;   /* FUSION_LOOP, FUSION_ROWS */
kernel_emitter update_kernel_emit; /* FUSION_UPDATE */
kernel_emitter region_kernel_emit; /* FUSION_REGION */

#endif
