/* ffi_types.h: the types of user data and of handlers' states: names, ids and deleters, in one list
 * per process. Thread-safe. */
#ifndef GANTRY_PLUGIN_FFI_FFI_TYPES_H
#define GANTRY_PLUGIN_FFI_FFI_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* If *type_id is 0, assigns a new id and stores it there. Registering the same name with the same
 * id again does nothing; ALREADY_EXISTS when either is already used otherwise. `name` is copied;
 * `deleter` is static or NULL. */
struct error *ffi_types_register(const char *name, size_t size, int64_t *type_id,
                                 void (*deleter)(void *object));

/* Static; NULL for unknown ids and for types without a deleter. */
void (*ffi_types_deleter(int64_t type_id))(void *object);

#endif
