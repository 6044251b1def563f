/* hlo_literal.h: reads HLO's constants. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_LITERAL_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_LITERAL_H

#include "compiler/frontend/hlo/hlo.pb-c.h"
#include "compiler/ir/literal.h"

/* Converts a constant from the layout of its shape to row-major. The bytes are in the arena or
 * borrowed from the message. INVALID_ARGUMENT when their number does not match the shape. */
struct error *hlo_literal_read(struct arena *arena, const Gantry__Hlo__Literal *from,
                               const struct literal **out);

#endif
