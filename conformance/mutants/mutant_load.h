/* mutant_load.h: the mutants of GetPjrtApi itself. */
#ifndef GANTRY_CONFORMANCE_MUTANT_LOAD_H
#define GANTRY_CONFORMANCE_MUTANT_LOAD_H

#include "pjrt_c_api.h"

/* What GetPjrtApi returns, given the table, and what it does besides. */
const PJRT_Api *mutant_load(const PJRT_Api *table);

#endif
