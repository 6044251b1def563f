/* mosaic_locations_test.c: locations that a client sends apart from a kernel's body. */
#include "compiler/frontend/mosaic/mosaic_locations.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/frontend/mosaic/mosaic_config.h"
#include "compiler/frontend/mosaic/mosaic_fixture.h"

struct job {
    struct arena *arena;
    const char *text;
    size_t changed, kept; /* of the bytes of the locations; changed 0: none */
    struct kernel *kernel;
};

static struct error *read_job(void *context)
{
    struct job *job = context;
    struct mosaic_config config;
    TRY(mosaic_config_read(job->arena, job->text, strlen(job->text), &config));
    struct mosaic_source source = mosaic_config_source(&config);
    if (source.locations_size > job->kept)
        source.locations_size = job->kept;
    if (job->changed > 0 && job->changed < source.locations_size)
        ((uint8_t *)source.locations)[job->changed] ^= 0x5a;
    return mosaic_read_kernel(job->arena, &source, &job->kernel);
}

static const char text[] = FIXTURE_CONFIG_APART(FIXTURE_ADD_EXP, FIXTURE_ADD_EXP_LOCATIONS);

static const struct kernel_op *find(const struct kernel *kernel, enum kernel_code code)
{
    const struct kernel_op *op = kernel->main->body.first;
    while (op && op->code != code)
        op = op->next;
    return op;
}

Test(mosaic_locations, name_the_source_of_operations)
{
    static const struct {
        enum kernel_code code;
        const char *name;
        int column;
    } expected[] = {{KERNEL_EXP, "exp:", 13}, {KERNEL_ADDF, "add:", 13}, {KERNEL_STORE, NULL, 0}};
    struct job job = {.text = text, .kept = SIZE_MAX};
    cr_assert_null(arena_create(&job.arena));
    cr_assert_null(arena_run(job.arena, read_job, &job));
    for (int i = 0; i < 2; i++) {
        const struct location *at = find(job.kernel, expected[i].code)->location;
        cr_assert(at && at->file && at->name);
        cr_expect_str_eq(at->file, "kernels.py");
        cr_expect_str_eq(at->name, expected[i].name);
        cr_expect(at->line == 7 && at->column == expected[i].column, "%d:%d", at->line, at->column);
    }
    arena_destroy(job.arena);
}

/* A status, whatever the bytes are. */
Test(mosaic_locations, may_be_damaged)
{
    size_t refused = 0;
    for (size_t i = 0; i < 800; i++) {
        struct job job = {.text = text, .changed = i % 400, .kept = i < 400 ? SIZE_MAX : i - 400};
        cr_assert_null(arena_create(&job.arena));
        struct error *error = arena_run(job.arena, read_job, &job);
        refused += error != NULL;
        cr_expect(!error || error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT ||
                  error_code(error) == PJRT_Error_Code_UNIMPLEMENTED);
        error_free(error);
        arena_destroy(job.arena);
    }
    cr_expect(refused > 300, "%zu", refused);
}
