#!/usr/bin/env python3
"""JAX's own test suite on Gantry, which takes the place of JAX's CPU backend.

    jax_suite.py --tests DIR [--plugin FILE] [--files lax_test,nn_test] [--match REGEX] [--sample N] [--json OUT]
    jax_suite.py --tests DIR --platform tpu                 Gantry's TPU model instead, and JAX lowers for that name
    jax_suite.py --tests DIR --backend cpu --keep           makes the list of what JAX's own CPU passes

DIR is the folder `tests` of a checkout of JAX at the tag of the client's version (git clone --depth 1 --branch
jax-v0.10.2 https://github.com/jax-ml/jax); the suite is not part of this project. Tests run in worker processes, a
bounded number in each; if a worker dies or hangs, its current test fails, and another worker continues after it. Ends
with a table with one row per file: what Gantry passes, fails and skips; of what JAX's own CPU passes (`own`, by
conformance/expected/jax_suite_cpu.txt) how many Gantry does not (`ours`), and how many of these are known, with their
reasons, by conformance/expected/jax_suite.txt (jax_suite_tpu.txt). The exit status is 0 when all of them are, and
nothing is called known that passes.

Both sides have one device, or as many as --devices says; the lists of N devices are jax_suite_cpu_N.txt and
jax_suite_N.txt. Some files of JAX's ask JAX's own CPU for up to eight themselves; this request is ignored.
    jax_suite.py --tests DIR --devices 8                    the files that partition programs over devices
    jax_suite.py --tests DIR --beside                       with any version of JAX: no list of what its own CPU passes is
needed, as tests that Gantry does not pass run again on JAX's own CPU; the known ones are jax_suite_newest.txt (_N).
memories_test is for devices with memory kinds: JAX's own CPU skips most of it, Gantry none that is for one device."""
import argparse
import collections
import datetime
import fnmatch
import importlib
import json
import os
import re
import selectors
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
EXPECTED = os.path.join(ROOT, "conformance", "expected")
FILES = ("lax_test,lax_numpy_test,lax_numpy_ufuncs_test,lax_numpy_indexing_test,lax_numpy_reducers_test,"
         "lax_numpy_einsum_test,lax_numpy_operators_test,lax_control_flow_test,lax_autodiff_test,lax_vmap_test,"
         "lax_scipy_test,random_lax_test,nn_test,linalg_test,fft_test,scipy_fft_test,scipy_interpolate_test,"
         "scipy_ndimage_test,scipy_optimize_test,scipy_signal_test,scipy_spatial_test,scipy_stats_test,ann_test,"
         "image_test,debugging_primitives_test,python_callback_test,ffi_test,api_test,export_test,"
         "compilation_cache_test,memories_test")
FILES_OF_SEVERAL_DEVICES = (
    "pjit_test,shard_map_test,pmap_test,array_test,layout_test,memories_test,export_test,debugging_primitives_test,"
    "multi_device_test,custom_partitioning_test,custom_partitioning_sharding_rule_test,linalg_sharding_test,"
    "shard_alike_test,async_collectives_test,ragged_collective_test,mutable_array_test,mesh_utils_test,aot_test,"
    "batching_test,jaxpr_effects_test,python_callback_test,ffi_test,checkify_test,error_check_test,control_deps_test,"
    "hijax_test,debugger_test,string_array_test,transfer_guard_test,pickle_test")
LIFTED = ("memories_test",)      # files of which JAX's own CPU skips what Gantry does
TESTS_PER_WORKER = 300          # bounds the caches of a worker
STATES = ("passed", "failed", "skipped", "crashed")


# ---- the worker: one file's tests, named by what it reads from standard input

def name_of(test):
    """Class and method; id() has arguments in it whose text changes from process to process."""
    return f"{type(test).__qualname__}.{test._testMethodName}" if hasattr(test, "_testMethodName") else test.id()


