#!/usr/bin/env python3
"""The test suites of packages built on JAX, on Gantry in the place of JAX's CPU backend, beside JAX's own CPU.

    packages_suite.py [--sources DIR] [--packages equinox,optax] [--plugin FILE] [--match REGEX] [--sample N] [--json OUT]

A suite is that of the version in scripts/packages_suite_requirements.txt. It comes from the package's source distribution, which pip
downloads into DIR (default ~/.cache/gantry/package_sources) unless DIR/PACKAGE exists: a checkout of the package's
repository at that version. A package whose source distribution has no tests is skipped, and said to be. Each test file
runs in worker processes (see jax_suite.py, whose parent process is used), of each file every Nth test. Tests that
Gantry does not pass run again on JAX's own CPU: those that pass there count as `ours`, and must be listed, with reasons,
in conformance/expected/packages_suite.txt. The exit status is 0 if all of them are."""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tarfile
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


# ---- the worker: one file's tests, named by what it reads from standard input

class Reporter:
    """A plugin of pytest: selects the wanted tests, and reports the start and outcome of each, a line of JSON an event."""

    def __init__(self, wanted, out):
        self.wanted, self.out, self.names, self.state = set(wanted), out, [], None

    def say(self, **event):
        print(json.dumps(event), file=self.out, flush=True)

    @staticmethod
    def name_of(nodeid):
        return nodeid.partition("::")[2]

    def pytest_collection_modifyitems(self, items):
        self.names = [self.name_of(item.nodeid) for item in items]
        items[:] = [item for item in items if self.name_of(item.nodeid) in self.wanted]

    def pytest_runtest_logstart(self, nodeid):
        self.state = ("passed", "", 0.0)
        self.say(begin=self.name_of(nodeid))

    def pytest_runtest_logreport(self, report):
        state, message, seconds = self.state
        if report.failed:
            state, message = "failed", str(report.longrepr)[-3000:]
        elif report.skipped and state == "passed":
            state = "passed" if hasattr(report, "wasxfail") else "skipped"
        self.state = (state, message, seconds + report.duration)

    def pytest_runtest_logfinish(self, nodeid):
        state, message, seconds = self.state
        self.say(end=self.name_of(nodeid), state=state, message=message, seconds=round(seconds, 2))


def worker(path, plugin):
    """Runs the tests that standard input names (JSON); lists the file's tests when it names none."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    wanted = json.load(sys.stdin)
    if plugin:
        jax_suite.use_plugin(plugin)
    import pytest
    reporter = Reporter(wanted, out)
    options = ["-q", "--import-mode=importlib", "-p", "no:cacheprovider", "-o", "addopts="]
    status = pytest.main([*options, *([] if wanted else ["--collect-only"]), path], plugins=[reporter])
    if status not in (0, 1, 5):
        os._exit(3)                                                 # the file does not load
    if wanted:
        reporter.say(done=True)
    else:
        print(json.dumps(reporter.names), file=out, flush=True)
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
        with tarfile.open(found[0]) as archive:
            archive.extractall(os.path.join(download, "all"), filter="data")
        (top,) = os.listdir(os.path.join(download, "all"))
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["cp", "-r", os.path.join(download, "all", top), path], check=True)
    return path


def files_of(package, path):
    return sorted({name for pattern in PACKAGES[package] for name in glob.glob(os.path.join(path, pattern), recursive=True)})


# ---- the parent

class Suite(jax_suite.Suite):
    """One pass over the files, on Gantry or (backend `cpu`) on JAX's own CPU. A file's name is its path."""

    def command(self, module):
        return [sys.executable, os.path.abspath(__file__), "--worker", module, self.plugin]



def arguments_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cache = os.environ.get("GANTRY_CACHE") or os.path.expanduser("~/.cache/gantry")
    parser.add_argument("--sources", default=os.path.join(cache, "package_sources"), help="a folder with one of each package")
    parser.add_argument("--packages", default=",".join(PACKAGES), help="their names, by commas")
    parser.add_argument("--plugin", help="the file to test; else build/lib's")
    parser.add_argument("--match", default="", help="only tests whose name this regular expression finds")
    parser.add_argument("--sample", type=int, default=40, help="only every Nth test of a file")
    parser.add_argument("--offset", type=int, default=0, help="the first test of the sample")
    parser.add_argument("--timeout", type=int, default=300, help="seconds a test may take")
    parser.add_argument("--json", help="where a line a test goes: name, state, seconds, message")
    arguments = parser.parse_args()
    arguments.platform, arguments.backend, arguments.devices, arguments.cases = "cpu", "gantry", 1, 1
    return arguments


def run_package(package, path, arguments):
    """The results of Gantry, and those of JAX's own CPU for what Gantry does not pass."""
    arguments.tests, arguments.backend = path, "gantry"
    gantry = Suite(arguments)
    for module in files_of(package, path):
        gantry.run_file(module)
    short = lambda results: {f"{package}/{os.path.relpath(module, path)}": tests for module, tests in results.items()}
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
