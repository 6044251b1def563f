"""corpus_elementwise.py: elementwise operations, with the limits of every type."""
import itertools

import ml_dtypes
import numpy as np

from corpus_program import (COMPLEX, EVERY, EXACT, F8, FLOATS, FUNCTION, INTEGERS, NUMPY, ONCE, RARE, SIGNED, SPECIAL, UNSIGNED, apply, bits_of, case,
                            each, edges, limits, tensor, values)

CLASSES = {"integers": INTEGERS, "signed": SIGNED, "floats": FLOATS, "f8": F8, "complex": COMPLEX, "pred": ["i1"], "single": ["f32"]}


def wide(x):
    """The same numbers in the widest type of their kind."""
    if x.dtype.kind == "c":
        return x.astype(np.complex128)
    if x.dtype.kind in "iu" or "int" in x.dtype.name:
        return x.astype(object if x.dtype.kind in "iu" else np.int64).astype(object)
    return x.astype(np.float64) if x.dtype != np.bool_ else x


def wrapped(numbers, dtype):
    """Integers of any size, truncated to the bits of the type."""
    kind = next(kind for kind in INTEGERS if np.dtype(NUMPY[kind]) == dtype)
    bits, (least, _) = bits_of(kind), limits(kind)
    cut = [(int(n) - least) % 2 ** bits + least for n in np.asarray(numbers, dtype=object).reshape(-1)]
    return np.array(cut, dtype=np.uint64 if kind == "ui64" else np.int64).reshape(np.shape(numbers)).astype(dtype)


def by_number(function):
    """A formula on integers, element by element."""
    return lambda *arrays: wrapped(np.array([function(*(int(n) for n in row), bits_of_array(arrays[0]), arrays[0]) for row in zip(*map(np.ravel, arrays))],
                                            dtype=object).reshape(arrays[0].shape), arrays[0].dtype)


def bits_of_array(array):
    return bits_of(next(kind for kind in INTEGERS if np.dtype(NUMPY[kind]) == array.dtype))


def rounded(function):
    """A formula of real or complex numbers, computed in double precision and then rounded."""
    return lambda *arrays: np.asarray(function(*(wide(array) for array in arrays))).astype(arrays[0].dtype)


def divide(a, b, bits, _):
    return -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b, bits, _):
    return a if b == 0 else abs(a) % abs(b) * (-1 if a < 0 else 1)


def arithmetic_shift(a, b, bits, array):
    least, _ = limits(next(kind for kind in INTEGERS if np.dtype(NUMPY[kind]) == array.dtype))
    signed = a - 2 ** bits if least == 0 and a >= 2 ** (bits - 1) else a
    return signed >> (b if 0 <= b < bits else bits - 1)


