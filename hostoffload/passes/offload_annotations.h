/* offload_annotations.h: replaces placement annotations by copies. JAX, PyTorch/XLA and HLO modules
 * request a memory kind with the custom call annotate_device_placement (the frontend attribute
 * `_xla_buffer_placement` is device, pinned_host or unpinned_host); XLA's own form is MoveToHost
 * and MoveToDevice. Each becomes an OP_copy whose result has that kind, even if the operand may
 * have it already: offload_placement removes those copies. Errors, for annotations, arguments and
 * results: INVALID_ARGUMENT for unknown kinds, UNIMPLEMENTED for kinds that the device lacks.
 * Requires that calls are inlined. */
#ifndef GANTRY_HOSTOFFLOAD_PASSES_OFFLOAD_ANNOTATIONS_H
#define GANTRY_HOSTOFFLOAD_PASSES_OFFLOAD_ANNOTATIONS_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *offload_annotations_run(struct module *module, const struct target *target);

#endif
