/* file_store.h: a key-value store in a folder, for the processes of a job that a test starts: a
 * file for each key. Each key is put once. Thread-safe, and safe between processes. */
#ifndef GANTRY_CONFORMANCE_FILE_STORE_H
#define GANTRY_CONFORMANCE_FILE_STORE_H

#include "pjrt_c_api.h"

/* Fills the callbacks of the arguments. `folder` is borrowed while the client exists. */
void file_store_use(const char *folder, PJRT_Client_Create_Args *args);

#endif
