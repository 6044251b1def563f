#!/usr/bin/env python3
"""formats.py GANTRY PLUGIN: runs the models of the project's own corpus, and of ../shared/corpus if it exists, in four
forms: bytecode, generic text, pretty text, and HLO as converted by jaxlib. The project's own corpus has all forms; those
of the other are generated here. Bytecode and both texts must produce identical IR and bitwise identical results. Results
of HLO must be within 1 ULP, and bitwise identical if its IR has the same operations; models with functions that jaxlib
expands are compared with the corpus's tolerances. Prints a line of counts for each corpus; the last line is their sum."""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import ml_dtypes
import numpy as np

OWN, SHARED = "build/corpus", "../shared/corpus"
NAMES = {"pred": "bool", "s8": "int8", "s16": "int16", "s32": "int32", "s64": "int64", "u8": "uint8", "u16": "uint16",
         "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
         "c128": "complex128"}


def stored_forms(path):
    """The forms stored beside the program, as a list of (form, format, file), bytecode first."""
    stem = path.removesuffix(".mlirbc")
    forms = [("bytecode", "mlir", ".mlirbc"), ("generic", "mlir", ".generic.mlir"), ("pretty", "mlir", ".mlir"), ("hlo", "hlo", ".hlo.pb")]
    return [(form, word, stem + suffix) for form, word, suffix in forms]


def to_forms(path, folder):
    """Writes the program as generic text, pretty text and HLO; returns a list of (form, format, file)."""
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo
    with jax_mlir.make_ir_context() as context, open(path, "rb") as file:
        module = stablehlo.deserialize_portable_artifact(context, file.read())
        texts = {"generic": module.operation.get_asm(print_generic_op_form=True), "pretty": module.operation.get_asm()}
        located = ir.Module.parse(texts["pretty"], context).operation.get_asm(enable_debug_info=True)
    forms = [("bytecode", "mlir", path)]
    for form, text in texts.items():
        forms.append((form, "mlir", f"{folder}/{form}.mlir"))
        with open(forms[-1][2], "w", encoding="utf-8") as file:
            file.write(text)
    try:
        hlo = to_hlo(located)
    except Exception:  # jaxlib cannot convert it to HLO
        return forms
    forms.append(("hlo", "hlo", f"{folder}/program.hlo.pb"))
    with open(forms[-1][2], "wb") as file:
        file.write(hlo)
    return forms


def to_hlo(text):
    from jax._src.lib import _jax
    computation = _jax.mlir.mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=True)
    return computation.as_serialized_hlo_module_proto()


def read_case(path):
    arrays = {"in": [], "out": []}
    data = open(path[:-5] + ".bin", "rb").read()
    for line in open(path, encoding="ascii"):
        key, *words = line.split()
        if key in arrays:
            rank = int(words[1])
            dims = [int(word) for word in words[2:2 + rank]]
            offset, size = int(words[2 + rank]), int(words[3 + rank])
            tolerance = [float(word) for word in words[4 + rank:6 + rank]]
            arrays[key].append((words[0], dims, data[offset:offset + size], tolerance))
    return arrays


def as_array(code, dims, data):
    if code in NAMES:
        return np.frombuffer(data, NAMES[code]).reshape(dims)
    size = 2 if code == "bf16" else 1
    return np.frombuffer(data, f"V{size}").reshape(dims)


def as_numbers(code, array):
    if code == "bf16":
        return array.view(ml_dtypes.bfloat16).astype(np.float64)
    if array.dtype.kind == "V":
        return array.view(np.uint8).astype(np.float64)
    return array


