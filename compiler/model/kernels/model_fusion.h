/* model_fusion.h: which operations share a kernel on the modeled accelerator. */
#ifndef GANTRY_COMPILER_MODEL_KERNELS_MODEL_FUSION_H
#define GANTRY_COMPILER_MODEL_KERNELS_MODEL_FUSION_H

#include "compiler/model/model_graph.h"

/* Sets model->entry, with the groups of all blocks in the order of the program, and the notes of
 * operations and values. `model` has arena, accelerator and module. Linear in the program's size.
 * The rules:
 *   - what only moves or combines elements is computed in the kernel that uses it; in several
 *     kernels, if that reads fewer bytes than storing it would;
 *   - a product or reduction leaves its kernel after the elementwise operations that follow it, up
 *     to the first value that has several users;
 *   - products read computed operands, but no kernel has two products;
 *   - everything else is in memory. */
void model_fusion(struct model *model);

#endif