class Reporter(unittest.TestResult):
    """Reports the start and the outcome of each test to the parent, one JSON line per event."""

    def __init__(self, out):
        super().__init__()
        self.out, self.state, self.began = out, None, 0.0

    def say(self, **event):
        print(json.dumps(event), file=self.out, flush=True)

    def startTest(self, test):
        self.state, self.began = ("passed", ""), time.monotonic()
        self.say(begin=name_of(test))

    def stopTest(self, test):
        state, message = self.state
        what = "" if state in ("passed", "skipped") else f"{test.id()}\n"
        self.say(end=name_of(test), state=state, message=what + message[-3000:],
                 seconds=round(time.monotonic() - self.began, 2))

    def broken(self, test, error):
        self.state = ("failed", self._exc_info_to_string(error, test))
        if not hasattr(test, "_testMethodName"):        # setUpClass or setUpModule: its tests will not run
            self.say(end=test.id(), state="failed", message=self.state[1][-3000:], seconds=0)

    addError = addFailure = broken

    def addSubTest(self, test, subtest, error):
        if error:
            self.broken(test, error)

    def addSkip(self, test, reason):
        self.state = ("skipped", reason)

    def addExpectedFailure(self, test, error):
        self.state = ("passed", "fails, as expected")

    def addUnexpectedSuccess(self, test):
        self.state = ("failed", "passes, but the suite expects a failure")


def lift_platform_skips():
    """Enables tests for devices with memory kinds, which JAX runs only on TPUs and GPUs; tests specific to those are
    skipped."""
    from jax._src import test_util
    matches = test_util.test_device_matches
    test_util.test_device_matches = lambda types: matches(types) or {"tpu", "gpu"} <= set(types)
    skip = test_util.skip_on_devices
    test_util.skip_on_devices = lambda *types, **reason: skip(*(name for name in types if name != "cpu"), **reason)


def each_test(suite):
    for entry in suite:
        if isinstance(entry, unittest.TestSuite):
            yield from each_test(entry)
        else:
            yield entry


def use_plugin(plugin):
    """Registers what the wheel does for the plugin that takes the place of JAX's CPU backend."""
    sys.path.append(os.path.join(ROOT, "python"))
    callbacks = importlib.import_module("gantry_pjrt.callbacks")
    handlers = importlib.import_module("gantry_pjrt.handlers")
    placement = importlib.import_module("gantry_pjrt.placement")
    sys.path.pop()                      # JAX must not find the plugin package in this folder, which is not an installed wheel
    handlers.register(plugin)
    callbacks.lower_to_own(placement.is_for_gantry)
    placement.register()


