/* manual.c: the manual's text and what is read from it. */
#include "tools/manual.h"

#include <string.h>

static const struct manual table[] = {
    {"info", "plugins, devices, memories, processor, settings",
     "gantry info [--plugin FILE] [--json]\n"
     "Shows the version, devices and memories of a plugin, or why it cannot be used. Without "
     "--plugin: of all plugins in the\n"
     "folder of this command, in PJRT_NAMES_AND_LIBRARY_PATHS, and in go-xla's folders. Also shows "
     "the processor, and each\n"
     "setting (environment variable) with the source of its value. Exits with 3 if no plugin could "
     "be used.\n"},
    {"doctor", "checks this installation and suggests fixes; output for bug reports",
     "gantry doctor [--plugin FILE] [--json]\n"
     "gantry launch -n 4 -- gantry doctor --network [--plugin FILE] [--json]\n"
     "Shows the machine, this installation's libraries, the plugins that gantry info finds, the "
     "clients on PATH, and the\n"
     "relevant environment variables; compiles and runs a small program on each device. Ends with "
     "the problems found and\n"
     "their fixes. Runs for a few seconds, and changes nothing.\n"
     "Exits with 0 if there is no error, 1 if there is one, 3 if no plugin could be used. Notes "
     "are not errors.\n"
     "  --network  in every process of a job (gantry launch; or RANK, WORLD_SIZE and "
     "JAX_COORDINATOR_ADDRESS): the network\n"
     "             between them: addresses, latency and bandwidth of each pair, failed "
     "connections\n"},
    {"run", "run a program and print or save its results",
     "gantry run PROGRAM [--input SPEC]... [--output FOLDER] [--expect FILE.npy]... [--tolerance "
     "T] [--repeat N]\n"
     "           [--plugin FILE] [--format mlir|hlo] [--options FILE] [--function NAME] [--json] "
     "[--quiet]\n"
     "           [--python FILE.py:FUNCTION] [--args EXPRESSION]\n"
     "Compiles StableHLO (text or bytecode) or an HloModuleProto, and runs it on the plugin's "
     "first device. PROGRAM\n"
     "is a file, or - for the standard input. If a program needs inputs and none are given, it is "
     "not run; its signature and\n"
     "an example are printed.\n"
     "  SPEC      f32=3  4x8xf32=0.5  4xf32=1,2,3,4  4x8xbf16=random:SEED  4xf32=iota  @file.npy  "
     "4xf8e5m2=@file.npy\n"
     "  --output  writes result i to FOLDER/i.npy instead of printing it; bf16 is stored as '<V2', "
     "8-bit floats as '|V1'\n"
     "  --expect  compares the results, in order, with files: |got - expected| <= T * (1 + "
     "|expected|)\n"
     "  --options a serialized CompileOptionsProto; default: one device\n"
     "  --python FILE.py:FUNCTION  instead of PROGRAM: a function of JAX or PyTorch, lowered with "
     "its example arguments:\n"
     "            --args 'EXPRESSION, ...', else the module's example_args\n"
     "  --function  the function to run; default: main\n"
     "  --json    prints the results as JSON; --quiet: prints no results\n"},
    {"bench", "measure the running time of a program",
     "gantry bench PROGRAM [--input SPEC]... [--seconds S] [--plugin FILE] [--format mlir|hlo] "
     "[--options FILE] [--json]\n"
     "             [--python FILE.py:FUNCTION] [--args EXPRESSION] [--beside OTHER.so]\n"
     "Compiles the program and, after a warm-up, runs it repeatedly for about S seconds (default "
     "2). Shows the median and\n"
     "the median absolute deviation of the wall time of a run, and its CPU time. A run is a call "
     "through the ABI, with\n"
     "arguments and results on the device, so the times include the overhead of the call. Without "
     "--input the arguments\n"
     "are random numbers.\n"
     "  --beside  another plugin; runs alternate between the two, and the ratio of the medians is "
     "shown\n"},
    {"topo",
     "the machine: memory nodes, cores, workers, devices; or the processes and hosts of a job",
     "gantry topo [--format text|json|svg] [--devices N] [--plugin FILE]\n"
     "gantry launch -n 4 -- gantry topo --job [--format text|json|svg] [--plugin FILE]\n"
     "Shows packages, memory nodes, caches, cores, the processors available to the process, "
     "workers, pools of host memory,\n"
     "and the devices with their memories and nearest nodes. GANTRY_SYSFS_ROOT=FOLDER shows a "
     "recorded machine.\n"
     "  --devices  the number of CPU devices (default: GANTRY_CPU_DEVICES, or 1)\n"
     "  --job      in every process of a job (as gantry doctor --network): its hosts, processes "
     "and "
     "devices\n"},
    {"plan", "the memory that a program needs, without running it",
     "gantry plan PROGRAM [--format text|json|html] [--json] [--output FILE] [--capacity BYTES]\n"
     "            [--tpu TOPOLOGY] [--devices N] [--auto [--mesh SIZES]] [--plugin FILE]\n"
     "            [--hosts N [--link RATE[,MICROSECONDS]]]\n"
     "            [--program-format mlir|hlo] [--options FILE]\n"
     "            [--python FILE.py:FUNCTION] [--args EXPRESSION] [--input SPEC]...\n"
     "gantry plan PROGRAM OTHER ...\n"
     "Compiles the program and shows its memory plan: the peak of each memory kind, the values "
     "live at the peak with\n"
     "operations and source lines, and the largest buffers. html: a self-contained page with a "
     "chart of the memory\n"
     "over program order. Exits with 4 if the program does not fit into the device's memory, or "
     "into --capacity, like 16G.\n"
     "With a second program, shows the differences in memory, time and collectives, in total and "
     "by source line.\n"
     "  --input    types of the arguments, like 8x4xf32, for a program with dynamic sizes "
     "(tensor<?x4xf32>)\n"
     "  --tpu      plan for a modeled TPU (docs/tpu-model.md): padded bytes of HBM, time, "
     "operations; v5e:2x4\n"
     "  --devices  the number of devices that the program is partitioned over\n"
     "  --auto     the compiler chooses the shardings (docs/auto_sharding.md) and prints them for "
     "JAX and PyTorch/XLA\n"
     "  --hosts    also estimate the collectives between N hosts, each with a member of every "
     "group and a --link of RATE bits\n"
     "             per second (default 10G,10), with the LogGP model (docs/several_hosts.md)\n"
     "  --mesh     with --auto: sizes of the axes, like 4x4 (default: those of the topology), or "
     "any: the best of all meshes\n"
     "  --python FILE.py:FUNCTION [--args 'EXPRESSION, ...']  instead of PROGRAM: a function of "
     "JAX or PyTorch, lowered with\n"
     "             these example arguments, else with the module's example_args\n"},
    {"explore", "compare TPU slices for a program: time, memory, chips",
     "gantry explore PROGRAM [--tpu v5e,v5p,v6e] [--chips MAX] [--batch N,N...] [--effort "
     "SECONDS]\n"
     "               [--format text|json|html] [--output FILE] [--plugin FILE]\n"
     "               [--python FILE.py:FUNCTION] [--args EXPRESSION]\n"
     "Plans the program, written for one device, for each slice and mesh, with shardings that the "
     "compiler chooses\n"
     "(docs/auto_sharding.md), and marks the plans that are Pareto-optimal in time, memory and "
     "chips. Exits with 4 if\n"
     "none fits.\n"
     "  --tpu     generations among v4, v5e, v5p and v6e\n"
     "  --chips   the maximum number of chips of a slice (default 16)\n"
     "  --batch   replaces the word batch in --args by each of the numbers\n"
     "  --effort  approximate search time for each mesh, in seconds (default 2)\n"
     "  --python FILE.py:FUNCTION [--args 'EXPRESSION, ...']  instead of PROGRAM, as in gantry "
     "plan\n"},
    {"top", "what a running process compiles, executes and holds in memory",
     "gantry top [PID] [--interval S] [--once] [--json]\n"
     "Attaches to a process that runs with GANTRY_TOP=1 (without PID: there must be only one) and "
     "shows, updated each second:\n"
     "executions per second, the current program and step of each device, its queue, the memories "
     "with their largest buffers,\n"
     "transfers, and recompiled programs with the reason. The process is not slowed down; only its "
     "own user and\n"
     "root may attach. Ends with the process.\n"
     "  --interval  seconds between updates (default 1)\n"
     "  --once      show one report; the default if the output is not a terminal\n"
     "  --json      print the plugin's report as JSON, once\n"},
    {"launch", "start the processes of a job together",
     "gantry launch [-n N] [--devices D] [--hosts H --host I --coordinator HOST:PORT] -- COMMAND\n"
     "Starts N processes of COMMAND on this machine, and sets the variables with which JAX "
     "(jax.distributed.initialize()\n"
     "without arguments) and programs for torchrun connect them. When one process fails, the "
     "others have 5 s to\n"
     "report it before they are terminated. The exit code is that of the first failed process, or "
     "128 + N after signal N.\n"
     "Output is forwarded in whole lines; PYTHONUNBUFFERED is set.\n"
     "  --devices  devices per process: sets GANTRY_CPU_DEVICES\n"
     "  --hosts    for H hosts: start the same command on each, with --host 0 to H-1; "
     "--coordinator is host 0's address and\n"
     "             a free port there\n"},
    {"cts", "test any PJRT plugin against the rules of docs/semantics.md",
     "gantry cts PLUGIN.so [--only RULE]... [--area AREA]... [--level must|should|optional|extra]\n"
     "           [--profile jax|torch|go|rust]... [--expected FILE] [--seed N] [--jobs N] "
     "[--strict] [--in-process]\n"
     "           [--format terminal|json|tap|junit|md|html] [--output FILE]\n"
     "gantry cts --list [--only RULE]... [--area AREA]...\n"
     "Checks the guarantees that clients rely on, each rule in a separate process. Works with "
     "plugins of PJRT 0.45 and later.\n"
     "Rules newer than the plugin's API are skipped. So are rules that need a client if none can "
     "be created.\n"
     "  --only      RULE is an id (6.2.3), a prefix of ids (6, 6.2), or a glob over ids or names "
     "(client.*)\n"
     "  --area      a name or number, as shown by --list\n"
     "  --level     only rules of this level and stricter ones\n"
     "  --profile   fail if the plugin lacks a function that this client requires\n"
     "  --expected  a file of expected failures: lines with RULE and the reason\n"
     "  --jobs      number of rules that run concurrently (default: 1, since many devices admit "
     "only one process; on the\n"
     "              platform cpu, the number of cores)\n"
     "  --strict    failures of extra rules count as failures, not as warnings\n"
     "  --in-process  run rules in this process, for debuggers\n"
     "The last line is 'N passed, N failed, N skipped'. Exits with 0 if nothing failed, 1 if a "
     "rule failed, 3 if the\n"
     "plugin could not be loaded or was replaced during the run.\n"},
    {"env", "environment variables, for clients and for Gantry",
     "gantry env [--shell]\n"
     "Shows the variables that make JAX, PyTorch/XLA, go-xla and Rust use this installation's "
     "plugin, and those that\n"
     "Gantry reads. --shell: prints the former as export commands, for  eval \"$(gantry env "
     "--shell)\".\n"},
    {"completion", "completion of this command's arguments, for a shell",
     "gantry completion bash|zsh|fish\n"
     "Prints a script that completes this command's arguments. make install installs it for all "
     "shells; to use it\n"
     "without installation: eval \"$(gantry completion bash)\".\n"},
    {"version", "the version and the build",
     "gantry version\n"
     "Shows the version and the build.\n"},
    {"help", "this list, or the manual of a command: gantry help COMMAND",
     "gantry help [COMMAND]\n"
     "gantry help [--man]\n"
     "Shows the commands, or the manual of one of them.\n"
     "  --man  the manual of all commands, for man: gantry help --man | man -l -\n"},
};
enum { MANUALS = sizeof table / sizeof *table };

