/* kv_callbacks.h: the key-value store of a client, by the callbacks that it passes to
 * PJRT_Client_Create. */
#ifndef GANTRY_PLUGIN_KV_CALLBACKS_H
#define GANTRY_PLUGIN_KV_CALLBACKS_H

#include "pjrt_c_api.h"
#include "runtime/key_value_store.h"

/* `args` is borrowed by the store. INVALID_ARGUMENT when a callback is missing. Call it only for a
 * client of several processes: others leave the callbacks uninitialized. `in_doubt`: the client
 * does not state that it has a store; then callbacks that are not functions count as missing. */
struct error *kv_callbacks_store(PJRT_Client_Create_Args *args, bool in_doubt,
                                 struct key_value_store *out);

#endif
