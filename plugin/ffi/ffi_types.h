/* ffi_types.h: the types of user data and of handlers' states: names, numbers and deleters, one
 * list a process. Thread-safe. */
#ifndef GANTRY_PLUGIN_FFI_FFI_TYPES_H
#define GANTRY_PLUGIN_FFI_FFI_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* *type_id: 0 requests a new number, which is stored there. Again with the same name and number
 * does nothing; ALREADY_EXISTS when either is taken otherwise. `name` is copied, `deleter` static
 * or NULL. */
struct error *ffi_types_register(const char *name, size_t size, int64_t *type_id,
                                 void (*deleter)(void *object));

/* Static; NULL for numbers that are not known or have none. */
void (*ffi_types_deleter(int64_t type_id))(void *object);

#endif
