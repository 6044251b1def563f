#!/usr/bin/env python3
"""make_semantics_programs.py [--check]: writes the programs of area 18 of `gantry cts` from scripts/semantics_cases.py:
conformance/programs/semantics/NAME.mlir, StableHLO with the inputs and the expected results in its head, NAME.mlirbc, the
same as VHLO bytecode of a version that every plugin reads, and conformance/rules/semantics_rules.def. Expected results are
those of NumPy; --check compares them with those of JAX's own CPU. Run it manually, with the interpreter of
scripts/python_env.sh, after a change."""
import glob
import os
import sys

os.environ |= {"JAX_PLATFORMS": "cpu", "JAX_ENABLE_X64": "1"}
import ml_dtypes
import numpy as np
from jaxlib import _jax

import semantics_cases

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FOLDER = os.path.join(ROOT, "conformance/programs/semantics")
VERSION = "1.10.0"  # of StableHLO: old enough for any plugin of 0.104
HEAD = """/* semantics_rules.def: area 18 of rules.def, written by scripts/make_semantics_programs.py. Each rule is a program of
 * conformance/programs/semantics with inputs and what NumPy computes from them. A bound in ULP is the distance in units of
 * the last place of the type; without one, results are the same bits, but for those of NaN. */
"""


def header(case):
    """The lines that semantics_rules.c reads: type, dimensions, bound, bytes."""
    lines = [f"// {case.name}: {case.sentence}"]
    for array in case.inputs:
        lines.append(f"// input {semantics_cases.name_of(array)} {dimensions(array)} 0 {array.tobytes().hex() or '-'}")
    for array in case.results:
        lines.append(f"// expect {semantics_cases.name_of(array)} {dimensions(array)} {case.bound} {array.tobytes().hex() or '-'}")
    return "\n".join(lines) + "\n"


def dimensions(array):
    return "x".join(map(str, array.shape)) or "scalar"


def wrapped(text, first, width=120):
    """A C string literal, on several lines if need be."""
    lines, line = [], ""
    for word in text.replace('"', '\\"').split(" "):
        if len(first) + len(line) + len(word) > width:
            lines.append(line)
            line = ""
        line += word + " "
    return ("\n" + " " * len(first)).join(f'"{line}"' for line in lines + [line[:-1]])


def rows():
    text, section = HEAD, 0
    for title, cases in semantics_cases.SECTIONS:
        section += 1
        text += f'SECTION("18.{section}", "{title}")\n'
        for number, case in enumerate(cases, 1):
            text += (f'RULE("18.{section}.{number}", semantics, {case.level}, 45, {case.name},\n'
                     f'     {wrapped(case.sentence, "     ")}, "{case.source}")\n')
        text += "\n"
    return text.rstrip("\n") + "\n"


def run(text, inputs):
    """The results of JAX's CPU."""
    import jax
    from jax._src import compiler, xla_bridge
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    backend = xla_bridge.get_backend("cpu")
    device = backend.local_devices()[0]
    with mlir.make_ir_context() as context:
        module = ir.Module.parse(text, context)
        options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
        devices = _jax.DeviceList((device,))
        executable = backend.compile_and_load(module, devices, options)
    outputs = executable.execute_sharded([jax.device_put(i, device) for i in inputs])
    return [np.asarray(o[0]) for o in outputs.disassemble_into_single_device_arrays()]


def ordered(array):
    """Floats as integers in the order of their values; zeros are equal."""
    bits = array.view(f"i{array.dtype.itemsize}").astype(object)
    top = 1 << (array.dtype.itemsize * 8 - 1)
    return np.where(bits < 0, -(bits + top), bits)


def distance(found, expected):
    nans = found != found
    if not np.array_equal(nans, expected != expected):
        return "NaN"
    found, expected = np.where(nans, 0, found).astype(found.dtype), np.where(nans, 0, expected).astype(found.dtype)
    return max([0, *np.abs(ordered(found) - ordered(expected)).ravel()])


def is_wrong(found, expected, bound):
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return True
    if bound == "flush":
        return False  # JAX's CPU may do either
    if found.dtype.kind in "iubc":
        return not np.array_equal(found, expected)
    ulp = distance(found, expected)
    return ulp == "NaN" or ulp > bound


def compare(case, text):
    for i, (found, expected) in enumerate(zip(run(text, case.inputs), case.results)):
        found = np.ascontiguousarray(found).reshape(found.shape)
        if is_wrong(found, expected, case.bound):
            print(f"{case.name}: result {i} is {found.dtype}{found.shape} {found.ravel()}, not {expected.ravel()}")


def main():
    os.makedirs(FOLDER, exist_ok=True)
    for path in glob.glob(os.path.join(FOLDER, "*")):
        os.remove(path)
    for _, cases in semantics_cases.SECTIONS:
        for case in cases:
            text = case.text()
            try:
                bytecode = _jax.mlir.serialize_portable_artifact(text, VERSION)
                if "--check" in sys.argv:
                    compare(case, text)
            except Exception as error:
                print(f"{case.name}: {error}\n{text}")
                continue
            with open(os.path.join(FOLDER, case.name + ".mlir"), "w", encoding="utf-8") as file:
                file.write(header(case) + text)
            with open(os.path.join(FOLDER, case.name + ".mlirbc"), "wb") as file:
                file.write(bytecode)
    with open(os.path.join(ROOT, "conformance/rules/semantics_rules.def"), "w", encoding="utf-8") as file:
        file.write(rows())


main()
