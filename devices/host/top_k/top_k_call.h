/* top_k_call.h: the built-in custom call gantry_top_k, by which the compiler runs top-k
 * (compiler/passes/library/library_top_k.h): x[..., n] -> values[..., k] of x's type and
 * positions[..., k] of s32, the first k elements of every row in sorted order (top_k.h). Its
 * configuration is two characters: L or S (the largest or the smallest come first) and T or N
 * (floats in their total order or in numerical order). Rows are divided among the threads of the
 * pool. */
#ifndef GANTRY_DEVICES_HOST_TOP_K_TOP_K_CALL_H
#define GANTRY_DEVICES_HOST_TOP_K_TOP_K_CALL_H

#include "devices/host/custom_call.h"

/* The members of its struct custom_call_handler. Thread-safe. */
struct error *top_k_call_run(const void *user, const struct custom_call *call);
struct error *top_k_call_instantiate(const void *user, const struct call_spec *spec, void **state);
void top_k_call_drop(void *state);

#endif
