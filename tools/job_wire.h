/* job_wire.h: what the clients and the server of a job's key-value store (job_store.h) send each
 * other: a request with its key and value, and its answer with a value. Numbers are little-endian.
 * Thread-safe. */
#ifndef GANTRY_TOOLS_JOB_WIRE_H
#define GANTRY_TOOLS_JOB_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JOB_WIRE_MAGIC UINT32_C(0x314a4b47) /* "GKJ1": begins requests and answers */

enum { JOB_WIRE_MAX_KEY = 256, JOB_WIRE_MAX_VALUE = 16 << 20 };
enum job_wire_kind { JOB_WIRE_PUT, JOB_WIRE_GET };

struct job_wire_request { /* followed by the key and, of a put, the value */
    uint32_t magic;
    uint32_t kind;
    uint32_t key_size;   /* 1 to JOB_WIRE_MAX_KEY */
    uint32_t value_size; /* at most JOB_WIRE_MAX_VALUE; 0 of a get */
    uint32_t timeout_ms; /* of a get: for how long the server waits for the key */
};

struct job_wire_answer { /* followed by the value of a get */
    uint32_t magic;
    uint32_t code; /* PJRT_Error_Code; 0: done */
    uint32_t value_size;
};

bool job_wire_is_request(const struct job_wire_request *request);
bool job_wire_is_answer(const struct job_wire_answer *answer);

/* All bytes, or false when the connection has ended, or when its time limit is over. */
bool job_wire_read(int file, void *bytes, size_t size);
bool job_wire_write(int file, const void *bytes, size_t size);

#endif
