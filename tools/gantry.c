/* gantry.c: the command: a table of subcommands. */
#include <stdio.h>
#include <string.h>

#include "tools/commands.h"
#include "version.h"

static const struct verb {
    const char *name, *summary, *manual;
    command_run *run;
} verbs[] = {
    {"info", "plugins, devices, memories, processor, variables in force",
     "gantry info [--plugin FILE] [--json]\n"
     "Shows the plugins that are found (beside this program, in PJRT_NAMES_AND_LIBRARY_PATHS, "
     "where go-xla looks), or the\n"
     "named one: version, devices, memories; or why it cannot be used. Then the processor, and the "
     "variables in force.\n",
     cmd_info_run},
    {"run", "run a program and print or store its results",
     "gantry run PROGRAM [--input SPEC]... [--output FOLDER] [--expect FILE.npy]... [--tolerance "
     "T] [--repeat N]\n"
     "           [--plugin FILE] [--format mlir|hlo] [--options FILE]\n"
     "Compiles StableHLO (text or bytecode) or an HloModuleProto, and runs it on the plugin's "
     "first device.\n"
     "  SPEC      f32=3  4x8xf32=0.5  4xf32=1,2,3,4  4x8xbf16=random:SEED  4xf32=iota  @file.npy  "
     "4xf8e5m2=@file.npy\n"
     "  --output  writes result i to FOLDER/i.npy in place of printing it; bf16 is stored as "
     "'<V2', 8-bit floats as '|V1'\n"
     "  --expect  compares results, in their order, with files: |got - expected| <= T * (1 + "
     "|expected|)\n"
     "  --options a serialized CompileOptionsProto; without: one device\n",
     cmd_run_run},
    {"bench", "measure a program",
     "gantry bench PROGRAM [--input SPEC]... [--seconds S] [--plugin FILE] [--format mlir|hlo] "
     "[--options FILE] [--json]\n"
     "Compiles the program and runs it again and again, about S seconds (default 2), after a "
     "warm-up. Shows the median and\n"
     "the median absolute deviation of a run's wall time, and the process's CPU time for one run. "
     "Runs are calls through\n"
     "the ABI, with arguments on the device and results left there: no measurement of a kernel "
     "alone.\n",
     cmd_benchmark_run},
    {"topo", "the machine as Gantry sees it: memory nodes, cores, workers, devices, memories",
     "gantry topo [--format text|json|svg] [--devices N] [--plugin FILE]\n"
     "Shows packages, memory nodes, caches and cores, which cores the process may use, workers, "
     "pools of host memory, and\n"
     "near which nodes the devices are, with their memories. GANTRY_SYSFS_ROOT=FOLDER shows a "
     "recorded machine.\n"
     "  --devices  as many CPU devices (default: GANTRY_CPU_DEVICES, or 1)\n",
     cmd_topo_run},
    {"plan", "how much memory a program needs, and what for, before it runs",
     "gantry plan PROGRAM [--format text|json|html] [--output FILE] [--capacity BYTES]\n"
     "            [--plugin FILE] [--program-format mlir|hlo] [--options FILE]\n"
     "Compiles the program and shows its memory plan: the peak of each memory kind, what is in use "
     "at the peak with\n"
     "operations and source lines, and the largest buffers. html: one page with a picture of the "
     "memory over program\n"
     "order, which needs nothing but itself. Ends with 4 when the program does not fit into the "
     "device's memory, or into\n"
     "--capacity, like 16G.\n",
     cmd_plan_run},
    {"env", "variables that make clients use this installation, and Gantry's own",
     "gantry env [--shell]\n"
     "Shows what JAX, PyTorch/XLA, go-xla and Rust need to use this installation's "
     "plugin, and the variables\n"
     "that Gantry reads. --shell: the former as export lines, for  eval \"$(gantry env "
     "--shell)\".\n",
     cmd_env_run},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

enum exit_code commands_fail(enum exit_code code, struct error *error)
{
    fprintf(stderr, "gantry: %s: %s\n", error_code_name(error_code(error)),
            error_message(error, NULL));
    error_free(error);
    return code;
}

enum exit_code commands_unknown(const char *argument)
{
    return commands_fail(EXIT_USAGE,
                         ERROR(INVALID_ARGUMENT, "'%s' is not known; see gantry help", argument));
}

static const struct verb *find(const char *name)
{
    for (size_t i = 0; i < VERBS; i++)
        if (!strcmp(verbs[i].name, name))
            return &verbs[i];
    return NULL;
}

static void print_summary(FILE *out)
{
    fprintf(out, "gantry VERB ...\n");
    for (size_t i = 0; i < VERBS; i++)
        fprintf(out, "  %-6s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(out, "  %-6s %s\n", "help", "this, or the manual of a verb: gantry help VERB");
    fprintf(out, "Ends with 0: done, 1: failed, 2: wrong use, 3: no plugin could be loaded, 4: "
                 "does not fit (plan).\n");
}

static enum exit_code help(const char *name)
{
    const struct verb *verb = name ? find(name) : NULL;
    if (name && !verb)
        return commands_unknown(name);
    if (verb)
        fputs(verb->manual, stdout);
    else
        print_summary(stdout);
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const struct verb *verb = find(name);
    if (verb && argc > 2 && !strcmp(argv[2], "--help"))
        return help(name);
    if (verb)
        return verb->run(argc - 2, argv + 2);
    if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"))
        return help(argc > 2 ? argv[2] : NULL);
    if (!strcmp(name, "--version")) {
        puts("gantry " GANTRY_VERSION);
        return EXIT_DONE;
    }
    if (*name)
        return commands_unknown(name);
    print_summary(stderr);
    return EXIT_USAGE;
}
