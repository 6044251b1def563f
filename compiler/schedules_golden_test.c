/* The schedules of kernels of programs, some of them of the corpus, as they are chosen for one
 * processor: testdata/NAME.txt begins with the program's path; below is what GANTRY_DUMP=schedules
 * prints. A change of choice shows in review; `make golden` writes the files anew. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/compile.h"
#include "compiler/target_fixture.h"

#define FOLDER "compiler/schedule/testdata/"

enum { MAX_PATH = 512, MAX_FILE = 1 << 18, LEAST_FILES = 60 };

static char program[MAX_FILE], expected[MAX_FILE], printed[MAX_FILE];

static size_t read_text(const char *path, char *out)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file, "cannot open %s", path);
    size_t size = fread(out, 1, MAX_FILE - 1, file);
    cr_assert(size < MAX_FILE - 1, "%s is too large", path);
    out[size] = '\0';
    fclose(file);
    return size;
}

/* A processor with vectors of 32 bytes, the same on every machine: the code is not run. */
static struct target wide_target(void)
{
    static const struct cpu_features features = {
        .avx2 = true, .fma = true, .f16c = true, .bmi2 = true};
    struct target target = target_fixture();
    target.isa = isa_of(&features);
    return target;
}

/* Compiles the program of `size` bytes; `printed` gets the schedules. */
static void print_schedules(size_t size)
{
    char folder[] = "/tmp/gantry_schedules_XXXXXX", requested[64], pattern[128];
    cr_assert(mkdtemp(folder));
    snprintf(requested, sizeof requested, "schedules:%s", folder);
    setenv("GANTRY_DUMP", requested, 1);
    struct target target = wide_target();
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = program, .size = size};
    struct program *compiled;
    struct error *error = compile(&source, &target, &compiled);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    program_release(compiled);
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*/schedules.txt", folder);
    cr_assert_eq(glob(pattern, 0, NULL, &found), 0, "no schedules were written");
    read_text(found.gl_pathv[0], printed);
    unlink(found.gl_pathv[0]);
    *strrchr(found.gl_pathv[0], '/') = '\0';
    rmdir(found.gl_pathv[0]), rmdir(folder);
    globfree(&found);
}

ParameterizedTestParameters(schedules, file)
{
    static char(*paths)[MAX_PATH];
    glob_t found;
    size_t count = glob(FOLDER "*.txt", 0, NULL, &found) ? 0 : found.gl_pathc;
    paths = cr_malloc((count + 1) * MAX_PATH);
    for (size_t i = 0; i < count; i++)
        snprintf(paths[i], MAX_PATH, "%s", found.gl_pathv[i]);
    globfree(&found);
    return cr_make_param_array(char[MAX_PATH], paths, count, NULL);
}

ParameterizedTest(const char *path, schedules, file)
{
    const char *wanted = getenv("GANTRY_GOLDEN");
    char source[MAX_PATH];
    read_text(path, expected);
    char *end = strchr(expected, '\n');
    cr_assert(end && end - expected < MAX_PATH, "%s has no program", path);
    snprintf(source, sizeof source, "%.*s", (int)(end - expected), expected);
    print_schedules(read_text(source, program));
    if (wanted && !strcmp(wanted, "write")) {
        FILE *file = fopen(path, "wb");
        cr_assert(file && fprintf(file, "%s\n%s", source, printed) > 0);
        cr_assert_eq(fclose(file), 0);
    } else
        cr_expect_str_eq(printed, end + 1, "%s: other schedules are chosen:\n%s", source, printed);
}

Test(schedules, enough_programs)
{
    glob_t found;
    size_t count = glob(FOLDER "*.txt", 0, NULL, &found) ? 0 : found.gl_pathc;
    cr_expect_geq(count, LEAST_FILES);
    globfree(&found);
}
