"""corpus_program.py: helpers for the programs of the corpus. A case is a program of one function whose arguments are %0,
%1 ... and whose arrays are given; the expected results come from a NumPy formula, or from JAX's own CPU, or, if that
does not support the operation or the type, from StableHLO's reference interpreter."""
import collections
import re

import ml_dtypes
import numpy as np

SIGNED, UNSIGNED = ["i2", "i4", "i8", "i16", "i32", "i64"], ["ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
INTEGERS = SIGNED + UNSIGNED
F8 = ["f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3B11FNUZ", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ"]
RARE = ["f4E2M1FN", "f8E8M0FNU"]  # moved and converted only
FLOATS = ["bf16", "f16", "f32", "f64"]
COMPLEX = ["complex<f32>", "complex<f64>"]
EVERY = ["i1"] + INTEGERS + FLOATS + F8 + RARE + COMPLEX

NUMPY = {"i1": np.bool_, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64, "complex<f32>": np.complex64,
         "complex<f64>": np.complex128, "f4E2M1FN": ml_dtypes.float4_e2m1fn, "i2": ml_dtypes.int2, "i4": ml_dtypes.int4, "ui2": ml_dtypes.uint2,
         "ui4": ml_dtypes.uint4, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8, "ui16": np.uint16,
         "ui32": np.uint32, "ui64": np.uint64, "f8E3M4": ml_dtypes.float8_e3m4, "f8E4M3": ml_dtypes.float8_e4m3, "f8E4M3FN": ml_dtypes.float8_e4m3fn,
         "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz, "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "f8E5M2": ml_dtypes.float8_e5m2,
         "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz, "f8E8M0FNU": ml_dtypes.float8_e8m0fnu}
NAMES = {np.dtype(numpy): {"i1": "pred", "complex<f32>": "c64", "complex<f64>": "c128"}.get(mlir, mlir.replace("ui", "u").replace("i", "s").lower()
                           if mlir.startswith(("i", "ui")) else mlir.lower()) for mlir, numpy in NUMPY.items()}

CASES = collections.OrderedDict()
RANDOM = np.random.RandomState(20)

# The classes of tolerance: how a result may differ from what is expected (the corpus's README has the table).
EXACT, ONCE, FUNCTION, SUM, SPECIAL, MODEL = "exact", "once", "function", "sum", "special", "model"
Case = collections.namedtuple("Case", "name group text arrays expected tolerance note version")


def tensor(shape, kind):
    return "tensor<" + "".join(f"{n}x" for n in shape) + kind + ">"


def type_of(array):
    kind = next(mlir for mlir, numpy in NUMPY.items() if np.dtype(numpy) == array.dtype)
    return tensor(array.shape, kind)


def bits_of(kind):
    return int(kind.strip("ui"))


def limits(kind):
    bits = bits_of(kind)
    return (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if kind[0] == "i" else (0, 2 ** bits - 1)


def values(shape, kind, low=-4.0, high=4.0):
    """Plain random values between the bounds."""
    dtype = NUMPY[kind]
    if kind == "i1":
        return np.asarray(RANDOM.randint(0, 2, shape)).astype(dtype)
    if kind in INTEGERS:
        least, most = limits(kind)
        least, most = max(least, int(low * 2)), min(most, int(high * 2))
        return np.asarray(RANDOM.randint(min(least, most), most + 1, shape)).astype(dtype)
    if kind in COMPLEX:
        return np.asarray(RANDOM.uniform(low, high, shape) + 1j * RANDOM.uniform(low, high, shape)).astype(dtype)
    if kind == "f8E8M0FNU":
        return np.asarray(2.0 ** RANDOM.randint(-3, 4, shape)).astype(dtype)
    return np.asarray(RANDOM.uniform(low, high, shape)).astype(dtype)


def edges(kind, finite=False):
    """The limits and special values of a type, except denormal numbers, which XLA flushes."""
    dtype = NUMPY[kind]
    if kind == "i1":
        return np.array([False, True])
    if kind in INTEGERS:
        least, most = limits(kind)
        inner = [n for n in (-7, -2, -1, 0, 1, 2, 3, 10, 100) if least < n < most]
        return np.array([least] + inner + [most], dtype=object).astype(np.uint64 if kind == "ui64" else np.int64).astype(dtype)
    if kind in COMPLEX:
        parts = [0.0, 1.0, -1.0, 0.5, -2.25, 3.0]
        return np.array([complex(a, b) for a in parts for b in parts[1:]]).astype(dtype)
    if kind == "f8E8M0FNU":
        return np.array([2.0 ** -100, 0.25, 0.5, 1.0, 2.0, 8.0, 2.0 ** 100]).astype(dtype)
    info = ml_dtypes.finfo(dtype)
    some = [0.0, 0.25, -0.25, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, 2.5, -2.5, 3.0, -4.0, 6.0]
    ends = [] if kind == "f4E2M1FN" else [float(info.max), float(info.min), float(info.smallest_normal)]
    special = [] if finite or kind == "f4E2M1FN" else [float("nan"), float("inf"), float("-inf")]
    if kind not in ("f4E2M1FN",) and not kind.endswith("FNUZ"):
        some.append(-0.0)
    if "FN" in kind:
        special = special[:1]
    return np.array(some + ends + special).astype(dtype)


def case(name, arrays, body, results, expected=None, tolerance=EXACT, outside="", note=""):
    """One program. `results` are (name, type); `expected` is a list of arrays, a function of the arrays that gives one, or None: ask."""
    parameters = ", ".join(f"%{i}: {type_of(array)}" for i, array in enumerate(arrays))
    types = ", ".join(kind for _, kind in results)
    names = ", ".join(value for value, _ in results)
    text = (f"module @{re.sub('[^a-zA-Z0-9]', '_', name)} {{\n  func.func public @main({parameters}) -> ({types}) {{\n    {body.strip()}\n"
            f"    return {names} : {types}\n  }}\n{outside}}}\n")
    add(name, text, [np.asarray(array) for array in arrays], expected(*arrays) if callable(expected) else expected, tolerance, note)


def add(name, text, arrays, expected=None, tolerance=EXACT, note="", version="1.17.0"):
    name = name.replace("complex<f32>", "c64").replace("complex<f64>", "c128")
    if name in CASES:
        raise KeyError(f"two cases are named {name}")
    CASES[name] = Case(name, name.split("/")[0], text, arrays, expected, tolerance, note, version)


def apply(name, op, arrays, result, attributes="", expected=None, tolerance=EXACT, dialect="stablehlo", region=""):
    """One operation in generic form; `result` is a type."""
    operands, types = ", ".join(f"%{i}" for i in range(len(arrays))), ", ".join(type_of(array) for array in arrays)
    case(name, arrays, f'%r = "{dialect}.{op}"({operands}) {region} {attributes} : ({types}) -> {result}', [("%r", result)],
         (lambda *a: [expected(*a)]) if expected else None, tolerance)


def each(name, op, columns, result, attributes="", tolerance=EXACT, expected=None, dialect="stablehlo", region=None):
    """One program with the operation once for each element type: `columns` is a list of (kind, arrays), `result` gives the type from the
    kind, `attributes` and `region` may depend on the kind."""
    arrays, lines, results, number, wanted = [], [], [], 0, []
    for i, (kind, own) in enumerate(columns):
        operands = ", ".join(f"%{number + j}" for j in range(len(own)))
        number += len(own)
        types = ", ".join(type_of(array) for array in own)
        words = attributes(kind) if callable(attributes) else attributes
        inner = region(kind) if region else ""
        lines.append(f'%r{i} = "{dialect}.{op}"({operands}) {inner} {words} : ({types}) -> {result(kind)}')
        results.append((f"%r{i}", result(kind)))
        arrays += own
        if expected:
            with np.errstate(all="ignore"):
                known = np.asarray(expected(*own))
                wanted.append(known if known.dtype == own[-1].dtype else known.astype(own[0].dtype))
    case(name, arrays, "\n    ".join(lines), results, wanted or None, tolerance)


def combiner(op, kind, comparison=""):
    """A region of two scalars that are combined by one operation."""
    t = tensor((), kind)
    result = "tensor<i1>" if comparison else t
    words = f"compare {comparison}, %a, %b : ({t}, {t}) -> tensor<i1>" if comparison else f"{op} %a, %b : {t}"
    return f"({{ ^bb0(%a: {t}, %b: {t}):\n      %s = stablehlo.{words}\n      stablehlo.return %s : {result} }})"
