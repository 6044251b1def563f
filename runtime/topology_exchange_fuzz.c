/* topology_exchange_fuzz.c: any bytes as the description of a job of two processes: an error, or
 * processes whose fields are within their limits. */
#include <stdint.h>

#include "runtime/topology_exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct topology_job job;
    struct error *error = topology_job_read((const char *)data, size, 2, &job);
    for (int i = 0; !error && i < 2; i++)
        if (job.processes[i].devices < 1 || !job.processes[i].address_size)
            __builtin_trap();
    if (!error)
        topology_job_free(&job);
    error_free(error);
    return 0;
}