def worker(module, plugin):
    """Runs the tests that standard input names (JSON); lists the file's tests when it names none."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    wanted = json.load(sys.stdin)
    if plugin and "tpu" not in os.environ["JAX_PLATFORMS"]:
        use_plugin(plugin)
        if module in LIFTED:
            lift_platform_skips()
    from jax._src import test_util
    test_util.request_cpu_devices = lambda count: None
    from absl import flags
    tests = list(each_test(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(module))))
    flags.FLAGS([module])
    if not wanted:
        print(json.dumps([name_of(test) for test in tests]), file=out)
        return
    named = {name_of(test): test for test in tests}
    unittest.TestSuite(named[name] for name in wanted if name in named).run(Reporter(out))
    print(json.dumps({"done": True}), file=out, flush=True)
    out.close()
    os._exit(0)                                          # what client and plugin do at exit is tested elsewhere


# ---- the parent

class Suite:
    """Runs files in workers; torch_suite.py overrides the first two methods for another client."""

    def __init__(self, arguments):
        self.arguments, self.results = arguments, collections.defaultdict(dict)
        self.log = open(arguments.json, "w", encoding="utf-8") if arguments.json else None
        self.environment = self.settings()

    def settings(self):
        """The environment of workers."""
        arguments, names = self.arguments, {"cpu": "pjrt_c_api_gantry_plugin.so", "tpu": "pjrt_c_api_gantrytpu_plugin.so"}
        plugin = os.path.abspath(arguments.plugin or os.path.join(ROOT, "build", "lib", names[arguments.platform]))
        self.plugin = plugin if arguments.backend == "gantry" else ""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("JAX_", "PJRT_", "XLA_FLAGS", "GANTRY_CPU_DEVICES", "CPU_NUM_DEVICES"))}
        environment.update(
            JAX_PLATFORMS="tpu,cpu" if arguments.platform == "tpu" else "cpu",
            JAX_NUM_GENERATED_CASES=str(arguments.cases), JAX_SKIP_SLOW_TESTS="1",
            PYTHONPATH=os.path.abspath(arguments.tests), JAX_ENABLE_CHECKS="0", TF_CPP_MIN_LOG_LEVEL="3")
        if arguments.devices > 1:
            environment["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={arguments.devices}"
        if arguments.devices > 1 and arguments.platform == "tpu":
            environment["GANTRY_TPU_TOPOLOGY"] = {2: "v5e:1x2", 4: "v5e:2x2", 8: "v5e:2x4", 16: "v5e:4x4"}[arguments.devices]
        if self.plugin and arguments.platform == "tpu":
            environment.update(TPU_LIBRARY_PATH=plugin, TPU_SKIP_MDS_QUERY="1")
        elif self.plugin:
            environment["PJRT_NAMES_AND_LIBRARY_PATHS"] = f"cpu:{plugin}"
        return environment

    def command(self, module):
        """The command that starts a worker for a file."""
        return [sys.executable, os.path.abspath(__file__), "--worker", module, self.plugin]

    def start(self, module, names):
        errors = tempfile.TemporaryFile()
        process = subprocess.Popen(self.command(module), env=self.environment, cwd=self.arguments.tests,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        process.stdin.write(json.dumps(names).encode())
        process.stdin.close()
        return process, errors

    def names(self, module):
        process, errors = self.start(module, [])
        text = process.stdout.read()
        if process.wait():
            errors.seek(0)
            self.record(module, "(the file loads)", "failed", errors.read().decode(errors="replace")[-600:], 0)
            return []
        listed = [name for name in json.loads(text) if re.search(self.arguments.match, name)]
        return listed[self.arguments.offset::self.arguments.sample]

    def run_file(self, module):
        self.run_tests(module, self.names(module))

    def run_tests(self, module, names):
        for first in range(0, len(names), TESTS_PER_WORKER):
            left = names[first:first + TESTS_PER_WORKER]
            while left:
                left = self.run_some(module, left)

    def run_some(self, module, names):
        """Runs tests in one worker until it ends; returns the tests that it did not reach."""
        process, errors = self.start(module, names)
        current, why = self.follow(process, module)
        if why is None:
            for name in names:                           # of a class or module that could not be set up
                if name not in self.results[module]:
                    self.record(module, name, "failed", "did not run", 0)
            return []
        errors.seek(0, os.SEEK_END)
        errors.seek(max(0, errors.tell() - 1500))
        left = [name for name in names if name not in self.results[module]]
        charged = current or left[0]
        self.record(module, charged, "crashed", f"{why}: {errors.read().decode(errors='replace').strip()}", 0)
        return [name for name in left if name != charged]

    def follow(self, process, module):
        """Reads the output of a worker until it ends. Returns its current test, if any, and the reason if it failed."""
        current, buffer, since, done = None, b"", time.monotonic(), False
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                if not selector.select(timeout=1.0):
                    if time.monotonic() - since > self.arguments.timeout:
                        process.kill()
                        process.wait()
                        return current, f"no answer in {self.arguments.timeout} s"
                    continue
                data = os.read(process.stdout.fileno(), 65536)
                if not data:
                    status = process.wait()
                    return current, None if done else f"the process ended with status {status}"
                since, buffer = time.monotonic(), buffer + data
                *lines, buffer = buffer.split(b"\n")
                for line in lines:
                    event = json.loads(line)
                    if "begin" in event:
                        current = event["begin"]
                    elif "end" in event:
                        self.record(module, event["end"], event["state"], event["message"], event["seconds"])
                        current = None
                    else:
                        done = True

    def record(self, module, name, state, message, seconds):
        self.results[module][name] = state
        if self.log:
            print(json.dumps({"test": f"{module}.{name}", "state": state, "seconds": seconds, "message": message}),
                  file=self.log, flush=True)


def own_file(arguments):
    """The list of what JAX's own CPU does not pass with as many devices."""
    return os.path.join(EXPECTED, "jax_suite_cpu" + suffix(arguments) + ".txt")


def known_file(arguments):
    """The list of tests that Gantry is known not to pass with as many devices."""
    kind = "_tpu" if arguments.platform == "tpu" else "_newest" if arguments.beside else ""
    return expected_file("jax_suite" + kind, arguments)


def expected_file(name, arguments):
    return os.path.join(EXPECTED, name + suffix(arguments) + ".txt")


def suffix(arguments):
    return f"_{arguments.devices}" if arguments.devices > 1 else ""


