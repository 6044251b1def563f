#!/usr/bin/env python3
"""operations.py PLUGIN [--filter GLOB] [--every N] [--table FILE] [--verbose]: every operation of StableHLO with every
element type and form that its specification allows, each a small program of its own, compiled and run on the plugin.
The results are compared with StableHLO's reference interpreter or, if that does not support the operation, with JAX's
own CPU. The table lists programs that do not compile: the error must be UNIMPLEMENTED, and they count as skipped."""
import argparse
import collections
import fnmatch
import multiprocessing
import os
import sys

import numpy as np

from operation_cases import CASES, GROUPS, MISTAKEN


# ---- the oracles ------------------------------------------------------------------------------------------------------
def interpret(text, arrays):
    """The result of StableHLO's interpreter, which aborts the process on unsupported operations."""
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo
    from jaxlib.mlir.passmanager import PassManager
    stablehlo.register_stablehlo_passes()
    with jax_mlir.make_ir_context() as context:
        if "!quant" in text:
            module = stablehlo.deserialize_portable_artifact(context, stablehlo.serialize_portable_artifact_str(text, "1.17.0"))
            PassManager.parse("builtin.module(func.func(stablehlo-legalize-quantized-op-to-qdq,stablehlo-legalize-quant-to-math,chlo-legalize-to-stablehlo))").run(
                module.operation)
        else:
            module = ir.Module.parse(text)
        arguments = []
        for array in arrays:
            if array.dtype == np.uint64:
                arguments.append(ir.DenseElementsAttr.get(np.ascontiguousarray(array), type=ir.IntegerType.get_unsigned(64), shape=array.shape))
            else:
                arguments.append(ir.DenseElementsAttr.get(np.ascontiguousarray(array)))
        return [np.array(result) for result in stablehlo.eval_module(module, arguments)]


# ---- running ----------------------------------------------------------------------------------------------------------
class Runner:
    """JAX with one platform: the plugin's, or its own CPU."""

    def __init__(self, plugin=None):
        self.platform = "gantry" if plugin else "cpu"
        if plugin:
            os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = "gantry:" + os.path.abspath(plugin)
        os.environ["JAX_PLATFORMS"] = self.platform
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        import warnings
        warnings.filterwarnings("ignore")
        import jax
        jax.config.update("jax_enable_x64", True)
        from jax._src import compiler
        from jaxlib import _jax
        from jaxlib.mlir.dialects import stablehlo
        self.jax, self._jax, self.serialize = jax, _jax, stablehlo.serialize_portable_artifact_str
        self.options = compiler.get_compile_options(num_replicas=1, num_partitions=1)

    def run(self, text, arrays):
        from jax._src.interpreters import mlir as jax_mlir
        device = self.jax.devices(self.platform)[0]
        bytecode = self.serialize(text, "1.17.0")
        with jax_mlir.make_ir_context():
            module = self._jax.mlir.deserialize_portable_artifact(bytecode)
        with module.context:
            program = device.client.compile_and_load(module, self._jax.DeviceList((device,)), self.options)
        results = program.execute_sharded([self.jax.device_put(array, device) for array in arrays])
        return [np.asarray(result[0]) for result in results.disassemble_into_single_device_arrays()]


def differ(got, want, tolerance):
    if len(got) != len(want):
        return f"{len(got)} results instead of {len(want)}"
    for i, (a, b) in enumerate(zip(got, want)):
        if a.shape != b.shape:
            return f"result {i} is {a.dtype}{a.shape} instead of {b.dtype}{b.shape}"
        if a.dtype.kind not in "fc":
            if not np.array_equal(a, b.astype(a.dtype)):
                return f"result {i}: {a.reshape(-1)[:8]} instead of {b.reshape(-1)[:8]}"
            continue
        with np.errstate(all="ignore"):
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            finite = abs(b[np.isfinite(b)])
            near = same | (abs(a - b) <= (tolerance or 1e-6) * max(finite.max() if finite.size else 0, 1e-2))
        if not near.all():
            return f"result {i}: {a[~near][:4]} instead of {b[~near][:4]}"
    return None


def oracle_worker(connection):
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 2)
    cpu = Runner()
    while True:
        oracle, text, arrays = connection.recv()
        try:
            connection.send(("good", interpret(text, arrays) if oracle == "interpreter" else cpu.run(text, arrays)))
        except Exception as error:
            connection.send(("bad", str(error)[:300]))


class Oracles:
    """The oracles, in a separate process, which is restarted if an oracle aborts it."""

    def __init__(self):
        self.process, self.unknown = None, set()

    def ask(self, oracle, text, arrays):
        if not self.process or not self.process.is_alive():
            self.connection, there = multiprocessing.Pipe()
            self.process = multiprocessing.get_context("spawn").Process(target=oracle_worker, args=(there,), daemon=True)
            self.process.start()
            there.close()
        try:
            self.connection.send((oracle, text, arrays))
            return self.connection.recv()
        except (EOFError, OSError):
            self.process.join()
            return "ended", "the process ended"


def expected(oracles, item, family):
    """The expected results and their source; (None, reason) if no oracle supports the program."""
    if callable(item.oracle):
        return item.oracle(item.arrays), "formula"
    words = ""
    for oracle in {"none": (), "cpu": ("cpu",), "interpreter": ("interpreter", "cpu")}[item.oracle]:
        if (oracle, family) in oracles.unknown or (oracle == "cpu" and "!quant" in item.text):
            continue
        state, results = oracles.ask(oracle, item.text, item.arrays)
        if state == "good":
            return results, oracle
        if state == "ended":
            oracles.unknown.add((oracle, family))
        words += f"{oracle}: {results} "
    return None, words


def check(runner, oracles, item, family):
    """(status, details): agrees, runs (no oracle supports it), unsupported, invalid, error, WRONG."""
    try:
        got = runner.run(item.text, item.arrays)
    except Exception as error:
        words = str(error).replace("\n", " ")[:400]
        if "failed to serialize" in words:
            return "invalid", words
        return "unsupported" if "UNIMPLEMENTED" in words else "error", words
    want, by = expected(oracles, item, family)
    if want is None:
        return "runs", by
    wrong = differ(got, want, item.tolerance)
    return ("WRONG", f"{wrong} ({by})") if wrong else ("agrees", by)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--filter", default="*")
    parser.add_argument("--every", type=int, default=1, help="every n-th case only")
    parser.add_argument("--table", help="a file for the table of all cases")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--no-oracle", action="store_true", help="compile and run only")
    parser.add_argument("--print", action="store_true", dest="show")
    options = parser.parse_args()
    for group in GROUPS:
        group()
    chosen = [name for name in CASES if fnmatch.fnmatch(name, options.filter)][::options.every]
    if options.show:
        for name in chosen:
            print(f"// {name}\n{CASES[name].text}")
        return 0
    runner, oracles, counts, rows = Runner(options.plugin), Oracles(), collections.Counter(), []
    for name in chosen:
        if options.no_oracle or name in MISTAKEN:
            CASES[name].oracle = "none"
        status, words = check(runner, oracles, CASES[name], name.split(".")[0])
        counts[status] += 1
        rows.append(f"{name}\t{status}\t{words}")
        if options.verbose or status not in ("agrees", "runs"):
            print(f"{status} {name}: {words}", flush=True)
    if options.table:
        with open(options.table, "w", encoding="utf-8") as file:
            file.write("\n".join(rows) + "\n")
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    bad = counts["WRONG"] + counts["error"]
    print(f"{counts['agrees'] + counts['runs']} passed, {bad} failed, {counts['unsupported']} skipped")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
