/* Tests of step_label.h. */
#include "compiler/program/step_label.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(const char *label, const char *name, const char *operation, const char *file,
                   int line)
{
    struct step_label parts = step_label(label);
    cr_expect(parts.name_size == strlen(name) && !strncmp(parts.name, name, parts.name_size));
    cr_expect_eq(parts.operation != NULL, operation != NULL, "%s", label);
    cr_expect_eq(parts.file != NULL, file != NULL, "%s", label);
    if (operation)
        cr_expect(parts.operation_size == strlen(operation) &&
                  !strncmp(parts.operation, operation, parts.operation_size));
    if (file)
        cr_expect(parts.file_size == strlen(file) && !strncmp(parts.file, file, parts.file_size));
    cr_expect_eq(parts.line, line);
}

Test(step_label, parts_may_be_missing)
{
    expect("fusion.3: jit(f)/tanh (m.py:12:3)", "fusion.3", "jit(f)/tanh", "m.py", 12);
    expect("dot: jit(f)/dot (/a b/m.py:7)", "dot", "jit(f)/dot", "/a b/m.py", 7);
    expect("copy: jit(f)/tanh", "copy", "jit(f)/tanh", NULL, 0);
    expect("copy: jit(f)", "copy", "jit(f)", NULL, 0);
    expect("copy: (m.py:1)", "copy", "(m.py:1)", NULL, 0);
    expect("while", "while", NULL, NULL, 0);
    expect("while:", "while", NULL, NULL, 0);
    expect("", "", NULL, NULL, 0);
    expect(NULL, "step", NULL, NULL, 0);
}
