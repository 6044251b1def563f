/* gantry.c: the command: a table of subcommands. */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "tools/commands.h"
#include "version.h"

static const struct command {
    const char *name, *summary, *manual;
    command_run *run;
} commands[] = {
    {"info", "plugins, devices, memories, processor, settings",
     "gantry info [--plugin FILE] [--json]\n"
     "Shows the version, devices and memories of a plugin, or why it cannot be used. Without "
     "--plugin: of all plugins in the\n"
     "folder of this command, in PJRT_NAMES_AND_LIBRARY_PATHS, and in go-xla's folders. Also shows "
     "the processor, and the\n"
     "settings (environment variables), each with where its value comes from. Exits with 3 if no "
     "plugin could be used.\n",
     cmd_info_run},
    {"run", "run a program and print or save its results",
     "gantry run PROGRAM [--input SPEC]... [--output FOLDER] [--expect FILE.npy]... [--tolerance "
     "T] [--repeat N]\n"
     "           [--plugin FILE] [--format mlir|hlo] [--options FILE] [--function NAME] [--json] "
     "[--quiet]\n"
     "Compiles StableHLO (text or bytecode) or an HloModuleProto, and runs it on the plugin's "
     "first device. Without\n"
     "the inputs that it needs, prints its signature and an example.\n"
     "  SPEC      f32=3  4x8xf32=0.5  4xf32=1,2,3,4  4x8xbf16=random:SEED  4xf32=iota  @file.npy  "
     "4xf8e5m2=@file.npy\n"
     "  --output  writes result i to FOLDER/i.npy instead of printing it; bf16 is stored as "
     "'<V2', 8-bit floats as '|V1'\n"
     "  --expect  compares the results, in order, with files: |got - expected| <= T * (1 + "
     "|expected|)\n"
     "  --options a serialized CompileOptionsProto; default: one device\n"
     "  --function  the function to run; default: main\n"
     "  --json    prints the results as JSON; --quiet: prints no results\n",
     cmd_run_run},
    {"bench", "measure the running time of a program",
     "gantry bench PROGRAM [--input SPEC]... [--seconds S] [--plugin FILE] [--format mlir|hlo] "
     "[--options FILE] [--json]\n"
     "Compiles the program and, after a warm-up, runs it repeatedly for about S seconds (default "
     "2). Shows the median and\n"
     "the median absolute deviation of the wall time of a run, and its CPU time. A run is a call "
     "through the ABI, with\n"
     "arguments and results on the device, so the times include the overhead of the call.\n",
     cmd_benchmark_run},
    {"topo", "the machine: memory nodes, cores, workers, devices, memories",
     "gantry topo [--format text|json|svg] [--devices N] [--plugin FILE]\n"
     "Shows packages, memory nodes, caches, cores and which of them the process may use, workers, "
     "pools of host memory, and\n"
     "the devices with their memories and nearest nodes. GANTRY_SYSFS_ROOT=FOLDER shows a "
     "recorded machine.\n"
     "  --devices  the number of CPU devices (default: GANTRY_CPU_DEVICES, or 1)\n",
     cmd_topo_run},
    {"plan", "the memory that a program needs, without running it",
     "gantry plan PROGRAM [--format text|json|html] [--output FILE] [--capacity BYTES]\n"
     "            [--tpu TOPOLOGY] [--devices N] [--plugin FILE] [--program-format mlir|hlo] "
     "[--options FILE]\n"
     "Compiles the program and shows its memory plan: the peak of each memory kind, what is in use "
     "at the peak with\n"
     "operations and source lines, and the largest buffers. html: a self-contained page with a "
     "chart of the memory\n"
     "over program order. Exits with 4 if the program does not fit into the device's memory, or "
     "into --capacity, like 16G.\n"
     "  --tpu      what a TPU would do with the program (docs/tpu-model.md): padded bytes of HBM, "
     "time, operations; v5e:2x4\n"
     "  --devices  the number of devices that the program is partitioned over\n",
     cmd_plan_run},
    {"cts", "test any PJRT plugin against the rules of docs/semantics.md",
     "gantry cts PLUGIN.so [--only RULE]... [--area AREA]... [--level must|should|optional]\n"
     "           [--profile jax|torch|go|rust]... [--expected FILE] [--seed N] [--jobs N] "
     "[--in-process]\n"
     "           [--format terminal|json|tap|junit|md|html] [--output FILE]\n"
     "gantry cts --list [--only RULE]... [--area AREA]...\n"
     "Checks what clients may rely on, each rule in a process of its own. Works with plugins of "
     "PJRT 0.45 and later; rules\n"
     "about what a plugin's version does not have are skipped, and so are those that need a client "
     "where none can be created.\n"
     "  --only      RULE is an id (6.2.3), the beginning of one (6, 6.2), or a glob over ids or "
     "names (client.*)\n"
     "  --area      a name or number, as --list shows it\n"
     "  --level     only rules of this level and stricter ones\n"
     "  --profile   a function that this client cannot do without and the plugin lacks is a "
     "failure\n"
     "  --expected  lines of RULE and the reason why the plugin is known to fail it\n"
     "  --jobs      rules that run at a time (default 1: many devices admit one process only)\n"
     "  --in-process  in this process, for debuggers\n"
     "The last line is 'N passed, N failed, N skipped'. Exits with 0 if nothing failed, 1 if "
     "something did, 3 if the\n"
     "plugin could not be loaded.\n",
     cmd_cts_run},
    {"env", "environment variables, for clients and for Gantry",
     "gantry env [--shell]\n"
     "Shows the variables with which JAX, PyTorch/XLA, go-xla and Rust use this installation's "
     "plugin, and those that\n"
     "Gantry reads. --shell: prints the former as export commands, for  eval \"$(gantry env "
     "--shell)\".\n",
     cmd_env_run},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

enum exit_code commands_fail(enum exit_code code, struct error *error)
{
    fprintf(stderr, "gantry: %s: %s\n", error_code_name(error_code(error)),
            error_message(error, NULL));
    error_free(error);
    return code;
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

/* ---- what was meant -------------------------------------------------------------------------- */
enum { MAX_OPTIONS = 32, OPTION_SIZE = 32, SHOWN = 80 };
struct options {
    size_t count;
    char texts[MAX_OPTIONS][OPTION_SIZE];
    const char *names[MAX_OPTIONS];
};

/* The words of a manual that begin with "--". */
static void find_options(const char *manual, struct options *out)
{
    out->count = 0;
    for (const char *at = manual; (at = strstr(at, "--")) && out->count < MAX_OPTIONS;) {
        size_t size = strspn(at, "-abcdefghijklmnopqrstuvwxyz");
        snprintf(out->texts[out->count], OPTION_SIZE, "%.*s", (int)size, at);
        out->names[out->count] = out->texts[out->count];
        out->count += size > 2;
        at += size;
    }
}

struct error *commands_unknown(const char *command, const char *argument)
{
    struct options options;
    char name[OPTION_SIZE];
    find_options(find(command)->manual, &options);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    const char *meant = *argument == '-' ? suggest(name, options.names, options.count) : NULL;
    return meant ? ERROR(INVALID_ARGUMENT,
                         "unknown argument '%.*s'; did you mean %s? See gantry "
                         "help %s",
                         SHOWN, argument, meant, command)
                 : ERROR(INVALID_ARGUMENT, "unknown argument '%.*s'; see gantry help %s", SHOWN,
                         argument, command);
}

static enum exit_code unknown_command(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *meant = suggest(name, names, COMMANDS);
    return commands_fail(
        EXIT_USAGE,
        meant ? ERROR(INVALID_ARGUMENT, "unknown command '%.*s'; did you mean gantry %s?", SHOWN,
                      name, meant)
              : ERROR(INVALID_ARGUMENT, "unknown command '%.*s'; gantry help lists the commands",
                      SHOWN, name));
}

static void print_summary(FILE *out)
{
    fprintf(out, "gantry COMMAND ...\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-7s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "  %-7s %s\n", "version", "the version and the build");
    fprintf(out, "  %-7s %s\n", "help",
            "this list, or the manual of a command: gantry help COMMAND");
    fprintf(out,
            "Exit status 0: success, 1: failure, 2: usage error, 3: no plugin could be loaded, "
            "4: does not fit (plan).\n");
}

static enum exit_code help(const char *name)
{
    const struct command *command = name ? find(name) : NULL;
    if (name && !command)
        return unknown_command(name);
    if (command)
        fputs(command->manual, stdout);
    else
        print_summary(stdout);
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const struct command *command = find(name);
    if (command && argc > 2 && !strcmp(argv[2], "--help"))
        return help(name);
    if (command)
        return command->run(argc - 2, argv + 2);
    if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"))
        return help(argc > 2 ? argv[2] : NULL);
    if (!strcmp(name, "version") || !strcmp(name, "--version")) {
        puts("gantry " GANTRY_VERSION " build " GANTRY_BUILD_ID);
        return EXIT_DONE;
    }
    if (*name)
        return unknown_command(name);
    print_summary(stderr);
    return EXIT_USAGE;
}
