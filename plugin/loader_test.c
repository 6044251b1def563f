/* loader_test.c: opens the built plugin files as clients do. GANTRY_LIB is their folder. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pjrt_c_api.h"
#include "version.h"

static char folder[64], lib[PATH_MAX];

static void setup(void)
{
    const char *given = getenv("GANTRY_LIB");
    cr_assert_not_null(realpath(given ? given : "build/lib", lib));
    strcpy(folder, "/tmp/gantry-loader-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    unsetenv("GANTRY_DEVICE"), unsetenv("PJRT_DEVICE");
}

static void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_expect_eq(system(command), 0);
}

TestSuite(loader, .init = setup, .fini = teardown, .timeout = 120);

static int count_in(const char *path)
{
    DIR *directory = opendir(path);
    int count = 0;
    while (directory && readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static const PJRT_Api *open_path(const char *path, void **handle)
{
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    cr_assert_not_null(*handle, "%s", dlerror());
    const PJRT_Api *(*get)(void);
    *(void **)&get = dlsym(*handle, "GetPjrtApi");
    cr_assert_not_null(get);
    return get();
}

static const PJRT_Api *open_plugin(const char *name)
{
    char path[2 * PATH_MAX];
    void *handle;
    snprintf(path, sizeof path, "%s/pjrt_c_api_%s_plugin.so", lib, name);
    return open_path(path, &handle);
}

static const PJRT_Api *open_link(const char *name)
{
    char from[2 * PATH_MAX], to[PATH_MAX];
    void *handle;
    snprintf(from, sizeof from, "%s/pjrt_c_api_gantry_plugin.so", lib);
    snprintf(to, sizeof to, "%s/%s", folder, name);
    cr_assert_eq(symlink(from, to), 0);
    return open_path(to, &handle);
}

static void expect_platform(const PJRT_Api *api, const char *wanted)
{
    PJRT_Client_Create_Args create = {.struct_size = PJRT_Client_Create_Args_STRUCT_SIZE};
    cr_assert_null(api->PJRT_Client_Create(&create));
    PJRT_Client_PlatformName_Args name = {.struct_size = PJRT_Client_PlatformName_Args_STRUCT_SIZE,
                                          .client = create.client};
    cr_assert_null(api->PJRT_Client_PlatformName(&name));
    cr_expect_str_eq(name.platform_name, wanted);
    PJRT_Client_Destroy_Args destroy = {.struct_size = PJRT_Client_Destroy_Args_STRUCT_SIZE,
                                        .client = create.client};
    cr_assert_null(api->PJRT_Client_Destroy(&destroy));
}

Test(loader, a_thousand_times_leave_nothing)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", lib);
    int files = 0, threads = 0;
    size_t heap = 0;
    for (int i = 0; i < 1000; i++) {
        void *handle;
        const PJRT_Api *api = open_path(path, &handle);
        cr_assert_eq(api->pjrt_api_version.minor_version, PJRT_API_MINOR);
        cr_assert_eq(count_in("/proc/self/task"), threads ? threads : count_in("/proc/self/task"));
        cr_assert_eq(dlclose(handle), 0);
        if (i == 9) {
            files = count_in("/proc/self/fd"), threads = count_in("/proc/self/task");
            heap = mallinfo2().uordblks;
        }
    }
    cr_expect_eq(count_in("/proc/self/fd"), files);
    cr_expect_leq(mallinfo2().uordblks, heap + 4096, "%zu bytes more", mallinfo2().uordblks - heap);
    cr_expect_null(dlopen(path, RTLD_NOLOAD | RTLD_NOW));
}

Test(loader, the_files_name_chooses)
{
    expect_platform(open_plugin("gantry"), "cpu");
    expect_platform(open_plugin("gantrytpu"), "tpu");
}

Test(loader, a_links_name_chooses_and_libraries_are_beside_its_target)
{
    expect_platform(open_link("libtpu.so"), "tpu");
}

Test(loader, a_link_of_another_name_is_the_cpu)
{
    expect_platform(open_link("pjrt_c_api_mine_plugin.so"), "cpu");
}

Test(loader, pjrt_device_chooses_for_the_plain_file_only)
{
    setenv("PJRT_DEVICE", "TPU", 1);
    expect_platform(open_plugin("gantry"), "tpu");
}

Test(loader, other_values_of_pjrt_device_mean_the_files_own)
{
    setenv("PJRT_DEVICE", "GANTRY", 1);
    expect_platform(open_plugin("gantry"), "cpu");
    setenv("PJRT_DEVICE", "CPU", 1);
    expect_platform(open_plugin("gantrytpu"), "tpu");
}

Test(loader, gantry_device_wins)
{
    setenv("PJRT_DEVICE", "CPU", 1);
    setenv("GANTRY_DEVICE", "TPU", 1);
    expect_platform(open_plugin("gantry"), "tpu");
}

static void expect_error(const PJRT_Api *api, PJRT_Error *error, PJRT_Error_Code wanted,
                         const char *part, const char *other)
{
    cr_assert_not_null(error);
    PJRT_Error_GetCode_Args code = {.struct_size = PJRT_Error_GetCode_Args_STRUCT_SIZE,
                                    .error = error};
    cr_assert_null(api->PJRT_Error_GetCode(&code));
    PJRT_Error_Message_Args message = {.struct_size = PJRT_Error_Message_Args_STRUCT_SIZE,
                                       .error = error};
    api->PJRT_Error_Message(&message);
    cr_expect_eq(code.code, wanted, "code %d: %s", code.code, message.message);
    cr_expect_not_null(strstr(message.message, part), "%s", message.message);
    cr_expect_not_null(strstr(message.message, other), "%s", message.message);
    PJRT_Error_Destroy_Args destroy = {.struct_size = PJRT_Error_Destroy_Args_STRUCT_SIZE,
                                       .error = error};
    api->PJRT_Error_Destroy(&destroy);
}

static void expect_wrong(const PJRT_Api *api, PJRT_Error_Code wanted, const char *part,
                         const char *other)
{
    PJRT_Plugin_Initialize_Args args = {.struct_size = PJRT_Plugin_Initialize_Args_STRUCT_SIZE};
    cr_assert_not_null(api);
    void *const *members =
        (void *const *)((const char *)api + offsetof(PJRT_Api, PJRT_Error_Destroy));
    for (size_t i = 0; i < (sizeof *api - offsetof(PJRT_Api, PJRT_Error_Destroy)) / sizeof *members;
         i++)
        cr_expect_not_null(members[i], "member %zu", i);
    expect_error(api, api->PJRT_Plugin_Initialize(&args), wanted, part, other);
}

Test(loader, a_plugin_alone_says_what_is_missing)
{
    char command[3 * PATH_MAX], path[PATH_MAX];
    void *handle;
    snprintf(command, sizeof command, "cp %s/pjrt_c_api_gantry_plugin.so %s/", lib, folder);
    cr_assert_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder);
    const PJRT_Api *api = open_path(path, &handle);
    snprintf(path, sizeof path, "%s/libgantry_cpu.so", folder);
    expect_wrong(api, PJRT_Error_Code_NOT_FOUND, path, "install Gantry again");
}

Test(loader, an_unknown_device_is_named)
{
    setenv("GANTRY_DEVICE", "../Gpu", 1);
    expect_wrong(open_plugin("gantry"), PJRT_Error_Code_INVALID_ARGUMENT, "'../Gpu'",
                 "use cpu or tpu");
}

/* ---- mismatched libraries -------------------------------------------------------------------- */
static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run(const char *format, ...)
{
    char command[3 * PATH_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    cr_assert_eq(system(command), 0, "%s", command);
}

/* The plugin with copies of the device library and the core, in the test's folder. */
static const PJRT_Api *open_copies(void)
{
    char path[PATH_MAX];
    void *handle;
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder);
    return open_path(path, &handle);
}