def run(tool, plugin, program, form, case, folder):
    """The results, and the IR before any pass."""
    command = [tool, "run", program, "--plugin", plugin, "--format", form, "--output", folder]
    for i, (code, dims, data, _) in enumerate(case["in"]):
        file = f"{folder}.{i}.npy"
        np.save(file, as_array(code, dims, data))
        spec = "".join(f"{dim}x" for dim in dims) + code
        command += ["--input", f"@{file}" if code in NAMES else f"{spec}=@{file}"]
    environment = {**os.environ, "GANTRY_DUMP": f"read:{folder}.ir"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout or f"ended with {done.returncode}").strip()[-400:])
    with open(glob.glob(f"{folder}.ir/*/*.mlir")[0], encoding="utf-8") as file:
        return [np.load(f"{folder}/{i}.npy") for i in range(len(case["out"]))], file.read()


def operations(text):
    return re.findall(r'"[a-z]+\.([a-z_-]+)"', text)


def equal_bits(ones, others):
    return all(one.tobytes() == other.tobytes() for one, other in zip(ones, others))


def near(code, a, b, tolerance):
    a, b = as_numbers(code, a), as_numbers(code, b)
    if a.dtype.kind not in "fc":
        return np.array_equal(a, b), np.array_equal(a, b)
    with np.errstate(all="ignore"):
        digits = np.finfo(a.dtype).eps if code in NAMES else 2.0 ** -7
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        error = np.abs(a - b)
        ulp = same | (error <= digits * np.abs(b))
        loose = ulp | (error <= 2 * (tolerance[0] + tolerance[1] * np.abs(b)))
    return bool(np.all(ulp)), bool(np.all(loose))


def compare(form, case, first, other):
    """Compares a form's (results, IR) with those of the bytecode; returns a description of the difference, or None."""
    if form != "hlo":
        if first[1] != other[1]:
            return f"{form}: another IR than bytecode gives"
        return None if equal_bits(first[0], other[0]) else f"{form}: other bits than bytecode gives"
    if operations(first[1]) == operations(other[1]) and not equal_bits(first[0], other[0]):
        return "hlo: the same operations, but other bits"
    verdicts = [near(out[0], b, a, out[3]) for a, b, out in zip(first[0], other[0], case["out"])]
    return None if all(ulp for ulp, _ in verdicts) or all(loose for _, loose in verdicts) else "hlo: more than 1 ULP apart"


def check(tool, plugin, path):
    name = path.removesuffix(".case")
    with tempfile.TemporaryDirectory() as folder:
        try:
            program = name + ".mlirbc"
            case, forms = read_case(path), stored_forms(program) if name.startswith(OWN) else to_forms(program, folder)
            first = run(tool, plugin, forms[0][2], "mlir", case, folder + "/bytecode")
        except Exception as error:
            return name, "skip", str(error)[:200]
        for form, word, file in forms[1:]:
            try:
                wrong = compare(form, case, first, run(tool, plugin, file, word, case, f"{folder}/{form}"))
            except Exception as error:
                wrong = f"{form}: {error}"
            if wrong:
                return name, "skip" if form == "hlo" and "UNIMPLEMENTED" in wrong else "FAIL", wrong
    return name, "pass", ""


def check_corpus(tool, plugin, corpus):
    """Compares the models of one corpus; returns the counts."""
    counts = {"pass": 0, "FAIL": 0, "skip": 0}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, status, words in pool.map(lambda path: check(tool, plugin, path), sorted(glob.glob(f"{corpus}/models/*.case"))):
            counts[status] += 1
            if words:
                print(f"{status} {name}: {words}", flush=True)
    print(f"{corpus}: {counts['pass']} passed, {counts['FAIL']} failed, {counts['skip']} skipped", flush=True)
    return counts["pass"], counts["FAIL"], counts["skip"]


def main():
    counts = [check_corpus(sys.argv[1], sys.argv[2], OWN)]
    if os.path.isdir(SHARED):
        counts.append(check_corpus(sys.argv[1], sys.argv[2], SHARED))
    else:
        print(f"skipped: {SHARED} does not exist")
        counts.append((0, 0, 1))
    passed, failed, skipped = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


sys.exit(main())
