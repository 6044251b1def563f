/* mosaic_read_fuzz.c: reads any bytes as a kernel: an error, or a kernel that is verified. Its
 * seeds are written by scripts/make_kernel_tests.py. */
#include <stdint.h>

#include "compiler/frontend/mosaic/mosaic_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct job {
    struct arena *arena;
    const uint8_t *bytes;
    size_t size;
    struct kernel *kernel;
};

static struct error *read_kernel(void *context)
{
    struct job *job = context;
    struct mosaic_source source = {.bytes = job->bytes, .size = job->size};
    return mosaic_read_kernel(job->arena, &source, &job->kernel);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct job job = {.bytes = bytes, .size = size};
    struct error *error = arena_create(&job.arena);
    if (!error) {
        arena_set_limit(job.arena, ((size_t)256 << 20) + 4096 * size);
        error_free(arena_run(job.arena, read_kernel, &job));
    }
    arena_destroy(job.arena);
    return 0;
}