static void copy(const char *file)
{
    run("cp %s/%s %s/", lib, file, folder);
}

/* Replaces all occurrences of `old` in a copied file by other bytes of the same length. */
static void patch(const char *file, const char *old, const char *new)
{
    run("LC_ALL=C sed -i 's/%s/%s/g' %s/%s", old, new, folder, file);
}

Test(loader, a_missing_core_is_named)
{
    copy("pjrt_c_api_gantry_plugin.so"), copy("libgantry_cpu.so");
    expect_wrong(open_copies(), PJRT_Error_Code_NOT_FOUND, "libgantry.so", "wheel");
}

Test(loader, a_core_of_another_build_is_refused)
{
    copy("pjrt_c_api_gantry_plugin.so"), copy("libgantry_cpu.so"), copy("libgantry.so");
    patch("libgantry.so", GANTRY_BUILD_ID, "0123456789ab");
    expect_wrong(open_copies(), PJRT_Error_Code_FAILED_PRECONDITION,
                 "libgantry.so is of build 0123456789ab", "Reinstall the files of one build");
}

Test(loader, a_device_of_another_build_is_refused)
{
    copy("pjrt_c_api_gantry_plugin.so"), copy("libgantry_cpu.so"), copy("libgantry.so");
    patch("libgantry_cpu.so", GANTRY_BUILD_ID, "0123456789ab");
    expect_wrong(open_copies(), PJRT_Error_Code_FAILED_PRECONDITION,
                 "libgantry_cpu.so of build 0123456789ab", GANTRY_BUILD_ID);
}

