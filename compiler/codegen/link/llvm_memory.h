/* llvm_memory.h: handles failed allocations in LLVM. LLVM and the C++ runtime terminate the process
 * when malloc() fails. Each compilation therefore holds a memory reserve. When an allocation by
 * LLVM fails, the reserve is released and the allocation is retried; the compilation then ends with
 * RESOURCE_EXHAUSTED at the next check. The linker's --wrap redirects LLVM's calls of malloc() and
 * related functions to this file. One case remains: a single run of LLVM's passes or its back end
 * that needs more than the reserve (SECURITY.md).
 *
 * Each thread has its own reserve. Compilations on one thread do not nest. */
#ifndef GANTRY_COMPILER_CODEGEN_LINK_LLVM_MEMORY_H
#define GANTRY_COMPILER_CODEGEN_LINK_LLVM_MEMORY_H

#include "base/error.h"

/* Allocates the reserve for a compilation on this thread. RESOURCE_EXHAUSTED if that fails. */
struct error *llvm_memory_begin(void);
/* RESOURCE_EXHAUSTED if this compilation has used its reserve. */
struct error *llvm_memory_check(void);
/* Ends the compilation. Call it whether or not llvm_memory_begin() succeeded. */
void llvm_memory_end(void);

#endif
