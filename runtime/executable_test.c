/* executable_test.c: which devices a program for several is loaded onto. */
#include "runtime/executable.h"

#include <criterion/criterion.h>
#include <string.h>

#include "runtime/fake_gang.h"

enum { DEVICES = 4 };

static struct client *client;

static void begin(void)
{
    struct device_options options = {.device_count = DEVICES};
    cr_assert_null(client_create(&fake_library, &options, &client));
}

static void end(void)
{
    client_close(client);
}

TestSuite(executable, .init = begin, .fini = end);

/* Loads a program for `count` replicas; `ids`: its device assignment, or NULL. */
static struct error *load(int count, const int64_t *ids, struct loaded_executable **out)
{
    struct program *program;
    struct executable *executable;
    *out = NULL;
    TRY(fake_program("sum", 1, FAKE_GANG_ELEMENTS, false, 1, &program));
    program->num_replicas = count;
    TRY(fake_gang_groups(program, count));
    TRY(fake_gang_step(program, 1));
    program->assignment_count = ids ? count : 0;
    if (ids)
        TRY(alloc_copy(ids, (size_t)count * sizeof *ids, &program->device_assignment));
    TRY(executable_create(program, &client->devices[0]->device->target, NULL, 0, &executable));
    struct error *error = loaded_executable_create(client, executable, out);
    executable_release(executable);
    return error;
}

static void expect_refused(int count, const int64_t *ids, const char *part)
{
    struct loaded_executable *loaded;
    struct error *error = load(count, ids, &loaded);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

Test(executable, an_assignment_is_followed)
{
    static const int64_t ids[] = {3, 1, 0, 2};
    struct loaded_executable *loaded;
    cr_assert_null(load(DEVICES, ids, &loaded));
    for (int i = 0; i < DEVICES; i++)
        cr_expect_eq(loaded->devices[i]->device->id, ids[i]);
    loaded_executable_release(loaded);
}

Test(executable, assigned_devices_exist)
{
    expect_refused(2, (const int64_t[]){0, 4}, "4");
    expect_refused(2, (const int64_t[]){0, -1}, "device -1, which does not exist");
    expect_refused(2, (const int64_t[]){INT64_MAX, 0}, "which does not exist");
}

Test(executable, there_are_enough_devices)
{
    expect_refused(DEVICES + 1, NULL, "5");
}
