/* hlo_proto.h: reads programs in the format "hlo": a serialized HLO module, as PyTorch/XLA sends
 * it. The entry computation becomes @main; tuples among its arguments and results are flattened.
 * Layouts are ignored except by bitcasts and custom calls; arguments and results are row-major.
 * Shardings are kept as text; the program is not partitioned. Thread-safe for different arenas. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_PROTO_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_PROTO_H

#include "compiler/ir/ir.h"

/* *out is an unverified module in the arena. Errors name instruction and computation:
 * INVALID_ARGUMENT for a malformed program, UNIMPLEMENTED for unsupported instructions and
 * types. */
struct error *hlo_proto_read(struct arena *arena, const void *bytes, size_t size,
                             struct module **out);

#endif