def read_own(file, cases):
    """The tests that JAX's own CPU does not pass, when the list was made with as many generated cases; else None."""
    if not os.path.exists(file):
        return None
    with open(file, encoding="utf-8") as lines:
        head, *rest = [line.rstrip("\n").split(" ", 1) for line in lines]
    if f"cases={cases}" not in head[1].split():
        return None
    return {name for state, name in rest if state in STATES}


def keep_own(suite):
    """Rewrites the list for the files that have run; entries of other files are kept."""
    from importlib.metadata import version
    kept, ran, own = [], suite.results.keys(), own_file(suite.arguments)
    if read_own(own, suite.arguments.cases) is not None:
        with open(own, encoding="utf-8") as lines:
            kept = [line.rstrip("\n") for line in lines][1:]
    notes = [line for line in kept if line.startswith("#")]
    kept = kept[len(notes):]
    rows = [line for line in kept if line.startswith("file ") and line.split()[1] not in ran]
    names = [line for line in kept if not line.startswith("file ") and module_of(line.split(" ", 1)[1]) not in ran]
    for module, tests in suite.results.items():
        counts = collections.Counter(tests.values())
        rows.append(" ".join(["file", module, *(f"{state}={counts[state]}" for state in STATES)]))
        names += [f"{state} {module}.{name}" for name, state in sorted(tests.items()) if state != "passed"]
    with open(own, "w", encoding="utf-8") as out:
        print(f"# jax={version('jax')} jaxlib={version('jaxlib')} date={datetime.date.today()} "
              f"cases={suite.arguments.cases} devices={suite.arguments.devices} What JAX's own CPU makes of JAX's tests, with "
              f"{suite.arguments.devices} device{'s' * (suite.arguments.devices > 1)}: a row a file; then, by name, those which it does not pass.", *notes, *rows, *names, sep="\n", file=out)


def module_of(name):
    """The file of a test: the words before its class."""
    return name.split("_test.", 1)[0] + "_test"


def read_known(file):
    """{glob over the names of tests that Gantry is known not to pass: whether it may pass on some machines}. A line is
    the glob, with ~ before it where the result depends on the machine, two spaces, and the reason."""
    if not os.path.exists(file):
        return {}
    with open(file, encoding="utf-8") as lines:
        globs = [line.split("  ")[0].strip() for line in lines if line.strip() and not line.startswith("#")]
    return {glob.removeprefix("~"): glob.startswith("~") for glob in globs}


def needless(results, known):
    """The tests of {file: {test: state}} that pass though `known` lists them."""
    globs = [glob for glob, varies in known.items() if not varies]
    return [f"{module}.{name}" for module, tests in results.items() for name, state in tests.items()
            if state == "passed" and any(fnmatch.fnmatchcase(f"{module}.{name}", glob) for glob in globs)]


def table(suite, own, file):
    """Prints the rows; returns the number of tests that deviate from the lists: unexpected failures and unexpected
    passes."""
    print(f"{'file':28}" + "".join(f"{column:>9}" for column in (*STATES, "own", "ours", "known", "share")))
    total, known = collections.Counter(), {} if suite.arguments.backend == "cpu" else read_known(file)
    for module, tests in suite.results.items():
        lifted = module in LIFTED
        passed_by_own = {name: state for name, state in tests.items() if lifted or f"{module}.{name}" not in (own or ())}
        if lifted or suite.arguments.platform == "tpu":     # many tests are not for TPUs, by their own word
            passed_by_own = {name: state for name, state in passed_by_own.items() if state != "skipped"}
        ours = [f"{module}.{name}" for name, state in passed_by_own.items() if state != "passed"]
        row = collections.Counter(tests.values(), own=len(passed_by_own), ours=len(ours))
        row["known"] = sum(any(fnmatch.fnmatchcase(name, glob) for glob in known) for name in ours)
        print(f"{module:28}" + "".join(f"{row[column]:9}" for column in (*STATES, "own", "ours", "known")) +
              f"{share(row):>9}")
        total += row
    if own is None:
        print(f"{own_file(suite.arguments)} has no list for this number of generated cases: every failure counts as ours")
    print(f"{share(total)} of the {total['own']} tests that JAX's own CPU passes")
    unlisted = needless(suite.results, known)
    for name in unlisted:
        print(f"passes, but {os.path.basename(file)} lists it: {name}")
    failed = total["ours"] - total["known"] + len(unlisted)
    print(f"{total['passed']} passed, {failed} failed, {sum(total[state] for state in STATES) - total['passed'] - failed} skipped")
    return failed


