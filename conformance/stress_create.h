/* stress_create.h: the operations of a stress run that create a buffer, not from another buffer,
 * and store it in an empty slot. Each returns false if there is no empty slot, or if the limit of
 * loans of host memory is reached. */
#ifndef GANTRY_CONFORMANCE_STRESS_CREATE_H
#define GANTRY_CONFORMANCE_STRESS_CREATE_H

#include "conformance/stress_context.h"

bool stress_create_upload(struct stress_worker *worker);   /* with all four host buffer semantics */
bool stress_create_transfer(struct stress_worker *worker); /* in chunks, some of which fail */
bool stress_create_uninitialized(struct stress_worker *worker);
bool stress_create_error(struct stress_worker *worker);
bool stress_create_view(struct stress_worker *worker); /* of client memory */
bool stress_create_alias(struct stress_worker *worker);

#endif
