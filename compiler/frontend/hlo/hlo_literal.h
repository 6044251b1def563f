/* hlo_literal.h: HLO's constants as literals. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_LITERAL_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_LITERAL_H

#include "compiler/frontend/hlo/hlo.pb-c.h"
#include "compiler/ir/literal.h"

/* The elements come in the order of the shape's layout and leave row-major; the bytes are in the
 * arena or in the message. INVALID_ARGUMENT when their number is not the shape's. */
struct error *hlo_literal_read(struct arena *arena, const Gantry__Hlo__Literal *from,
                               const struct literal **out);

#endif
