/* model_traffic.h: the bytes that a group moves. */
#ifndef GANTRY_COMPILER_MODEL_KERNELS_MODEL_TRAFFIC_H
#define GANTRY_COMPILER_MODEL_KERNELS_MODEL_TRAFFIC_H

#include "compiler/model/model_graph.h"

/* Whether a value is stored as convolutions need it: with batch and features as the minor
 * dimensions. */
bool model_traffic_is_image(const struct model *model, const struct value *value);

/* Bytes of a value as it is stored, with padding and without; 0 for values that are not tensors. */
uint64_t model_traffic_size(const struct model *model, const struct value *value);
/* Of an image of this shape, which model_traffic_is_image(). */
uint64_t model_traffic_image_bytes(const struct model *model, const struct shape *shape);
double model_traffic_unpadded(const struct model *model, const struct value *value);

/* Whether loops have the value in other tiles than arguments and results
 * (accelerator.retiles_in_loops). */
bool model_traffic_is_retiled(const struct model *model, const struct value *value);

/* Bytes that an operation reads of its operand `i`: of one that it only slices or gathers from, the
 * slices; of one that it updates in place, none. */
double model_traffic_read(const struct model *model, const struct op *op, int i);

/* Bytes of result `i` of the operation that are written: of an update in place, the update. */
double model_traffic_written(const struct model *model, const struct op *op, int i);

/* Whether the group only reshapes a value whose memory its result shares. */
bool model_traffic_moves_nothing(const struct model_group *group);

#endif
