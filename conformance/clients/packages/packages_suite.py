#!/usr/bin/env python3
"""The test suites of packages built on JAX, on Gantry in the place of JAX's CPU backend, beside JAX's own CPU.

    packages_suite.py [--sources DIR] [--packages equinox,optax] [--plugin FILE] [--match REGEX] [--sample N] [--seed N]
                      [--json DIR]

A suite is that of the version in scripts/packages_suite_requirements.txt. It comes from the package's source distribution, which pip
downloads into DIR (default ~/.cache/gantry/package_sources) unless DIR/PACKAGE exists: a checkout of the package's
repository at that version. A package whose source distribution has no tests is skipped, and said to be.

One test in N is run, by default 40: those whose digest, with the seed, is a multiple of N, so that the same ones are drawn
on every machine, and others with another seed. A worker process (see jax_suite.py, whose parent process is used) runs the
tests of a whole package, since what a process costs before its first test exceeds most tests. Tests that Gantry does not
pass run again on JAX's own CPU: those that pass there count as `ours`, and must be listed, with reasons, in
conformance/expected/packages_suite.txt. The exit status is 0 if all of them are."""
import argparse
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, "..", "jax")]
import jax_suite                                                    # noqa: E402

KNOWN = os.path.join(jax_suite.ROOT, "conformance", "expected", "packages_suite.txt")
REQUIREMENTS = os.path.join(jax_suite.ROOT, "scripts", "packages_suite_requirements.txt")
PACKAGES = {                            # where each one's tests are in its sources
    "equinox": ("tests/test_*.py",),
    "lineax": ("tests/test_*.py",),
    "optimistix": ("tests/test_*.py",),
    "diffrax": ("test/test_*.py",),
    "optax": ("optax/**/*_test.py",),
    "dm-haiku": ("haiku/_src/*_test.py",),
    "flax": ("tests/linen/*_test.py", "tests/nnx/*_test.py", "tests/core/*_test.py"),
    "numpyro": ("test/test_*.py", "test/infer/test_*.py", "test/contrib/**/test_*.py", "test/ops/test_*.py"),
}

DEVICES = {"equinox": 2}                 # of JAX's own CPU, where its conftest.py sets jax_num_cpu_devices

# ---- the worker: a package's tests, named by what it reads from standard input

class Reporter:
    """A plugin of pytest: selects the wanted tests, and reports the start and outcome of each, a line of JSON an event."""

    def __init__(self, wanted, out):
        self.wanted, self.out, self.names, self.unloaded, self.state = set(wanted), out, [], {}, None

    def say(self, **event):
        print(json.dumps(event), file=self.out, flush=True)

    def pytest_collectreport(self, report):
        if report.failed:
            self.unloaded[report.nodeid] = str(report.longrepr)[-3000:]

    def pytest_collection_modifyitems(self, items):
        self.names = [item.nodeid for item in items]
        items[:] = [item for item in items if item.nodeid in self.wanted]

    def pytest_runtest_logstart(self, nodeid):
        self.state = ("passed", "", 0.0)
        self.say(begin=nodeid)

    def pytest_runtest_logreport(self, report):
        state, message, seconds = self.state
        if report.failed:
            state, message = "failed", str(report.longrepr)[-3000:]
        elif report.skipped and state == "passed":
            state = "passed" if hasattr(report, "wasxfail") else "skipped"
        self.state = (state, message, seconds + report.duration)

    def pytest_runtest_logfinish(self, nodeid):
        state, message, seconds = self.state
        self.say(end=nodeid, state=state, message=message, seconds=round(seconds, 2))


