/* python_program_test.c: functions of Python as programs of the command. */
#include <unistd.h>

#include "tools/command_fixture.h"

/* The module plays JAX itself. */
static const char identity[] =
    "import sys\nsys.modules['jax'] = sys\nexample_args = ()\nclass step:\n"
    "  trace = lower = lambda *arguments, **options: step\n"
    "  as_text = lambda **options: 'func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {'\\\n"
    "    'return %x : tensor<4xf32> }'\n";

/* The example command names a function as it was named. */
Test(python_program, inputs_of_a_function)
{
    char path[] = "/tmp/gantry_function_XXXXXX.py", line[128];
    int file = mkstemps(path, 3);
    cr_assert(write(file, identity, sizeof identity - 1) == sizeof identity - 1);
    close(file);
    snprintf(line, sizeof line, "bench --python %s:step", path);
    strncat(line, " --seconds 0.05", sizeof line - strlen(line) - 1);
    expect(line, 0, "median of"); /* with inputs that were made up */
    snprintf(line, sizeof line, "run --python %s:step --input f32=1", path);
    expect(line, 1, "input 0 is f32, expected 4xf32");
    snprintf(line, sizeof line, "gantry run --python %s:step --input 4xf32=random:0", path);
    cr_expect_not_null(strstr(shown, line), "%s", shown);
    unlink(path);
}

Test(python_program, arguments_that_a_function_does_not_take)
{
    static const char source[] = "def step(x, y):\n  return x\n";
    char path[] = "/tmp/gantry_function_XXXXXX.py", line[128];
    int file = mkstemps(path, 3);
    cr_assert(write(file, source, sizeof source - 1) == sizeof source - 1);
    close(file);
    snprintf(line, sizeof line, "plan --python %s:step --args 1", path);
    expect(line, 1, "step(x, y) with 1 arguments: missing a required argument: 'y'");
    cr_expect_null(strstr(shown, "Traceback"), "%s", shown);
    snprintf(line, sizeof line, "plan --python %s:step --args '1, x'", path);
    expect(line, 1, "--args 1, x: NameError: name 'x' is not defined");
    cr_expect_null(strstr(shown, "Traceback"), "%s", shown);
    unlink(path);
}

/* What it writes is no file of a folder, which would stay when the command is interrupted. */
Test(python_program, writes_to_memory)
{
    static const char source[] = "import sys\nprint('to', sys.argv[2])\n";
    char path[] = "/tmp/gantry_function_XXXXXX.py", line[128];
    int file = mkstemps(path, 3);
    cr_assert(write(file, source, sizeof source - 1) == sizeof source - 1);
    close(file);
    snprintf(line, sizeof line, "plan --python %s:none", path);
    expect(line, 1, "to /proc/self/fd/");
    unlink(path);
}

/* The program is not written to a stream that takes the place of a closed one. */
Test(python_program, without_standard_output)
{
    const char *folder = getenv("GANTRY_LIB");
    char path[] = "/tmp/gantry_function_XXXXXX.py", line[512];
    int file = mkstemps(path, 3);
    cr_assert(write(file, identity, sizeof identity - 1) == sizeof identity - 1);
    close(file);
    snprintf(line, sizeof line,
             "%s/../bin/gantry run --quiet --python %s:step --input 4xf32=1 2>&1 >&-",
             folder ? folder : "build/lib", path);
    cr_expect_eq(command(line), 0, "%s", shown);
    unlink(path);
}
