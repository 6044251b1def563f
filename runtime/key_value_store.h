/* key_value_store.h: the store that the processes of a job share, as the client gives it
 * (plugin/kv_callbacks.h) or as a test makes it. The methods are thread-safe. */
#ifndef GANTRY_RUNTIME_KEY_VALUE_STORE_H
#define GANTRY_RUNTIME_KEY_VALUE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct key_value_store {
    /* Waits for a key. *value is owned (alloc_free) and followed by a zero. DEADLINE_EXCEEDED when
     * it does not appear in time. */
    struct error *(*get)(void *context, const char *key, int64_t milliseconds, char **value,
                         size_t *size);
    /* ALREADY_EXISTS for a key that has a value. */
    struct error *(*put)(void *context, const char *key, const char *value, size_t size);
    void *context;
};

#endif