def worker(path, plugin):
    """Runs the tests that standard input names (JSON). When it names none, lists the package's tests, and the files that do
    not load: such a file is a test of its own, whose name has no ::."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    wanted = json.load(sys.stdin)
    if plugin:
        jax_suite.use_plugin(plugin)
    import pytest
    reporter = Reporter(wanted, out)
    files = sorted({os.path.join(path, name.partition("::")[0]) for name in wanted})
    options = ["-q", "--import-mode=importlib", "-p", "no:cacheprovider", "-o", "addopts=", "--rootdir", path,
               "--continue-on-collection-errors"]
    if not wanted:
        files = files_of(os.path.basename(path), path)
        options += ["--collect-only"]
    status = pytest.main([*options, *files], plugins=[reporter])
    if status not in (0, 1, 2, 5):
        os._exit(3)                                                 # pytest does not start
    for name in wanted:
        if "::" not in name:
            why = reporter.unloaded.get(name)
            reporter.say(end=name, state="failed" if why else "passed", message=why or "", seconds=0)
    if wanted:
        reporter.say(done=True)
    else:
        print(json.dumps([*reporter.names, *reporter.unloaded]), file=out, flush=True)
    os._exit(0)                                                     # what client and plugin do at exit is tested elsewhere


# ---- sources

def versions():
    """{package: version} of the requirements."""
    with open(REQUIREMENTS, encoding="utf-8") as file:
        pins = dict(re.findall(r"^([\w-]+)==(\S+)$", file.read(), re.M))
    return {package: pins[package] for package in PACKAGES}


def sources_of(package, version, folder):
    """The folder of the package's sources, downloaded if it does not exist; None if they cannot be had."""
    path = os.path.join(folder, package)
    if os.path.isdir(path):
        return path
    with tempfile.TemporaryDirectory() as download:
        done = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", package,
                               "--dest", download, f"{package}=={version}"], check=False)
        found = glob.glob(os.path.join(download, "*.tar.gz"))
        if done.returncode or not found:
            return None
        os.makedirs(f"{path}.part", exist_ok=True)
        subprocess.run(["tar", "-xzf", found[0], "--strip-components=1", "-C", f"{path}.part"], check=True)
        os.rename(f"{path}.part", path)
    return path


def files_of(package, path):
    return sorted({name for pattern in PACKAGES[package] for name in glob.glob(os.path.join(path, pattern), recursive=True)})


# ---- the parent

def is_drawn(name, seed, share):
    """Whether a test is one of the sample: one in `share` is."""
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:8], "big") % share == 0


class Suite(jax_suite.Suite):
    """One pass over the packages, on Gantry or (backend `cpu`) on JAX's own CPU. Its modules are the folders of packages."""

    def command(self, module):
        return [sys.executable, os.path.abspath(__file__), "--worker", module, self.plugin]

    def settings(self):
        package = os.path.basename(self.arguments.tests)
        return super().settings() | {"GANTRY_CPU_DEVICES": str(DEVICES.get(package, 1))}

    def names(self, module):
        return [name for name in super().names(module) if "::" not in name or
                is_drawn(name, self.arguments.seed, self.arguments.share)]


def arguments_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cache = os.environ.get("GANTRY_CACHE") or os.path.expanduser("~/.cache/gantry")
    parser.add_argument("--sources", default=os.path.join(cache, "package_sources"), help="a folder with one of each package")
    parser.add_argument("--packages", default=",".join(PACKAGES), help="their names, by commas")
    parser.add_argument("--plugin", help="the file to test; else build/lib's")
    parser.add_argument("--match", default="", help="only tests whose name this regular expression finds")
    parser.add_argument("--sample", type=int, default=40, help="one test in N")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--timeout", type=int, default=300, help="seconds a test may take")
    parser.add_argument("--json", help="the folder where a line a test goes, in PACKAGE.jsonl: name, state, seconds, message")
    arguments = parser.parse_args()
    arguments.share, arguments.sample, arguments.offset = arguments.sample, 1, 0        # names() of this file draws
    arguments.platform, arguments.devices, arguments.cases = "cpu", 1, 1
    return arguments


def run_package(package, path, arguments):
    """The results of Gantry, and those of JAX's own CPU for what Gantry does not pass."""
    if arguments.json:
        os.makedirs(arguments.json, exist_ok=True)
    log = arguments.json and os.path.join(arguments.json, f"{package}.jsonl")
    gantry = Suite(argparse.Namespace(**{**vars(arguments), "tests": path, "backend": "gantry", "json": log}))
    gantry.run_file(path)
    short = lambda results: {package: tests for tests in results.values()}
    return short(gantry.results), short(jax_suite.run_again(gantry))


def main():
    arguments, gantry, own, missing = arguments_of(), {}, {}, []
    for package in arguments.packages.split(","):
        path = sources_of(package, versions()[package], arguments.sources)
        if not path or not files_of(package, path):
            missing.append(package)
            continue
        ours, theirs = run_package(package, path, arguments)
        gantry.update(ours)
        own.update(theirs)
    for package in missing:
        print(f"skipped: {package}: its sources have no tests or cannot be downloaded: put a checkout into {arguments.sources}/{package}")
    return 1 if jax_suite.table_beside(gantry, own, jax_suite.read_known(KNOWN), "JAX's own CPU") else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2], sys.argv[3])
    sys.exit(main())
