/* sdy_round_trip.h: Shardy's round-trip spelling. Clients use it for programs that must not contain
 * other dialects than StableHLO, and for HLO: everything of Shardy becomes frontend attributes,
 * whose values are MLIR text, and custom calls.
 *
 *   of the module      xla.sdy.meshes = "{mesh = #sdy.mesh<["x"=4]>}"
 *                      xla.sdy.tuple_args_shardings, xla.sdy.tuple_results_shardings: of the
 *                      entry function's arguments and results, where HLO has one tuple of them
 *   of arguments,      xla.sdy.sharding = "#sdy.sharding<@mesh, [{"x"}]>"
 *   results
 *   of operations      xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{"x"}]>]>"
 *                      xla.sdy.sharding_rule = "#sdy.op_sharding_rule<...>"
 *   calls              @xla.sdy.GlobalToLocalShape   xla.sdy.in_shardings, xla.sdy.manual_axes
 *                      @xla.sdy.LocalToGlobalShape   xla.sdy.out_shardings, xla.sdy.manual_axes
 *                          around the call of a manual computation's body
 *                      @xla.sdy.FuncResultSharding   xla.sdy.sharding of a result of the function
 *                      @xla.sdy.ShardingGroup        xla.sdy.sharding_group_id = "3 : i64"
 *                      @xla.sdy.PropagationBarrier
 *
 * Source: the passes of XLA that export and import it (xla/service/spmd/shardy). */
#ifndef GANTRY_COMPILER_FRONTEND_SDY_ROUND_TRIP_H
#define GANTRY_COMPILER_FRONTEND_SDY_ROUND_TRIP_H

#include "compiler/ir/ir.h"

/* Replaces the spelling by shardings of types and by the operations that Shardy's own dialect is
 * read as. A sharding replaces that of mhlo.sharding, which cannot say which dimensions are open.
 * Runs on an unverified module before all passes. INVALID_ARGUMENT, with the operation and its
 * location, for attributes that are missing, are no text of the expected kind, or do not fit. */
struct error *sdy_round_trip_run(struct module *module);

#endif
