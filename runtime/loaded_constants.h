/* loaded_constants.h: counts the constants of a loaded program as used memory of its devices for as
 * long as it is loaded. Their bytes belong to the program, with one copy per process, which devices
 * on the host's cores read directly. The plan of a modeled accelerator has them already. */
#ifndef GANTRY_RUNTIME_LOADED_CONSTANTS_H
#define GANTRY_RUNTIME_LOADED_CONSTANTS_H

#include "runtime/executable.h"

/* RESOURCE_EXHAUSTED when a device has too little free memory. loaded_constants_release() must be
 * called in any case. */
struct error *loaded_constants_reserve(struct loaded_executable *loaded);
/* Must be called before the executable is released. */
void loaded_constants_release(struct loaded_executable *loaded);

#endif
