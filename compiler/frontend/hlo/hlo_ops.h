/* hlo_ops.h: converts HLO's instructions. Most become the operation of the same name: a table in
 * hlo_ops.c has the operation and the function that reads its attributes. hlo_special.h converts
 * the others. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_OPS_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_OPS_H

#include "compiler/frontend/hlo/hlo_body.h"

hlo_converter hlo_ops_convert;

#endif
