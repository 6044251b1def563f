/* hlo_proto.h: programs in the format "hlo": a serialized HLO module, as PyTorch/XLA sends it. The
 * entry computation becomes @main; tuples at its boundary, arguments' and results', are flattened.
 * Layouts inside and at the boundary don't matter to the result, which is row-major; a bitcast is
 * read by them. Shardings are kept as text, nothing is partitioned. Thread-safe for different
 * arenas. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_PROTO_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_PROTO_H

#include "compiler/ir/ir.h"

/* *out is in the arena, not yet verified. Errors name instruction and computation:
 * INVALID_ARGUMENT for damage, UNIMPLEMENTED for what is unsupported. */
struct error *hlo_proto_read(struct arena *arena, const void *bytes, size_t size,
                             struct module **out);

#endif