UNARY = {  # operation: (classes, tolerance, formula of numbers, of whole numbers, greatest argument)
    "abs": (["signed", "floats", "f8", "complex"], ONCE, np.abs, lambda a, bits, _: abs(a), None),
    "cbrt": (["floats", "f8"], FUNCTION, np.cbrt, None, None),
    "ceil": (["floats", "f8"], EXACT, np.ceil, None, None),
    "cosine": (["floats", "f8", "complex"], FUNCTION, np.cos, None, 100),
    "count_leading_zeros": (["integers"], EXACT, None, lambda a, bits, _: bits - (a % 2 ** bits).bit_length(), None),
    "exponential": (["floats", "f8", "complex"], FUNCTION, np.exp, None, 60),
    "exponential_minus_one": (["floats", "f8", "complex"], FUNCTION, np.expm1, None, 60),
    "floor": (["floats", "f8"], EXACT, np.floor, None, None),
    "log": (["floats", "f8", "complex"], FUNCTION, np.log, None, None),
    "log_plus_one": (["floats", "f8", "complex"], FUNCTION, np.log1p, None, None),
    "logistic": (["floats", "f8", "complex"], FUNCTION, lambda x: 1 / (1 + np.exp(-x)), None, 60),
    "negate": (["integers", "floats", "f8", "complex"], EXACT, np.negative, lambda a, bits, _: -a, None),
    "not": (["integers"], EXACT, None, lambda a, bits, _: ~a, None),
    "popcnt": (["integers"], EXACT, None, lambda a, bits, _: bin(a % 2 ** bits).count("1"), None),
    "round_nearest_afz": (["floats", "f8"], EXACT, lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x), None, 1e6),
    "round_nearest_even": (["floats", "f8"], EXACT, np.rint, None, None),
    "rsqrt": (["floats", "f8", "complex"], FUNCTION, lambda x: 1 / np.sqrt(x), None, None),
    "sign": (["signed", "floats", "f8", "complex"], FUNCTION, lambda x: x / np.abs(x) if x.dtype.kind == "c" else np.sign(x),
             lambda a, bits, _: (a > 0) - (a < 0), None),
    "sine": (["floats", "f8", "complex"], FUNCTION, np.sin, None, 100),
    "sqrt": (["floats", "f8", "complex"], ONCE, np.sqrt, None, None),
    "tan": (["floats", "f8", "complex"], FUNCTION, np.tan, None, 100),
    "tanh": (["floats", "f8", "complex"], FUNCTION, np.tanh, None, 100),
}
BINARY = {
    "add": (["integers", "floats", "f8", "complex"], ONCE, np.add, lambda a, b, bits, _: a + b),
    "and": (["integers"], EXACT, None, lambda a, b, bits, _: a & b),
    "atan2": (["floats", "f8"], FUNCTION, np.arctan2, None),
    "divide": (["integers", "floats", "f8", "complex"], ONCE, np.divide, divide),
    "maximum": (["integers", "floats", "f8"], EXACT, np.maximum, lambda a, b, bits, _: max(a, b)),
    "minimum": (["integers", "floats", "f8"], EXACT, np.minimum, lambda a, b, bits, _: min(a, b)),
    "multiply": (["integers", "floats", "f8", "complex"], ONCE, np.multiply, lambda a, b, bits, _: a * b),
    "or": (["integers"], EXACT, None, lambda a, b, bits, _: a | b),
    "power": (["integers", "floats", "complex"], FUNCTION, np.power, lambda a, b, bits, _: pow(a, b, 2 ** bits)),
    "remainder": (["integers", "floats", "f8"], ONCE, np.fmod, remainder),
    "shift_left": (["integers"], EXACT, None, lambda a, b, bits, _: a << b if 0 <= b < bits else 0),
    "shift_right_arithmetic": (["integers"], EXACT, None, arithmetic_shift),
    "shift_right_logical": (["integers"], EXACT, None, lambda a, b, bits, _: a % 2 ** bits >> b if 0 <= b < bits else 0),
    "subtract": (["integers", "floats", "f8", "complex"], ONCE, np.subtract, lambda a, b, bits, _: a - b),
    "xor": (["integers"], EXACT, None, lambda a, b, bits, _: a ^ b),
}


def without_denormals(kind, arrays, formula):
    """The rows whose results are not denormal numbers, which devices may flush."""
    if kind not in FLOATS + COMPLEX:
        return arrays
    with np.errstate(all="ignore"):
        result = np.abs(wide(formula(*arrays)))
    least = float(ml_dtypes.finfo(np.zeros(0, NUMPY[kind]).real.dtype).smallest_normal)
    good = ~((result > 0) & (result < 2 * least))
    return [array[good] for array in arrays]


def unary_points(kind, most):
    points = np.concatenate([edges(kind), values([12], kind, -6, 6)]) if kind not in INTEGERS else edges(kind)
    if most and kind not in COMPLEX:
        size = np.abs(wide(points))
        points = points[~(np.isfinite(size) & (size > most))]
    return points


def pairs(kind, op):
    some = edges(kind)
    if kind in FLOATS + F8:
        some = some[::2] if kind in F8 else np.concatenate([some[:13:2], some[-7:]])
    if kind in COMPLEX:
        some = some[::3]
    if op == "power" and kind in INTEGERS:
        rows = list(itertools.product(some, [n for n in (0, 1, 2, 3, 7) if n <= limits(kind)[1]]))
    else:
        rows = list(itertools.product(some, some))
    if op == "divide" and kind in COMPLEX:
        rows = [row for row in rows if row[1] != 0]
    if op == "power" and kind in COMPLEX:
        rows = [row for row in rows if row[0] != 0]
    return [np.array([row[i] for row in rows]).astype(NUMPY[kind]) for i in range(2)]


