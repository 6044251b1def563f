/* cmd_env.c: gantry env: the environment variables that make clients use this installation. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "tools/commands.h"
#include "tools/plugins.h"

#define PLUGIN "pjrt_c_api_gantry_plugin.so"
#define TPU_PLUGIN "pjrt_c_api_gantrytpu_plugin.so"

/* An environment variable of a client; %s is the folder of the libraries. */
static const struct setting {
    const char *client, *name, *value, *meaning;
    int by_default; /* part of --shell; the others are optional or for special purposes */
} settings[] = {
    {"JAX", "PJRT_NAMES_AND_LIBRARY_PATHS", "gantry:%s/" PLUGIN, "makes the plugin known to JAX",
     1},
    {"JAX", "JAX_PLATFORMS", "gantry,cpu",
     "makes it the default, and keeps JAX's own CPU available", 0},
    {"JAX", "TPU_LIBRARY_PATH", "%s/" TPU_PLUGIN, "puts the modeled TPU in the place of libtpu", 0},
    {"JAX", "GANTRY_JAX_CPU", "1",
     "with the wheel: Gantry is the platform cpu, in place of JAX's own", 0},
    {"JAX", "GANTRY_JAX_TPU", "1", "with the wheel: the modeled TPU is the platform gantry_tpu", 0},
    {"PyTorch/XLA", "PJRT_DEVICE", "LIBRARY", "makes torch_xla open PJRT_LIBRARY_PATH", 0},
    {"PyTorch/XLA", "PJRT_LIBRARY_PATH", "%s/" PLUGIN, "the plugin for PJRT_DEVICE=LIBRARY", 1},
    {"go-xla, GoMLX", "PJRT_PLUGIN_LIBRARY_PATH", "%s", "the folders that go-xla looks in", 1},
    {"go-xla, GoMLX", "GOMLX_BACKEND", "xla:gantry", "makes GoMLX choose it", 0},
    {"Rust (pjrt-rs)", "PJRT_PLUGIN_PATH", "%s/" PLUGIN, "the plugin of its tests and examples", 1},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static void print_settings(const char *folder)
{
    const char *client = "";
    char value[PATH_MAX + 64];
    for (size_t i = 0; i < SETTINGS; i++) {
        if (strcmp(settings[i].client, client))
            printf("%s\n", client = settings[i].client);
        snprintf(value, sizeof value, settings[i].value, folder);
        printf("  %s=%s\n      %s\n", settings[i].name, value, settings[i].meaning);
    }
}

static void print_own(void)
{
    printf("Gantry reads\n");
    for (int i = 0; i < ENV_COUNT; i++) {
        printf("  %s", env_name(i));
        if (*env_default(i))
            printf("  (%s)", env_default(i));
        printf("\n      %s\n", env_meaning(i));
        if (env_text(i))
            printf("      now: %s\n", env_text(i));
    }
}

/* Prints a value quoted for the shell. */
static void print_quoted(const char *value)
{
    putchar('\'');
    for (; *value; value++)
        fputs(*value == '\'' ? "'\\''" : (char[]){*value, '\0'}, stdout);
    putchar('\'');
}

static void print_exports(const char *folder)
{
    char value[PATH_MAX + 64];
    for (size_t i = 0; i < SETTINGS; i++) {
        if (!settings[i].by_default)
            continue;
        snprintf(value, sizeof value, settings[i].value, folder);
        printf("export %s=", settings[i].name);
        print_quoted(value);
        puts("");
    }
}

enum exit_code cmd_env_run(int argc, char **argv)
{
    char *folder;
    int shell = argc > 0 && !strcmp(argv[0], "--shell");
    if (argc > shell)
        return commands_fail(EXIT_USAGE, commands_unknown("env", argv[shell]));
    struct error *error = plugins_own_folder(&folder);
    if (error)
        return commands_fail(EXIT_FAILED, error);
    if (shell) {
        print_exports(folder);
    } else {
        print_settings(folder);
        print_own();
    }
    alloc_free(folder);
    return EXIT_DONE;
}
