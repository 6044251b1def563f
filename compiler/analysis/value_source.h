/* value_source.h: where a value comes from, seen from inside of fusions and behind the copies of
 * buffer assignment. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_ANALYSIS_VALUE_SOURCE_H
#define GANTRY_COMPILER_ANALYSIS_VALUE_SOURCE_H

#include <stdbool.h>

#include "compiler/ir/ir.h"

/* The value behind arguments of fusions and, if `copies`, behind copies. */
const struct value *value_source(const struct value *value, bool copies);
/* The operation that computes a value; for the result of a fusion, the operation in the fusion. */
const struct op *value_definition(const struct value *value, bool copies);

#endif
