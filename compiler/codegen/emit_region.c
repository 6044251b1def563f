#include "compiler/codegen/kernel.h"
struct error *emit_region(struct kernel *k) { return emitter_unimplemented(k->e, k->fusion, "does not have regions"); }