def run_again(suite):
    """The results of JAX's own CPU for what Gantry does not pass."""
    suite.arguments.backend, suite.arguments.json = "cpu", None
    own = type(suite)(suite.arguments)
    for module, tests in suite.results.items():
        own.run_tests(module, [name for name, state in tests.items() if state != "passed"])
    return own.results


def table_beside(gantry, own, known, peer):
    """Prints a row for each file of {file: {test: state}}: Gantry's, and of the peer what Gantry does not pass. Returns how
    many tests pass with the peer only and have no known reason, or pass though they are listed."""
    columns = (*STATES, "ours", "known")
    print(f"{'file':44}" + "".join(f"{column:>9}" for column in columns))
    total, unknown = collections.Counter(), []
    for module, tests in gantry.items():
        ours = [f"{module}.{name}" for name, state in own.get(module, {}).items() if state == "passed"]
        listed = [name for name in ours if any(fnmatch.fnmatchcase(name, pattern) for pattern in known)]
        unknown += sorted(set(ours) - set(listed))
        row = collections.Counter(tests.values(), ours=len(ours), known=len(listed))
        print(f"{module:44}" + "".join(f"{row[column]:9}" for column in columns))
        total += row
    for name in unknown:
        print(f"{name} passes on {peer} only")
    unlisted = needless(gantry, known)
    for name in unlisted:
        print(f"{name} passes, but is listed as known to fail")
    left = sum(total[state] for state in STATES[1:]) - len(unknown)
    failed = len(unknown) + len(unlisted)
    print(f"{total['passed']} passed, {failed} failed, {left} skipped")
    return failed


def share(row):
    return f"{(row['own'] - row['ours']) / max(row['own'], 1):.2%}"


def options(text):
    """The arguments of the command line; `text` describes the script."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", required=True, help="the folder of JAX's tests")
    parser.add_argument("--files", help="their names without .py, by commas")
    parser.add_argument("--plugin", help="the file to test; else build/lib's of the platform")
    parser.add_argument("--platform", choices=("cpu", "tpu"), default="cpu", help="the name by which JAX lowers")
    parser.add_argument("--devices", type=int, default=1, help="how many devices each side has")
    parser.add_argument("--backend", choices=("gantry", "cpu"), default="gantry", help="cpu: JAX's own")
    parser.add_argument("--cases", type=int, default=5, help="JAX_NUM_GENERATED_CASES; JAX's own CI takes 25")
    parser.add_argument("--match", default="", help="only tests whose name this regular expression finds")
    parser.add_argument("--sample", type=int, default=1, help="only every Nth test")
    parser.add_argument("--offset", type=int, default=0, help="the first test of the sample")
    parser.add_argument("--jobs", type=int, default=1, help="files run side by side")
    parser.add_argument("--timeout", type=int, default=120, help="seconds a test may take")
    parser.add_argument("--json", help="where a line a test goes: name, state, seconds, message")
    parser.add_argument("--keep", action="store_true", help="with --backend cpu: write the list")
    parser.add_argument("--beside", action="store_true", help="run again on JAX's own CPU what Gantry does not pass")
    return parser.parse_args()


def run(suite, files, known):
    """Runs the files, prints the table, and returns the exit status. `known`: the list of expected failures."""
    with ThreadPoolExecutor(suite.arguments.jobs) as pool:
        list(pool.map(suite.run_file, files.split(",")))
    if suite.arguments.beside:
        return 1 if table_beside(suite.results, run_again(suite), read_known(known), "JAX's own CPU") else 0
    if suite.arguments.keep:
        keep_own(suite)
    own = read_own(own_file(suite.arguments), suite.arguments.cases)
    return 1 if table(suite, own, known) else 0


def main():
    arguments = options(__doc__)
    files = arguments.files or (FILES_OF_SEVERAL_DEVICES if arguments.devices > 1 else FILES)
    return run(Suite(arguments), files, known_file(arguments))


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[1] == "--worker":
        worker(sys.argv[2], sys.argv[3])
    else:
        sys.exit(main())