def unary():
    for op, (classes, tolerance, numbers, whole, most) in UNARY.items():
        for name in classes:
            formula = by_number(whole) if name in ("integers", "signed") else rounded(numbers)
            columns = [(kind, without_denormals(kind, [unary_points(kind, most)], formula)) for kind in CLASSES[name]]
            result = (lambda kind: column_type(columns, kind, kind[8:-1] if op == "abs" and kind in COMPLEX else kind))
            each(f"elementwise/{op}.{name}", op, columns, result, tolerance=FUNCTION if name == "complex" and tolerance == ONCE else tolerance,
                 expected=None if name == "complex" and op == "abs" else formula)
    for op, formula in (("real", np.real), ("imag", np.imag)):
        columns = [(kind, [edges(kind)]) for kind in COMPLEX]
        each(f"elementwise/{op}.complex", op, columns, lambda kind: column_type(columns, kind, kind[8:-1]))
        columns_of_floats = [(kind, [edges(kind)]) for kind in ["f32", "f64"]]
        each(f"elementwise/{op}.floats", op, columns_of_floats, lambda kind: column_type(columns_of_floats, kind, kind))
    flags = [(kind, [edges(kind)]) for kind in FLOATS + F8]
    each("elementwise/is_finite", "is_finite", flags, lambda kind: column_type(flags, kind, "i1"))
    each("elementwise/not.pred", "not", [("i1", [edges("i1")])], lambda kind: "tensor<2xi1>", expected=np.logical_not)


def column_type(columns, kind, result):
    return tensor(next(arrays[0].shape for other, arrays in columns if other == kind), result)


def binary():
    for op, (classes, tolerance, numbers, whole) in BINARY.items():
        for name in classes:
            formula = by_number(whole) if name == "integers" else rounded(numbers)
            columns = [(kind, without_denormals(kind, pairs(kind, op), formula)) for kind in CLASSES[name]]
            each(f"elementwise/{op}.{name}", op, columns, lambda kind: column_type(columns, kind, kind),
                 tolerance=FUNCTION if name == "complex" and op in ("multiply", "divide", "power") else tolerance, expected=formula)
    both = [np.array([False, False, True, True]), np.array([False, True, False, True])]
    for op, formula in {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor, "maximum": np.logical_or, "minimum": np.logical_and,
                        "add": np.logical_or, "multiply": np.logical_and}.items():
        each(f"elementwise/{op}.pred", op, [("i1", both)], lambda kind: "tensor<4xi1>", expected=formula)
    for part in ("f32", "f64"):
        apply(f"elementwise/complex.{part}", "complex", [edges(part), edges(part)[::-1].copy()], tensor(edges(part).shape, f"complex<{part}>"),
              expected=lambda a, b: np.array([complex(x, y) for x, y in zip(a, b)]).astype(NUMPY[f"complex<{a.dtype.name.replace('float', 'f')}>"]))


def compare():
    directions = {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal}
    for direction, formula in directions.items():
        for name, kinds in {"integers": INTEGERS + ["i1"], "floats": FLOATS + F8, "complex": COMPLEX}.items():
            if name == "complex" and direction not in ("EQ", "NE"):
                continue
            columns = [(kind, pairs(kind, "compare")) for kind in kinds]
            arrays, lines, results, wanted = [], [], [], []
            for i, (kind, (a, b)) in enumerate(columns):
                arrays += [a, b]
                lines.append(f"%r{i} = stablehlo.compare {direction}, %{2 * i}, %{2 * i + 1} : ({tensor(a.shape, kind)}, {tensor(a.shape, kind)}) -> "
                             f"{tensor(a.shape, 'i1')}")
                results.append((f"%r{i}", tensor(a.shape, "i1")))
                wanted.append(np.asarray(formula(wide(a), wide(b))).astype(np.bool_))
            case(f"elementwise/compare_{direction}.{name}", arrays, "\n    ".join(lines), results, wanted)
    for direction in directions:
        columns = [(kind, pairs(kind, "compare")) for kind in ["f16", "bf16", "f32", "f64"]]
        each(f"elementwise/compare_{direction}.total_order", "compare", columns, lambda kind: column_type(columns, kind, "i1"),
             f"{{comparison_direction = #stablehlo<comparison_direction {direction}>, compare_type = #stablehlo<comparison_type TOTALORDER>}}")


def converted(array, kind):
    """The result of a conversion: real numbers are truncated and clamped to the range of the type, integers are truncated
    to its bits."""
    if array.dtype.kind == "c" and kind not in COMPLEX:
        array = array.real
    if kind == "i1":
        return wide(array) != 0
    if kind not in INTEGERS:
        return (array if array.dtype.kind in "fc" and array.dtype.name[0] != "b" and array.dtype.itemsize > 1 else array.astype(np.float64)).astype(NUMPY[kind])
    if array.dtype == np.bool_ or "int" in array.dtype.name:
        return wrapped(wide(array.astype(np.int64) if array.dtype == np.bool_ else array), NUMPY[kind])
    least, most = limits(kind)
    numbers = [0 if n != n else most if n >= most else least if n <= least else int(n) for n in map(float, array.astype(np.float64))]
    return wrapped(np.array(numbers, dtype=object), NUMPY[kind])


