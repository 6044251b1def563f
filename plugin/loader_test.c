/* loader_test.c: opens the built plugin files as clients do. GANTRY_LIB names their folder. */
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
        cr_assert_eq(api->pjrt_api_version.minor_version, 104);
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
    PJRT_Error *error = api->PJRT_Plugin_Initialize(&args);
    cr_assert_not_null(error);
    PJRT_Error_GetCode_Args code = {.struct_size = PJRT_Error_GetCode_Args_STRUCT_SIZE,
                                    .error = error};
    cr_assert_null(api->PJRT_Error_GetCode(&code));
    cr_expect_eq(code.code, wanted);
    PJRT_Error_Message_Args message = {.struct_size = PJRT_Error_Message_Args_STRUCT_SIZE,
                                       .error = error};
    api->PJRT_Error_Message(&message);
    cr_expect_not_null(strstr(message.message, part), "%s", message.message);
    cr_expect_not_null(strstr(message.message, other), "%s", message.message);
    PJRT_Error_Destroy_Args destroy = {.struct_size = PJRT_Error_Destroy_Args_STRUCT_SIZE,
                                       .error = error};
    api->PJRT_Error_Destroy(&destroy);
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

/* ---- libraries that do not belong together --------------------------------------------------- */
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

/* The plugin with copies of the device's library and the core, in the folder of the test. */
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

/* Puts other bytes of the same length in the place of all `old` in a copied file. */
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
                 "libgantry.so is of build 0123456789ab", "Install the files of one build");
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
