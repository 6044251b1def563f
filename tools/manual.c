/* manual.c: the manual's text and what is read from it. */
#include "tools/manual.h"

#include <string.h>

static const struct manual table[] = {
    {"info", "plugins, devices, memories, processor, settings",
     "gantry info [--plugin FILE] [--json]\n"
     "Shows the version, devices and memories of a plugin, or why it cannot be used. Without "
     "--plugin: of all plugins in the\n"
     "folder of this command, in PJRT_NAMES_AND_LIBRARY_PATHS, and in go-xla's folders. Also shows "
     "the processor, and the\n"
     "settings (environment variables), each with where its value comes from. Exits with 3 if no "
     "plugin could be used.\n"},
    {"doctor", "a report to paste: what works here, what does not, and what to do",
     "gantry doctor [--plugin FILE] [--json]\n"
     "gantry launch -n 4 -- gantry doctor --network [--plugin FILE] [--json]\n"
     "Shows the machine, this installation's libraries, the plugins that gantry info finds, the "
     "clients on PATH, and the\n"
     "environment variables that matter; compiles and runs a small program on each device. Ends "
     "with the problems found, and\n"
     "what to do about each. Takes a few seconds, and changes nothing.\n"
     "Exits with 0 if there is no error, 1 if there is one, 3 if no plugin could be used. Notes "
     "are no errors.\n"
     "  --network  in every process of a job (gantry launch; or RANK, WORLD_SIZE and "
     "JAX_COORDINATOR_ADDRESS): the network\n"
     "             between them: where they listen, latency and bandwidth of each pair, what does "
     "not connect\n"},
    {"run", "run a program and print or save its results",
     "gantry run PROGRAM [--input SPEC]... [--output FOLDER] [--expect FILE.npy]... [--tolerance "
     "T] [--repeat N]\n"
     "           [--plugin FILE] [--format mlir|hlo] [--options FILE] [--function NAME] [--json] "
     "[--quiet]\n"
     "           [--python FILE.py:FUNCTION] [--args EXPRESSION]\n"
     "Compiles StableHLO (text or bytecode) or an HloModuleProto, and runs it on the plugin's "
     "first device. PROGRAM\n"
     "is a file, or - for the standard input. Without --input, a program that needs inputs is not "
     "run: its signature and\n"
     "an example are printed.\n"
     "  SPEC      f32=3  4x8xf32=0.5  4xf32=1,2,3,4  4x8xbf16=random:SEED  4xf32=iota  @file.npy  "
     "4xf8e5m2=@file.npy\n"
     "  --output  writes result i to FOLDER/i.npy instead of printing it; bf16 is stored as "
     "'<V2', 8-bit floats as '|V1'\n"
     "  --expect  compares the results, in order, with files: |got - expected| <= T * (1 + "
     "|expected|)\n"
     "  --options a serialized CompileOptionsProto; default: one device\n"
     "  --python FILE.py:FUNCTION  in place of PROGRAM: a function of JAX or PyTorch, lowered with "
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
     "arguments and results on the device, so the times include the overhead of the call.\n"
     "  --beside  another plugin, on which the program runs in turns with the first; also shows "
     "the "
     "ratio of the medians\n"},
    {"topo",
     "the machine: memory nodes, cores, workers, devices; or the processes and hosts of a job",
     "gantry topo [--format text|json|svg] [--devices N] [--plugin FILE]\n"
     "gantry launch -n 4 -- gantry topo --job [--format text|json|svg] [--plugin FILE]\n"
     "Shows packages, memory nodes, caches, cores and which of them the process may use, workers, "
     "pools of host memory, and\n"
     "the devices with their memories and nearest nodes. GANTRY_SYSFS_ROOT=FOLDER shows a "
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
     "Compiles the program and shows its memory plan: the peak of each memory kind, what is in use "
     "at the peak with\n"
     "operations and source lines, and the largest buffers. html: a self-contained page with a "
     "chart of the memory\n"
     "over program order. Exits with 4 if the program does not fit into the device's memory, or "
     "into --capacity, like 16G.\n"
     "With a second program, shows what that one needs more or less: memory, time, collectives, "
     "and "
     "what changed at each\n"
     "source line.\n"
     "  --input    types of the arguments, like 8x4xf32, for a program that leaves sizes open "
     "(tensor<?x4xf32>)\n"
     "  --tpu      what a TPU would do with the program (docs/tpu-model.md): padded bytes of HBM, "
     "time, operations; v5e:2x4\n"
     "  --devices  the number of devices that the program is partitioned over\n"
     "  --auto     the compiler chooses the shardings (docs/auto_sharding.md) and prints them for "
     "JAX and PyTorch/XLA\n"
     "  --hosts    also what the collectives would take between so many hosts, each with a member "
     "of "
     "every group and a --link\n"
     "             of RATE bits a second (10G,10), by the LogGP model (docs/several_hosts.md)\n"
     "  --mesh     of --auto: sizes of the axes, like 4x4 (default: those of the topology), or "
     "any: "
     "the best of all meshes\n"
     "  --python FILE.py:FUNCTION [--args 'EXPRESSION, ...']  in place of PROGRAM: a function of "
     "JAX or PyTorch, lowered with\n"
     "             these example arguments, else with the module's example_args\n"},
    {"explore", "which TPU slice a program needs, and its time there",
     "gantry explore PROGRAM [--tpu v5e,v5p,v6e] [--chips MAX] [--batch N,N...] [--effort "
     "SECONDS]\n"
     "               [--format text|json|html] [--output FILE] [--plugin FILE]\n"
     "               [--python FILE.py:FUNCTION] [--args EXPRESSION]\n"
     "Plans the program, written for one device, for each slice and mesh, with shardings that the "
     "compiler chooses\n"
     "(docs/auto_sharding.md), and marks the plans than which no other is as good in time, memory "
     "and chips. Exits with 4 if\n"
     "none fits.\n"
     "  --tpu     generations, of v4, v5e, v5p and v6e\n"
     "  --chips   the most chips of a slice (default 16)\n"
     "  --batch   replaces the word batch in --args by each of the numbers\n"
     "  --effort  about how long to look for shardings for each mesh, in seconds (default 2)\n"
     "  --python FILE.py:FUNCTION [--args 'EXPRESSION, ...']  in place of PROGRAM, as of gantry "
     "plan\n"},
    {"top", "what a running process compiles, executes and holds in memory",
     "gantry top [PID] [--interval S] [--once] [--json]\n"
     "Attaches to a process that runs with GANTRY_TOP=1 (without PID: to the only one there is) "
     "and "
     "shows, anew each second:\n"
     "executions a second, the program and step that each device is at, its queue, the memories "
     "with their largest buffers,\n"
     "what was moved, and which programs were compiled again and why. The process is not slowed "
     "down; only its own user and\n"
     "root may attach. Ends with the process.\n"
     "  --interval  seconds between two looks (default 1)\n"
     "  --once      one look; also where the output is no terminal\n"
     "  --json      the report as the plugin gives it, once\n"},
    {"launch", "start the processes of a job together",
     "gantry launch [-n N] [--devices D] [--hosts H --host I --coordinator HOST:PORT] -- COMMAND\n"
     "Starts N processes of COMMAND on this machine with the variables by which JAX "
     "(jax.distributed.initialize() without\n"
     "arguments) and programs for torchrun find each other, and ends them together: when one "
     "fails, the others have 5 s to\n"
     "report it before they are terminated. The exit code is that of the first one that failed, "
     "128 + N after signal N. What they print appears in whole lines; PYTHONUNBUFFERED is set.\n"
     "  --devices  of each process: sets GANTRY_CPU_DEVICES\n"
     "  --hosts    the same command is started on H hosts, with --host 0 to H-1; --coordinator is "
     "host 0's address and a\n"
     "             free port there\n"},
    {"cts", "test any PJRT plugin against the rules of docs/semantics.md",
     "gantry cts PLUGIN.so [--only RULE]... [--area AREA]... [--level must|should|optional|extra]\n"
     "           [--profile jax|torch|go|rust]... [--expected FILE] [--seed N] [--jobs N] "
     "[--strict] [--in-process]\n"
     "           [--format terminal|json|tap|junit|md|html] [--output FILE]\n"
     "gantry cts --list [--only RULE]... [--area AREA]...\n"
     "Checks what clients may rely on, each rule in a process of its own. Works with plugins of "
     "PJRT 0.45 and later. Rules\n"
     "newer than the plugin's API are skipped, and so are those that need a client where none can "
     "be created.\n"
     "  --only      RULE is an id (6.2.3), the beginning of one (6, 6.2), or a glob over ids or "
     "names (client.*)\n"
     "  --area      a name or number, as --list shows it\n"
     "  --level     only rules of this level and stricter ones\n"
     "  --profile   a function that this client cannot do without and the plugin lacks is a "
     "failure\n"
     "  --expected  lines of RULE and the reason why the plugin is known to fail it\n"
     "  --jobs      rules that run at a time (default: 1, since many devices admit one process "
     "only; on the platform cpu the\n"
     "              number of cores)\n"
     "  --strict    failures of extra rules, which nothing promises, are failures and not "
     "warnings\n"
     "  --in-process  in this process, for debuggers\n"
     "The last line is 'N passed, N failed, N skipped'. Exits with 0 if nothing failed, 1 if "
     "something did, 3 if the\n"
     "plugin could not be loaded or was replaced during the run.\n"},
    {"env", "environment variables, for clients and for Gantry",
     "gantry env [--shell]\n"
     "Shows the variables with which JAX, PyTorch/XLA, go-xla and Rust use this installation's "
     "plugin, and those that\n"
     "Gantry reads. --shell: prints the former as export commands, for  eval \"$(gantry env "
     "--shell)\".\n"},
    {"completion", "completion of this command's arguments, for a shell",
     "gantry completion bash|zsh|fish\n"
     "Prints a script that completes this command's arguments. make install puts it where the "
     "shells look for it; to use it\n"
     "without: eval \"$(gantry completion bash)\".\n"},
    {"version", "the version and the build", "gantry version\nShows the version and the build.\n"},
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
