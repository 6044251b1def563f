#!/usr/bin/env python3
"""make_corpus.py [--only GLOB] [--folder FOLDER]: writes the corpus anew, a folder a group: to build/corpus, from where the archives
beside this file are made anew, or to FOLDER. Needs JAX 0.10.2 (the tests' environment: scripts/python_env.sh). Only run it to add
programs: the archives are part of the repository, and equal versions of JAX and NumPy write equal ones. Names what JAX's own CPU does
not know, and where it differs from a formula."""
import argparse
import fnmatch
import os
import shutil
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
sys.dont_write_bytecode = True

import ml_dtypes
import numpy as np

import archive
import corpus_control
import corpus_elementwise
import corpus_models
import corpus_products
import corpus_random
import corpus_reductions
import corpus_shapes
import corpus_versions
from corpus_oracle import Oracle, operations_of
from corpus_program import CASES, EXACT, FUNCTION, MODEL, NAMES, ONCE, RANDOM, SPECIAL, SUM

GROUPS = [corpus_elementwise, corpus_shapes, corpus_reductions, corpus_products, corpus_control, corpus_random, corpus_models, corpus_versions]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
UNPACKED = os.path.join(ROOT, "build", "corpus")
ALIGNMENT = 64
# What no case can hold: what a program exchanges with its host, and what the portable artifact has no form for.
ELSEWHERE = {"infeed", "outfeed", "send", "recv", "async_start", "async_done", "return", "copy", "erf", "fusion"}


# ---- tolerances -------------------------------------------------------------------------------------------------------
def epsilon(dtype):
    return float(ml_dtypes.finfo(np.zeros(0, dtype).real.dtype).eps)


def tolerance_of(kind, array):
    """(atol, rtol) of a result of that class."""
    dtype = np.asarray(array).dtype
    if dtype.kind in "biu" or "int" in dtype.name or dtype.name.startswith("float4") or "e8m0" in dtype.name or kind == EXACT:
        return 0.0, 0.0
    eps, wide = epsilon(dtype), np.abs(np.asarray(array).astype(np.complex128 if dtype.kind == "c" else np.float64))
    most = float(np.max(wide[np.isfinite(wide)], initial=0.0))
    single, double = dtype in (np.float32, np.complex64), dtype in (np.float64, np.complex128)
    if kind == ONCE:
        return 0.0, (4 if single or double else 2) * eps
    if kind == FUNCTION:
        steps = 64 if single else 256 if double else 2 if dtype.itemsize > 1 else 2
        return steps * eps * min(1.0, most), steps * eps
    if kind == SUM:
        rtol = 1e-5 if single else 1e-12 if double else 2 * eps
        return (rtol if single or double else eps) * most, rtol
    if kind == SPECIAL:
        rtol = 2e-4 if single else 1e-10 if double else 8 * eps
        return rtol * min(1.0, most), rtol
    rtol = {MODEL: 1e-4}[kind] if single else 1e-10 if double else 2e-2 if dtype == np.float16 else 5e-2
    return rtol * most, rtol


def within(got, want, atol, rtol):
    """The corpus's own comparison, element by element."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if got.dtype.kind in "biu" or "int" in got.dtype.name:
        return np.array_equal(got, want)
    a, b = (np.asarray(x).astype(np.complex128 if x.dtype.kind == "c" else np.float64) for x in (got, want))
    with np.errstate(all="ignore"):
        parts = [(a.real, b.real), (a.imag, b.imag)] if a.dtype.kind == "c" else [(a, b)]
        scale = np.where(np.isfinite(np.abs(b)), np.abs(b), 0)
        return all(np.all((x == y) | (np.isnan(x) & np.isnan(y)) | (np.isfinite(x) & np.isfinite(y) & (np.abs(x - y) <= atol + rtol * scale)))
                   for x, y in parts)


# ---- writing ----------------------------------------------------------------------------------------------------------
def stored(array):
    """As arrays are in files: an element of a small integer type takes a byte, with its sign."""
    small = {"int2": np.int8, "int4": np.int8, "uint2": np.uint8, "uint4": np.uint8}.get(array.dtype.name)
    return np.ascontiguousarray(array.astype(small) if small else array)


def lines_of(case, expected, words):
    """The .case file's lines, and the bytes of .bin."""
    data, offset = bytearray(), 0
    lines = ["case 1", f"name {case.name}", f"group {case.group}", f"source written for this project; expected values: {words}",
             f"vhlo {case.version}", f"family {case.name.split('/')[1].split('.')[0]}", "ops " + " ".join(operations_of(case.text))]
    if case.note:
        lines.append(f"note {case.note}")
    for key, arrays in (("in", case.arrays), ("out", expected)):
        for array in arrays:
            raw = stored(array).tobytes()
            offset = -(-len(data) // ALIGNMENT) * ALIGNMENT
            data += bytes(offset - len(data)) + raw
            numbers = [array.ndim, *array.shape, offset, len(raw)]
            line = f"{key} {NAMES[array.dtype]} " + " ".join(map(str, numbers))
            lines.append(line + (" {:g} {:g}".format(*tolerance_of(case.tolerance, array)) if key == "out" else ""))
    return lines, bytes(data)


def write(folder, case, expected, words, program, forms):
    lines, data = lines_of(case, expected, words)
    base = os.path.join(folder, case.name)
    os.makedirs(os.path.dirname(base), exist_ok=True)
    files = {".mlirbc": program, ".bin": data, ".case": ("\n".join(lines) + "\n").encode(), **forms}
    for suffix, content in files.items():
        with open(base + suffix, "wb") as file:
            file.write(content)


def expected_of(oracle, case, check):
    """(arrays, their source); with checking, reports formulas that JAX's own CPU contradicts."""
    known = oracle.ask(case) if case.expected is None or check else None
    if case.expected is None:
        return known if known else (None, None)
    if known:
        for i, (want, got) in enumerate(zip(case.expected, known[0])):
            if not within(got, want, *tolerance_of(case.tolerance, want)):
                print(f"{case.name}: result {i}: {known[1]} says {got.reshape(-1)[:12]}, the formula {want.reshape(-1)[:12]}")
    return case.expected, "NumPy"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*")
    parser.add_argument("--folder", default=UNPACKED)
    parser.add_argument("--check", action="store_true", help="ask JAX's own CPU also where a formula of NumPy is known")
    options = parser.parse_args()
    for group in GROUPS:
        RANDOM.seed(20)  # so that a new case changes only the arrays of its own group
        group.programs()
    chosen = [case for name, case in CASES.items() if fnmatch.fnmatch(name, options.only)]
    if options.only == "*":
        for group in {case.group for case in chosen}:
            shutil.rmtree(os.path.join(options.folder, group), ignore_errors=True)
    oracle, seen, unknown = Oracle(), set(), 0
    for case in chosen:
        program, forms = oracle.forms(case)
        expected, words = expected_of(oracle, case, options.check)
        if expected is None:
            unknown += 1
            print(f"{case.name}: nothing knows the result: {oracle.why}")
            continue
        seen |= set(operations_of(case.text))
        write(options.folder, case, expected, words, program, forms)
    if options.folder == UNPACKED:
        for group in sorted({case.group for case in chosen}):
            archive.pack(UNPACKED, group)
    if options.only == "*":
        with open(os.path.join(ROOT, "compiler", "ir", "ops.def"), encoding="utf-8") as file:
            names = {line.split("(")[1].split(",")[0].strip() for line in file if line.startswith("OP(")}
        print("operations without a case:", " ".join(sorted(names - seen - ELSEWHERE)) or "none")
    print(f"{len(chosen) - unknown} cases")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
