#!/usr/bin/env python3
"""first_wrong_pass.py FOLDER [--inputs FILE.npz] [--tolerance T]: runs each module of a dump (GANTRY_DUMP: FOLDER is the
one of a compilation, NNNN.NAME) on JAX's own CPU backend, and names the first pass after which the results differ from
those of the program that was read. Without --inputs: random values. Stops at modules that are no StableHLO any more (from
the pass layout on). Exits with 1 when a pass changes the results. --inputs: arrays arg0, arg1 ..., as numpy.savez makes
them of positional arguments arr_0, arr_1 ..."""
import argparse
import os
import pathlib
import re
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import _jax, xla_client
from jaxlib.mlir import ir

jax.config.update("jax_enable_x64", True)


def signature(text):
    """Shapes and element types of @main's arguments."""
    head = re.search(r"@main\((.*?)\) ->", text, re.S).group(1)
    for dims, element in re.findall(r"tensor<((?:\d+x)*)([\w<>]+?)>", head):
        yield [int(dim) for dim in dims.split("x")[:-1]], element


def random_inputs(text):
    random = np.random.RandomState(0)
    for dims, element in signature(text):
        if element not in TYPES:
            sys.exit(f"arguments of type {element}: pass values with --inputs")
        kind = np.dtype(TYPES[element])
        scale = 4 if kind.kind in "iu" else 1
        yield np.asarray(random.uniform(0 if kind.kind in "bu" else -1, 1, dims) * scale).astype(kind)


TYPES = {"f64": "float64", "f32": "float32", "f16": "float16", "i1": "bool", "complex<f32>": "complex64", "complex<f64>": "complex128",
         "bf16": jax.numpy.bfloat16.dtype, **{f"{mlir}{bits}": f"{name}{bits}" for mlir, name in (("i", "int"), ("ui", "uint")) for bits in (8, 16, 32, 64)}}


def run(text, inputs):
    """The results on JAX's own CPU backend; None: the module is not StableHLO."""
    device = jax.devices("cpu")[0]
    try:
        with jax_mlir.make_ir_context():
            module = jax_mlir.module_to_bytecode(ir.Module.parse(text))
    except Exception:
        return None
    program = device.client.compile_and_load(module, _jax.DeviceList((device,)), xla_client.CompileOptions())
    buffers = [jax.device_put(value, device) for value in inputs]
    results = program.execute_sharded(buffers).disassemble_into_single_device_arrays()
    return [np.asarray(result[0]) for result in results]


def distance(got, want):
    """The largest difference relative to 1 + |want|."""
    worst = 0.0
    for one, other in zip(got, want, strict=True):
        wide = np.complex128 if one.dtype.kind == "c" else np.float64
        one, other = one.astype(wide), other.astype(wide)
        with np.errstate(all="ignore"):
            apart = np.where((one == other) | (np.isnan(one) & np.isnan(other)), 0, np.abs(one - other) / (1 + np.abs(other)))
        worst = max(worst, float(np.nan_to_num(apart, nan=np.inf).max(initial=0)))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--inputs", type=pathlib.Path)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    options = parser.parse_args()
    files = sorted(options.folder.glob("[0-9][0-9].*.mlir"))
    if not files or not files[0].name.startswith("00.read"):
        sys.exit(f"{options.folder}: has no 00.read.mlir; make the dump with GANTRY_DUMP=FOLDER, and pass its folder FOLDER/NNNN.NAME")
    text = files[0].read_text()
    inputs = list(np.load(options.inputs).values()) if options.inputs else list(random_inputs(text))
    want = run(text, inputs)
    if want is None:
        sys.exit(f"{files[0]}: JAX does not read the program; try its original form")
    for file in files[1:]:
        got = run(file.read_text(), inputs)
        if got is None:
            print(f"{file.name:36} no StableHLO any more: compare the code of later passes by hand")
            break
        apart = distance(got, want)
        print(f"{file.name:36} largest difference {apart:.2g}{'' if apart <= options.tolerance else '   <-- this pass changes the results'}")
        if apart > options.tolerance:
            return 1
    print("no pass up to here changes the results")
    return 0


if __name__ == "__main__":
    sys.exit(main())