Test(loader, a_device_of_another_version_is_refused)
{
    copy("pjrt_c_api_gantry_plugin.so"), copy("libgantry_cpu.so"), copy("libgantry.so");
    patch("libgantry_cpu.so", "GANTRY_" GANTRY_VERSION, "GANTRY_9.9.9");
    expect_wrong(open_copies(), PJRT_Error_Code_NOT_FOUND, "GANTRY_9.9.9", "different versions");
}

Test(loader, the_second_build_in_a_process_is_refused)
{
    expect_platform(open_plugin("gantry"), "cpu");
    copy("pjrt_c_api_gantry_plugin.so"), copy("libgantry_cpu.so"), copy("libgantry.so");
    patch("pjrt_c_api_gantry_plugin.so", GANTRY_BUILD_ID, "0123456789ab");
    patch("libgantry_cpu.so", GANTRY_BUILD_ID, "0123456789ab");
    expect_wrong(open_copies(), PJRT_Error_Code_FAILED_PRECONDITION, lib, "into one process");
}

Test(loader, what_is_no_library_is_refused)
{
    copy("pjrt_c_api_gantry_plugin.so");
    run("echo text > %s/libgantry_cpu.so", folder);
    expect_wrong(open_copies(), PJRT_Error_Code_NOT_FOUND, "libgantry_cpu.so", "install");
}

/* ---- files that are truncated, not readable, or missing -------------------------------------- */
static void cut(const char *file, const char *size)
{
    run("strip --strip-unneeded %s/%s && truncate -s %s %s/%s", folder, file, size, folder, file);
}

Test(loader, a_core_or_device_that_was_cut_short_is_named)
{
    copy("pjrt_c_api_gantry_plugin.so"), copy("libgantry_cpu.so"), copy("libgantry.so");
    cut("libgantry.so", "100000");
    void *handle;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder);
    expect_wrong(open_path(path, &handle), PJRT_Error_Code_NOT_FOUND, "libgantry.so is truncated",
                 "Install Gantry again");
    cr_assert_eq(dlclose(handle), 0);
    copy("libgantry.so"), cut("libgantry_cpu.so", "5000");
    expect_wrong(open_path(path, &handle), PJRT_Error_Code_NOT_FOUND,
                 "libgantry_cpu.so is truncated", "Install Gantry again");
}

Test(loader, a_core_that_may_not_be_read_is_named)
{
    copy("pjrt_c_api_gantry_plugin.so"), copy("libgantry_cpu.so"), copy("libgantry.so");
    run("chmod 755 %s && chmod 000 %s/libgantry.so", folder, folder);
    if (geteuid() == 0)
        cr_assert_eq(seteuid(65534), 0);
    expect_wrong(open_copies(), PJRT_Error_Code_NOT_FOUND, "libgantry.so: Permission denied",
                 "Let this user read it");
    if (getuid() == 0)
        cr_assert_eq(seteuid(0), 0);
}

/* Places all libraries in the test's folder: `file` as a copy, the others as links. */
static void gather(const char *file)
{
    run("ln -s %s/*.so* %s/ && rm %s/%s %s/pjrt_*", lib, folder, folder, file, folder);
    copy(file), copy("pjrt_c_api_gantry_plugin.so");
}