def convert():
    for kind in EVERY:
        for name, kinds in {"integers": ["i1"] + INTEGERS, "floats": FLOATS + F8 + COMPLEX}.items():
            x = edges(kind)
            if name == "floats" and kind in INTEGERS:
                x = values([9], kind, -4, 4)
            if name == "floats" and kind in COMPLEX:
                kinds = COMPLEX + FLOATS
            results = [(f"%r{i}", tensor(x.shape, other)) for i, other in enumerate(kinds)]
            lines = [f"{result} = stablehlo.convert %0 : ({tensor(x.shape, kind)}) -> {of}" for result, of in results]
            with np.errstate(all="ignore"):
                case(f"elementwise/convert.{kind}.to_{name}", [x], "\n    ".join(lines), results, [converted(x, other) for other in kinds])
    for kind in ("f16", "f32", "f64"):
        x, y = np.array([0.5, 1, 1.5, -2, 3, -6, 0], NUMPY[kind]), np.array([0.25, 0.5, 1, 2, 64, 1024], NUMPY[kind])
        case(f"elementwise/convert.{kind}.to_rare", [x, y], f"%r = stablehlo.convert %0 : ({tensor(x.shape, kind)}) -> {tensor(x.shape, 'f4E2M1FN')}\n    "
             f"%s = stablehlo.convert %1 : ({tensor(y.shape, kind)}) -> {tensor(y.shape, 'f8E8M0FNU')}",
             [("%r", tensor(x.shape, "f4E2M1FN")), ("%s", tensor(y.shape, "f8E8M0FNU"))], [x.astype(NUMPY["f4E2M1FN"]), y.astype(NUMPY["f8E8M0FNU"])])


def choose():
    for name, kinds in {"integers": INTEGERS + ["i1"], "floats": FLOATS + F8, "rare": RARE, "complex": COMPLEX}.items():
        columns = [(kind, [values([5], "i1"), edges(kind)[:5] if kind != "i1" else values([5], "i1"), values([5], kind)])
                   for kind in kinds if len(edges(kind)) >= 5 or kind == "i1"]
        columns += [(kind, [values([2], "i1"), edges(kind)[:2], values([2], kind)]) for kind in kinds if len(edges(kind)) < 5 and kind != "i1"]
        each(f"elementwise/select.{name}", "select", columns, lambda kind: column_type(columns, kind, kind), expected=lambda p, a, b: np.where(p, a, b))
        scalars = [(kind, [np.asarray(True), *arrays[1:]]) for kind, arrays in columns]
        each(f"elementwise/select_by_one.{name}", "select", scalars, lambda kind: column_type(columns, kind, kind), expected=lambda p, a, b: a)
    for name, kinds in {"integers": INTEGERS, "floats": FLOATS + F8}.items():
        columns = [(kind, [np.asarray(0).astype(NUMPY[kind]), edges(kind), np.asarray(1).astype(NUMPY[kind])]) for kind in kinds]
        each(f"elementwise/clamp_by_one.{name}", "clamp", columns, lambda kind: tensor(edges(kind).shape, kind),
             expected=lambda low, x, high: np.minimum(np.maximum(x.astype(np.float64 if "float" in x.dtype.name else x.dtype), low), high) if "int" not in
             x.dtype.name else np.array([min(max(int(n), 0), 1) for n in x]))
        several = [(kind, [values([6], kind, -2, 0), values([6], kind, -4, 4), values([6], kind, 0, 1)]) for kind in kinds]
        each(f"elementwise/clamp.{name}", "clamp", several, lambda kind: tensor([6], kind))
    for kind in FLOATS:
        for exponent, mantissa in ((4, 3), (5, 2), (8, 7), (5, 10), (8, 0)):
            apply(f"elementwise/reduce_precision.{kind}.{exponent}_{mantissa}", "reduce_precision", [edges(kind)], tensor(edges(kind).shape, kind),
                  f"{{exponent_bits = {exponent} : i32, mantissa_bits = {mantissa} : i32}}")


