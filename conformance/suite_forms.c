/* suite_forms.c: damaged programs, as text and as HLO. */
#include <stdlib.h>

#include "conformance/test_context.h"

/* A truncated or modified program is an error and does not crash the process. */
static void damage(struct test_context *t, const char *suffix, const char *format)
{
    char *code;
    size_t size;
    NEED_OK(t, test_context_program_bytes(t, PROGRAM_loop, suffix, &code, &size));
    struct abi_program program = {.format = format, .code = code};
    PJRT_LoadedExecutable *executable;
    for (size_t at = 0; at < size; at += 1 + size / 400) {
        program.code_size = at;
        error_free(abi_compile(t->api, t->client, &program, &executable));
        if (executable) /* truncation may remove only trailing blanks from text */
            abi_executable_destroy(t->api, executable);
        program.code_size = size;
        code[at] = (char)(code[at] ^ 0x11);
        struct error *error = abi_compile(t->api, t->client, &program, &executable);
        if (executable)
            abi_executable_destroy(t->api, executable);
        if (error && error_code(error) == PJRT_Error_Code_INTERNAL)
            test_context_fail(t, __FILE__, __LINE__, "%s, byte %zu: INTERNAL: %s", suffix, at,
                              error_message(error, NULL));
        error_free(error);
        code[at] = (char)(code[at] ^ 0x11);
    }
    free(code);
}

static void damaged_text(struct test_context *t)
{
    damage(t, ".mlir", "mlir");
    damage(t, ".generic.mlir", "mlir");
}

static void damaged_hlo(struct test_context *t)
{
    damage(t, ".hlo.pb", "hlo");
}

static const struct test_context_case cases[] = {{"damaged_text", damaged_text, STAGE_CLIENT, 120},
                                                 {"damaged_hlo", damaged_hlo, STAGE_CLIENT, 120},
                                                 {0}};
const struct test_context_suite suite_forms = {"forms", cases};