/* A matrix product that is large enough to use the kernel library. */
static void expect_no_run(PJRT_Error_Code wanted, const char *part, const char *other)
{
    static char text[] = "func.func @main() -> tensor<512x512xf32> {\n"
                         "  %0 = stablehlo.iota dim = 0 : tensor<512x512xf32>\n"
                         "  %1 = stablehlo.cosine %0 : tensor<512x512xf32>\n"
                         "  %2 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] :\n"
                         "    (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>\n"
                         "  return %2 : tensor<512x512xf32>\n}\n";
    const PJRT_Api *api = open_copies();
    PJRT_Client_Create_Args create = {.struct_size = PJRT_Client_Create_Args_STRUCT_SIZE};
    cr_assert_null(api->PJRT_Client_Create(&create));
    PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE,
                            .code = text,
                            .code_size = strlen(text),
                            .format = "mlir",
                            .format_size = 4};
    PJRT_Client_Compile_Args compile = {.struct_size = PJRT_Client_Compile_Args_STRUCT_SIZE,
                                        .client = create.client,
                                        .program = &program};
    PJRT_Error *error = api->PJRT_Client_Compile(&compile);
    if (error) {
        expect_error(api, error, wanted, part, other);
        return;
    }
    PJRT_Buffer *result = NULL;
    PJRT_Buffer **lists[] = {&result};
    PJRT_Event *done = NULL;
    PJRT_Buffer *const *arguments[] = {NULL};
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_LoadedExecutable_Execute_Args execute = {
        .struct_size = PJRT_LoadedExecutable_Execute_Args_STRUCT_SIZE,
        .executable = compile.executable,
        .options = &options,
        .argument_lists = arguments,
        .num_devices = 1,
        .output_lists = lists,
        .device_complete_events = &done};
    error = api->PJRT_LoadedExecutable_Execute(&execute);
    if (!error) {
        PJRT_Event_Await_Args wait = {.struct_size = PJRT_Event_Await_Args_STRUCT_SIZE,
                                      .event = done};
        error = api->PJRT_Event_Await(&wait);
    }
    expect_error(api, error, wanted, part, other);
}

Test(loader, code_generation_that_is_missing_is_named)
{
    gather("libgantry_codegen.so");
    run("rm %s/libgantry_codegen.so", folder);
    expect_no_run(PJRT_Error_Code_NOT_FOUND, "libgantry_codegen.so", "install Gantry again");
}

Test(loader, code_generation_that_was_cut_short_is_named)
{
    gather("libgantry_codegen.so"), cut("libgantry_codegen.so", "9999999");
    expect_no_run(PJRT_Error_Code_FAILED_PRECONDITION, "libgantry_codegen.so is truncated",
                  "Install Gantry again");
}

Test(loader, code_generation_of_another_build_is_refused)
{
    gather("libgantry_codegen.so"), patch("libgantry_codegen.so", GANTRY_BUILD_ID, "0123456789ab");
    expect_no_run(PJRT_Error_Code_FAILED_PRECONDITION, "of Gantry's build 0123456789ab",
                  "Reinstall the files of one build");
}

Test(loader, kernels_that_are_missing_are_named)
{
    gather("libgantry_kernels.so");
    run("rm %s/libgantry_kernels.so", folder);
    expect_no_run(PJRT_Error_Code_NOT_FOUND, "libgantry_kernels.so", "install Gantry again");
}

Test(loader, kernels_of_another_build_are_refused)
{
    gather("libgantry_kernels.so"), patch("libgantry_kernels.so", GANTRY_BUILD_ID, "0123456789ab");
    expect_no_run(PJRT_Error_Code_FAILED_PRECONDITION, "of Gantry's build 0123456789ab",
                  "Reinstall the files of one build");
}

Test(loader, a_onednn_that_is_missing_is_named)
{
    gather("libdnnl.so.3");
    run("rm %s/libdnnl.so.3", folder);
    expect_no_run(PJRT_Error_Code_NOT_FOUND, "libdnnl.so.3", "install Gantry again");
}

Test(loader, a_onednn_that_was_cut_short_is_named)
{
    gather("libdnnl.so.3"), cut("libdnnl.so.3", "9999999");
    expect_no_run(PJRT_Error_Code_FAILED_PRECONDITION, "libdnnl.so.3 is truncated",
                  "Install Gantry again");
}