const struct manual *manual_at(size_t i)
{
    return i < MANUALS ? &table[i] : NULL;
}

const struct manual *manual_find(const char *name)
{
    for (size_t i = 0; i < MANUALS; i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

size_t manual_synopsis_size(const struct manual *manual)
{
    const char *at = manual->text;
    while (*at && !(*at >= 'A' && *at <= 'Z'))
        at += strcspn(at, "\n") + 1;
    return (size_t)(at - manual->text);
}

/* ---- Options --------------------------------------------------------------------------------- */

static bool is_known(const struct manual_option *options, size_t count, const char *name,
                     size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (options[i].name_size == size && !strncmp(options[i].name, name, size))
            return true;
    return false;
}

/* The word after an option in the synopsis, as in "[--format text|json]": "" for a flag. */
static void read_value(const char *after, struct manual_option *option)
{
    option->value = after;
    option->value_size = 0;
    if (*after != ' ' || after[1] == '[' || after[1] == '-')
        return;
    option->value = after + 1;
    option->value_size = strcspn(option->value, "] \n");
}

size_t manual_options(const struct manual *manual, struct manual_option out[MANUAL_OPTIONS])
{
    const char *end = manual->text + manual_synopsis_size(manual);
    size_t count = 0;
    for (const char *at = manual->text; (at = strstr(at, "--")) && count < MANUAL_OPTIONS;) {
        size_t size = strspn(at, "-abcdefghijklmnopqrstuvwxyz");
        if (at >= end)
            break;
        if (size > 2 && !is_known(out, count, at, size)) {
            out[count] = (struct manual_option){.name = at, .name_size = size};
            read_value(at + size, &out[count++]);
        }
        at += size;
    }
    return count;
}
