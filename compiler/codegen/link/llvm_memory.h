/* llvm_memory.h: LLVM and the C++ runtime end the process when malloc() fails. So each compilation
 * holds a reserve of memory: when the system refuses an allocation of LLVM's, the reserve is given
 * back to it, the allocation is tried again, and the compilation ends with RESOURCE_EXHAUSTED at
 * the next check. LLVM's calls of malloc() and its kin come here by the linker's --wrap. What
 * remains: a single run of LLVM's passes or its back end that needs more than the reserve
 * (SECURITY.md).
 *
 * Each thread has a reserve of its own; its compilations do not nest. */
#ifndef GANTRY_COMPILER_CODEGEN_LINK_LLVM_MEMORY_H
#define GANTRY_COMPILER_CODEGEN_LINK_LLVM_MEMORY_H

#include "base/error.h"

/* Takes the reserve for a compilation on this thread; RESOURCE_EXHAUSTED when the system refuses
 * it. */
struct error *llvm_memory_begin(void);
/* RESOURCE_EXHAUSTED once this compilation has used its reserve. */
struct error *llvm_memory_check(void);
/* The end of the compilation, whether llvm_memory_begin() succeeded or not. */
void llvm_memory_end(void);

#endif