def bitcast():
    widths = {8: ["i8", "ui8", "f8E5M2", "f8E4M3FN"], 16: ["i16", "ui16", "f16", "bf16"], 32: ["i32", "ui32", "f32"],
              64: ["i64", "ui64", "f64", "complex<f32>"], 128: ["complex<f64>"]}
    for bits, kinds in widths.items():
        for kind in kinds:
            x = values([8], kind, -4, 4)
            same = [other for other in kinds if (other in COMPLEX) == (kind in COMPLEX)]
            narrow = [other for other in widths.get(bits // 2, []) if other not in COMPLEX and kind not in COMPLEX]
            broad = [other for other in widths.get(bits * 2, []) if other not in COMPLEX and kind not in COMPLEX]
            results, lines, wanted = [], [], []
            for other, shape in [(o, [4, 2]) for o in same] + [(o, [4, 2, 2]) for o in narrow] + [(o, [4]) for o in broad]:
                results.append((f"%r{len(results)}", tensor(shape, other)))
                lines.append(f"{results[-1][0]} = stablehlo.bitcast_convert %0 : ({tensor([4, 2], kind)}) -> {tensor(shape, other)}")
                wanted.append(np.frombuffer(x.tobytes(), NUMPY[other]).reshape(shape))
            case(f"elementwise/bitcast_convert.{kind}", [x.reshape(4, 2)], "\n    ".join(lines), results, wanted)


def chlo():
    unit, positive = np.array([-1, -0.75, -0.5, -0.1, 0, 0.3, 0.6, 0.9, 1.0]), np.array([0.1, 0.5, 1, 1.5, 2, 3.25, 7, 12.5])
    whole = np.array([-8, -2.5, -1, -0.5, -0.1, 0, 0.2, 1, 2.25, 6, np.inf, -np.inf, np.nan])
    table = {"acos": unit, "asin": unit, "atan": whole, "acosh": positive + 1, "asinh": whole, "atanh": unit[1:-1], "sinh": whole, "cosh": whole,
             "tan": whole[:-3], "square": whole, "erf": whole, "erfc": whole, "erf_inv": unit, "bessel_i1e": whole[:-3], "lgamma": positive, "digamma": positive,
             "is_inf": whole, "is_pos_inf": whole, "is_neg_inf": whole}
    loose = {"erf_inv": SPECIAL, "lgamma": SPECIAL, "digamma": SPECIAL, "bessel_i1e": SPECIAL, "erfc": SPECIAL}
    for op, points in table.items():
        kinds = ["f32", "f64"] if op in loose else FLOATS
        columns = [(kind, [points.astype(NUMPY[kind])]) for kind in kinds]
        each(f"chlo/{op}", op, columns, lambda kind: column_type(columns, kind, "i1" if op.startswith("is_") else kind),
             tolerance=EXACT if op.startswith("is_") else loose.get(op, FUNCTION), dialect="chlo")
    plane = np.array([0.5 + 0.25j, -1.5 + 2j, 2 - 0.75j, -0.25 - 1j, 3 + 3j])
    for op in ("acos", "asin", "atan", "acosh", "asinh", "atanh", "sinh", "cosh", "conj", "square"):
        columns = [(kind, [plane.astype(NUMPY[kind])]) for kind in COMPLEX]
        each(f"chlo/{op}.complex", op, columns, lambda kind: column_type(columns, kind, kind), tolerance=FUNCTION, dialect="chlo")
    two = {"zeta": ([1.5, 2, 3, 5.5], [1, 2.5, 0.5, 10]), "polygamma": ([0, 1, 2, 3], [1.5, 2, 0.5, 4]), "next_after": ([0.5, 1, -2, 3], [1, 0.5, -3, 3])}
    for op, arrays in two.items():
        columns = [(kind, [np.array(array).astype(NUMPY[kind]) for array in arrays]) for kind in ("f32", "f64")]
        each(f"chlo/{op}", op, columns, lambda kind: column_type(columns, kind, kind), tolerance=EXACT if op == "next_after" else SPECIAL, dialect="chlo")
    matrix, row = values([3, 4], "f32"), values([4], "f32")
    for op, formula in (("add", np.add), ("maximum", np.maximum), ("subtract", np.subtract)):
        case(f"chlo/broadcast_{op}", [matrix, row], f"%r = chlo.broadcast_{op} %0, %1 : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>", [("%r", "tensor<3x4xf32>")],
             [formula(matrix, row)])
    for kind in ("f32", "i32", "bf16", "ui8"):
        x = values([3, 9], kind, -3, 9)
        case(f"chlo/top_k.{kind}", [x], f"%v, %i = chlo.top_k(%0, k = 4) : {tensor([3, 9], kind)} -> ({tensor([3, 4], kind)}, tensor<3x4xi32>)",
             [("%v", tensor([3, 4], kind)), ("%i", "tensor<3x4xi32>")])


def programs():
    unary()
    binary()
    compare()
    convert()
    choose()
    bitcast()
    chlo()
