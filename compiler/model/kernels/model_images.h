/* model_images.h: which values are images: what convolutions and windows read and make, and all
 * values of the same dimensions. The compiler stores them with batch and features as the minor
 * dimensions. */
#ifndef GANTRY_COMPILER_MODEL_KERNELS_MODEL_IMAGES_H
#define GANTRY_COMPILER_MODEL_KERNELS_MODEL_IMAGES_H

#include "compiler/model/model_graph.h"

/* Sets model->images, by the first convolution or window of the entry. Linear in the module. */
void model_images(struct model *model);

#endif
