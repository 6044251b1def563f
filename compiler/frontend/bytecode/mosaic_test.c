/* mosaic_test.c: a kernel as JAX 0.10.2 sends it, complete, cut off, and damaged. */
#include "compiler/frontend/bytecode/mosaic.h"

#include <criterion/criterion.h>
#include <string.h>

/* pallas_call(name="double_it") of f32[8,128], with a scratch of f32[8,128] in VMEM. */
#define BODY                                                                                       \
    "TUzvUgFNTElSMjMuMC4wZ2l0AAElCQEDBQcBAwkDEQsNDxETFRcZA62JEQGDBxMLCw8PDw8LCwsPEw8PDxMLDzsL"     \
    "CwsLhQsPCw8LCwsPDw8bEx8LDwsPGwsPDxsPCw8LDxsLDwsPGyMLDwtTCxMFBWFNBwNZAREHIxsHDw8bCwJ6BR8D"     \
    "AxFBBRsFHR1rbR0TQx1NTx0TWQUfBSEFIx0FRwMDV4cdBV0dBWkdBXMDAyMlBSURCT0DDSkrLS8zNTc5Oz0/hQUn"     \
    "AQEFKQ0NYWZmaW5lX21hcDwoZDAsIGQxKSAtPiAoZDAsIGQxKT4ABSsRCQEFLREJBQUvBTEFMxEBAR0VRRUXFy0H"     \
    "BwkrNwMDEUsTBxAAAAAQBTUdUVMFNx0FVS0HBwkrOwU5HRVbFRsbLQcHCT1JHWFjBTsdZWcFPRUdHS0HBwkrSQU/"     \
    "HW9xBUEVHx8tBwcJHSkDB3d5e31/gQVDEQ8ABUUjCwkhAQAAAAEAAAACAAAAAAAAAAVHIwsBASN0cHUubWVtb3J5"     \
    "X3NwYWNlPHZtZW0+ACN0cHUuY29yZV90eXBlPHRjPgAjYXJpdGguZmFzdG1hdGg8bm9uZT4AAxeDBSECBAcxJwUh"     \
    "AgQHCwECBAECAgUHAwMDAQEJBAoCBQERASEHAwEFBxEBJwcDIT8HAwEDAQMBAwMLAwMBAwMLAwMBBQYLAwUHAQcJ"     \
    "AwMNSQMHCQYNAwUDDQsHDRkDBQULDwMDDwMDAQMDDwMDAQUGDwMFBwUTFQ0HXxkDBQURFwMDCQMDAQMDCQMDAQUG"     \
    "CQMFBwMbHQ8FCXUJGQMbHREAAQYDAQUBAHIGSREpCRUNEQsTCQsdFRMjIR0pLRELDRMFGSMXFyMVGR8PDQkdEWJ1"     \
    "aWx0aW4Ac3RhYmxlX21vc2FpYwB0cHUAYXJpdGgAbW9kdWxlAGFyaXRoLmNvbnN0YW50AHZlY3Rvci5sb2FkAGZ1"     \
    "bmMuZnVuYwB2ZWN0b3IuYnJvYWRjYXN0AGFyaXRoLm11bGYAYXJpdGguYWRkZgB0cHUudmVjdG9yX3N0b3JlAGZ1"     \
    "bmMucmV0dXJuAGsAPHN0cmluZz4AdmFsdWUAZ2V0OgBnZXQvZ2V0AHN0YWJsZV9tb3NhaWMudmVyc2lvbgBkaW1l"     \
    "bnNpb25fc2VtYW50aWNzAGZ1bmN0aW9uX3R5cGUAc2NhbGFyX3ByZWZldGNoAHNjcmF0Y2hfb3BlcmFuZHMAc3lt"     \
    "X25hbWUAZG91YmxlX2l0AHRwdS5jb3JlX3R5cGUAbXVsOgBtdWwAZmFzdG1hdGgAYWRkOgBhZGQvYWRkAHN3YXA6"     \
    "AHN3YXAvc3dhcABhZGQAb3BlcmFuZFNlZ21lbnRTaXplcwBzdHJpZGVzAA=="

static const char config[] =
    "{\"custom_call_config\": {\"body\": \"" BODY "\", \"serialization_format\": 1}}";

static struct arena *arena;

static void setup(void)
{
    cr_assert_null(arena_create(&arena));
}

static void teardown(void)
{
    arena_destroy(arena);
}

TestSuite(mosaic, .init = setup, .fini = teardown);

static struct error *read_text(const char *text, size_t size, struct mosaic_kernel *out)
{
    return mosaic_read(arena, (struct string){.data = text, .size = size}, out);
}

Test(mosaic, names_the_kernel_and_its_memory)
{
    struct mosaic_kernel kernel;
    cr_assert_null(read_text(config, strlen(config), &kernel));
    cr_expect(kernel.name.size == 9 && !memcmp(kernel.name.data, "double_it", 9));
    cr_expect_eq(kernel.vmem_bytes, 3 * 8 * 128 * 4);
    cr_expect_eq(kernel.smem_bytes, 0);
}

Test(mosaic, cut_off_configurations_are_errors)
{
    struct mosaic_kernel kernel;
    size_t end = (size_t)(strstr(config, "\", ") - config);
    for (size_t size = 0; size <= end; size += 7) {
        struct error *error = read_text(config, size, &kernel);
        cr_expect(error, "%zu bytes", size);
        error_free(error);
    }
}

/* Each byte of the kernel replaced by another: an error, or some kernel, but no crash. */
Test(mosaic, damaged_kernels_do_no_harm)
{
    char text[sizeof config];
    struct mosaic_kernel kernel;
    size_t start = (size_t)(strstr(config, "TUzv") - config);
    for (size_t i = start; i < start + strlen(BODY); i += 3) {
        memcpy(text, config, sizeof text);
        text[i] = text[i] == 'A' ? '/' : 'A';
        error_free(read_text(text, sizeof text - 1, &kernel));
        text[i] = '?';
        struct error *error = read_text(text, sizeof text - 1, &kernel);
        cr_expect(error, "a letter that base64 lacks");
        error_free(error);
    }
}
