"""operation_cases.py: the programs of operations.py. Arguments and results are of plain types; a program converts to the types
it is about, so nothing depends on what a client can carry."""
import collections

import numpy as np

SIGNED, UNSIGNED = ["i2", "i4", "i8", "i16", "i32", "i64"], ["ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
INTS = SIGNED + UNSIGNED
NARROW = ["f8E4M3FN", "f8E5M2", "f8E4M3B11FNUZ", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E3M4", "f8E4M3"]
FLOATS = ["bf16", "f16", "f32", "f64"] + NARROW
COMPLEX = ["complex<f32>", "complex<f64>"]
EVERY = ["i1"] + INTS + FLOATS + COMPLEX
COMMON = ["i1", "i8", "i32", "ui8", "ui32", "i64", "bf16", "f16", "f32", "f64"] + COMPLEX
DIGITS = {"f64": 2e-13, "f32": 4e-6, "complex<f32>": 8e-6, "complex<f64>": 4e-13, "f16": 4e-3, "bf16": 3e-2}

CASES = collections.OrderedDict()
RANDOM = np.random.RandomState(7)


def wide(kind):
    """The plain type that holds every value of `kind`."""
    if kind in INTS or kind == "i1":
        return "ui64" if kind == "ui64" else "i64"
    return "complex<f64>" if kind.startswith("complex") else "f64"


def tensor(shape, kind):
    return "tensor<" + "".join(f"{n}x" for n in shape) + kind + ">"


def values(shape, kind, low=-4.0, high=4.0):
    if kind == "i1":
        return np.asarray(RANDOM.randint(0, 2, shape)).astype("int64")
    if kind in INTS:
        bits = int(kind.strip("ui"))
        signed = kind[0] == "i"
        least = max(-2 ** (bits - 1) if signed else 0, int(low * 2))
        most = min(2 ** (bits - 1) - 1 if signed else 2 ** bits - 1, int(high * 2))
        return np.asarray(RANDOM.randint(min(least, most), most + 1, shape)).astype("uint64" if kind == "ui64" else "int64")
    if kind.startswith("complex"):
        return np.asarray(RANDOM.uniform(low, high, shape) + 1j * RANDOM.uniform(low, high, shape))
    return np.asarray(np.round(RANDOM.uniform(low, high, shape) * 8) / 8 if kind in NARROW else RANDOM.uniform(low, high, shape))


class Case:
    """One program: arguments (shape, kind, array) become %0, %1 ... of their kind; `body` makes the `results` (name, shape, kind)."""

    def __init__(self, arguments, body, results, outside="", tolerance=None, oracle="interpreter"):
        self.arrays, self.oracle = [], oracle
        lines, parameters, outs, types = [], [], [], []
        for i, (shape, kind, array) in enumerate(arguments):
            plain = wide(kind)
            self.arrays.append(array)
            parameters.append(f"%p{i}: {tensor(shape, plain)}")
            lines.append(f"%{i} = stablehlo.convert %p{i} : ({tensor(shape, plain)}) -> {tensor(shape, kind)}"
                         if plain != kind else f"%{i} = stablehlo.optimization_barrier %p{i} : {tensor(shape, plain)}")
        lines.append(body)
        self.tolerance = tolerance
        for name, shape, kind in results:
            plain = wide(kind)
            self.tolerance = max(self.tolerance or 0, DIGITS.get(kind, 0.3 if kind in NARROW else 0)) if tolerance is None else tolerance
            if plain != kind:
                lines.append(f"%out{len(outs)} = stablehlo.convert {name} : ({tensor(shape, kind)}) -> {tensor(shape, plain)}")
                name = f"%out{len(outs)}"
            outs.append(name)
            types.append(tensor(shape, plain))
        text = "\n    ".join(line for line in lines if line)
        self.text = (f"module {{\n  func.func public @main({', '.join(parameters)}) -> ({', '.join(types)}) {{\n    {text}\n"
                     f"    return {', '.join(outs)} : {', '.join(types)}\n  }}\n{outside}\n}}\n")


def case(name, arguments, body, results, **options):
    made = [(shape, kind, array[0] if array else values(shape, kind)) for shape, kind, *array in arguments]
    if name in CASES:
        raise KeyError(name)
    CASES[name] = Case(made, body, results, **options)


def apply(name, op, arguments, result, attributes="", **options):
    """One operation in generic form."""
    operands = ", ".join(f"%{i}" for i in range(len(arguments)))
    types = ", ".join(tensor(a[0], a[1]) for a in arguments)
    case(name, arguments, f'%r = "stablehlo.{op}"({operands}) {attributes} : ({types}) -> {tensor(*result)}',
         [("%r", *result)], **options)


def region(op, kind, extra=""):
    """A region of two scalars that are combined by one operation."""
    t = tensor((), kind)
    return f"({{ ^bb0(%a: {t}, %b: {t}):\n %s = stablehlo.{op} %a, %b {extra}: {t}\n stablehlo.return %s : {t} }})"


# ---- the groups -------------------------------------------------------------------------------------------------------
def elementwise():
    floats, both = FLOATS, FLOATS + COMPLEX
    low = {"log": 0.125, "log_plus_one": -0.5, "sqrt": 0.0, "rsqrt": 0.125, "tan": -1.0, "exponential_minus_one": -3.0}
    unary = {"abs": SIGNED + both, "cbrt": floats, "ceil": floats, "cosine": both, "count_leading_zeros": INTS,
             "exponential": both, "exponential_minus_one": both, "floor": floats, "is_finite": floats, "log": both,
             "log_plus_one": both, "logistic": both, "negate": INTS + both, "not": ["i1"] + INTS, "popcnt": INTS,
             "round_nearest_afz": floats, "round_nearest_even": floats, "rsqrt": both, "sign": SIGNED + both, "sine": both,
             "sqrt": both, "tan": both, "tanh": both, "real": both, "imag": both}
    for op, kinds in unary.items():
        for kind in kinds:
            result = "i1" if op == "is_finite" else kind
            if op in ("real", "imag", "abs") and kind in COMPLEX:
                result = kind[8:-1]
            high = {"tan": 1.0, "exponential_minus_one": 3.0}.get(op, 4.0)
            apply(f"unary/{op}.{kind}", op, [([3, 5], kind, values([3, 5], kind, low.get(op, -4.0), high))], ([3, 5], result))
    arithmetic = ["i1"] + INTS + both
    binary = {"add": arithmetic, "and": ["i1"] + INTS, "atan2": both, "divide": INTS + both, "maximum": arithmetic,
              "minimum": arithmetic, "multiply": arithmetic, "or": ["i1"] + INTS, "power": INTS + both,
              "remainder": INTS + floats, "shift_left": INTS, "shift_right_arithmetic": INTS, "shift_right_logical": INTS,
              "subtract": INTS + both, "xor": ["i1"] + INTS}
    for op, kinds in binary.items():
        for kind in kinds:
            if op == "power":
                x, y = values([4, 3], kind, 0.25, 2), values([4, 3], kind, 0, 2)
            else:
                x, y = values([4, 3], kind), values([4, 3], kind)
            if op in ("divide", "remainder"):
                y = np.where(y == 0, np.ones_like(y), y)
            if op.startswith("shift"):
                y = abs(y.astype("int64")).astype(y.dtype)
            apply(f"binary/{op}.{kind}", op, [([4, 3], kind, x), ([4, 3], kind, y)], ([4, 3], kind))
    for kind in EVERY:
        for direction in ["EQ", "NE"] + (["LT", "LE", "GT", "GE"] if kind not in COMPLEX else []):
            apply(f"compare/{direction}.{kind}", "compare", [([9], kind), ([9], kind)], ([9], "i1"),
                  f"{{comparison_direction = #stablehlo<comparison_direction {direction}>}}")
        apply(f"select/{kind}", "select", [([7], "i1"), ([7], kind), ([7], kind)], ([7], kind))
        apply(f"select/scalar.{kind}", "select", [([], "i1"), ([7], kind), ([7], kind)], ([7], kind))
        if kind not in COMPLEX + ["i1"]:
            two, minus = values([], kind, 1, 2), values([], kind, -1, 0)
            apply(f"clamp/{kind}", "clamp", [([], kind, minus), ([7], kind), ([], kind, two)], ([7], kind))
        for other in EVERY if kind in COMMON else ["i8", "f32"]:
            high = 1.5 if "i2" in kind + other else 3.5
            least = 0.0 if other.startswith("ui") or other in COMPLEX else -1.5
            apply(f"convert/{kind}.{other}", "convert", [([6], kind, values([6], kind, least, high))], ([6], other))
    for kind in ["bf16", "f16", "f32", "f64"]:
        apply(f"compare/total.{kind}", "compare", [([9], kind), ([9], kind)], ([9], "i1"),
              "{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>}")
        apply(f"reduce_precision/{kind}", "reduce_precision", [([9], kind)], ([9], kind),
              "{exponent_bits = 4 : i32, mantissa_bits = 3 : i32}")
    for part in ["f32", "f64"]:
        apply(f"complex/{part}", "complex", [([5], part), ([5], part)], ([5], f"complex<{part}>"))
    widths = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "ui8": 8, "ui16": 16, "ui32": 32, "ui64": 64, "f16": 16, "bf16": 16,
              "f32": 32, "f64": 64, "f8E5M2": 8, "f8E4M3FN": 8, "i4": 4, "ui4": 4, "i2": 2}
    for kind, bits in widths.items():
        for other, result in widths.items():
            shape = [4] if bits == result else [4, bits // result] if bits > result else [4, result // bits]
            out = [4] if bits <= result else shape
            apply(f"bitcast/{kind}.{other}", "bitcast_convert", [(shape if bits < result else [4], kind)], (out, other),
                  oracle="interpreter" if bits == result else "cpu")


def shapes():
    for kind in EVERY:
        apply(f"broadcast_in_dim/{kind}", "broadcast_in_dim", [([3, 1], kind)], ([2, 4, 3], kind),
              "{broadcast_dimensions = array<i64: 2, 0>}")
        apply(f"transpose/{kind}", "transpose", [([2, 3, 4], kind)], ([4, 2, 3], kind), "{permutation = array<i64: 2, 0, 1>}")
        apply(f"reshape/{kind}", "reshape", [([2, 6], kind)], ([3, 4], kind))
        apply(f"reverse/{kind}", "reverse", [([2, 6], kind)], ([2, 6], kind), "{dimensions = array<i64: 0, 1>}")
        apply(f"slice/{kind}", "slice", [([5, 6], kind)], ([2, 3], kind),
              "{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 5, 6>, strides = array<i64: 2, 2>}")
        apply(f"concatenate/{kind}", "concatenate", [([2, 3], kind), ([2, 1], kind), ([2, 0], kind)], ([2, 4], kind),
              "{dimension = 1 : i64}")
        apply(f"pad/{kind}", "pad", [([3, 4], kind), ([], kind)], ([8, 3], kind),
              "{edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 1, 0>}")
        apply(f"dynamic_slice/{kind}", "dynamic_slice", [([5, 6], kind), ([], "i32", np.int64(4)), ([], "i32", np.int64(1))],
              ([2, 3], kind), "{slice_sizes = array<i64: 2, 3>}")
        apply(f"dynamic_update_slice/{kind}", "dynamic_update_slice",
              [([5, 6], kind), ([2, 2], kind), ([], "ui8", np.int64(9)), ([], "ui8", np.int64(1))], ([5, 6], kind))
        apply(f"gather/{kind}", "gather", [([5, 6], kind), ([3, 1], "i64", np.array([[0], [9], [2]]))], ([3, 6], kind),
              "{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], "
              "index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>, indices_are_sorted = false}")
        apply(f"gather/batched.{kind}", "gather",
              [([2, 5, 6], kind), ([2, 3, 1], "i64", np.array([[[0], [4], [2]], [[1], [1], [3]]]))], ([2, 3, 6], kind),
              "{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],"
              " start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, "
              "slice_sizes = array<i64: 1, 1, 6>, indices_are_sorted = false}")
        literal = {"i1": "[true, false, true]"}.get(kind, "[(1.0, 1.0), (0.0, -1.0), (0.5, 0.5)]" if kind in COMPLEX
                                                   else "[1.0, 0.0, 1.5]" if kind in FLOATS else "[1, 0, 1]")
        case(f"constant/{kind}", [], f"%r = stablehlo.constant dense<{literal}> : tensor<3x{kind}>", [("%r", [3], kind)])
        if kind != "i1":
            apply(f"iota/{kind}", "iota", [], ([3, 4] if kind not in ("i2", "ui2") else [2, 2], kind), "{iota_dimension = 1 : i64}")


def dynamic():
    for kind in ["i1", "i8", "f32", "f8E4M3FN", "complex<f64>", "ui4"]:
        def shape(name, *sizes):
            return f"%{name} = stablehlo.constant dense<{list(sizes)}> : tensor<{len(sizes)}xi64>\n    "
        t = tensor([2, 3], kind)
        case(f"dynamic/broadcast_in_dim.{kind}", [([2, 1], kind)], shape("s", 4, 2, 3) +
             f'%r = "stablehlo.dynamic_broadcast_in_dim"(%0, %s) {{broadcast_dimensions = array<i64: 1, 2>}} : '
             f'({tensor([2, 1], kind)}, tensor<3xi64>) -> {tensor([4, 2, 3], kind)}', [("%r", [4, 2, 3], kind)])
        case(f"dynamic/reshape.{kind}", [([2, 3], kind)], shape("s", 3, 2) +
             f"%r = stablehlo.dynamic_reshape %0, %s : ({t}, tensor<2xi64>) -> {tensor([3, 2], kind)}", [("%r", [3, 2], kind)])
        case(f"dynamic/pad.{kind}", [([2, 3], kind), ([], kind)], shape("l", 1, 0) + shape("h", 0, 2) + shape("i", 1, 0) +
             f"%r = stablehlo.dynamic_pad %0, %1, %l, %h, %i : ({t}, {tensor([], kind)}, tensor<2xi64>, tensor<2xi64>, "
             f"tensor<2xi64>) -> {tensor([4, 5], kind)}", [("%r", [4, 5], kind)])
        case(f"dynamic/slice.{kind}", [([5, 6], kind)], shape("l", 1, 0) + shape("h", 5, 6) + shape("i", 2, 3) +
             f"%r = stablehlo.real_dynamic_slice %0, %l, %h, %i : ({tensor([5, 6], kind)}, tensor<2xi64>, tensor<2xi64>, "
             f"tensor<2xi64>) -> {tensor([2, 2], kind)}", [("%r", [2, 2], kind)], oracle="none")
        case(f"dynamic/gather.{kind}", [([5, 6], kind), ([3, 1], "i64", np.array([[0], [9], [2]]))], shape("s", 1, 6) +
             '%r = "stablehlo.dynamic_gather"(%0, %1, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], '
             "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false} : "
             f"({tensor([5, 6], kind)}, tensor<3x1xi64>, tensor<2xi64>) -> {tensor([3, 6], kind)}", [("%r", [3, 6], kind)])
        if kind != "i1":
            case(f"dynamic/iota.{kind}", [], shape("s", 2, 3) +
                 f"%r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> {t}", [("%r", [2, 3], kind)])
        case(f"dynamic/get_dimension_size.{kind}", [([2, 3], kind)],
             f"%r = stablehlo.get_dimension_size %0, dim = 1 : ({t}) -> tensor<i32>", [("%r", [], "i32")])
        case(f"dynamic/set_dimension_size.{kind}", [([2, 3], kind)], "%s = stablehlo.constant dense<3> : tensor<i32>\n    "
             f"%r = stablehlo.set_dimension_size %0, %s, dim = 1 : ({t}, tensor<i32>) -> {t}", [("%r", [2, 3], kind)], oracle="none")
    case("dynamic/conv", [([1, 5, 5, 2], "f32"), ([3, 3, 2, 4], "f32")],
         "%d = stablehlo.constant dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>\n    "
         '%r = "stablehlo.dynamic_conv"(%0, %1, %d) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,'
         " feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 1>} : "
         "(tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x3x5x4xf32>", [("%r", [1, 3, 5, 4], "f32")])


def reductions():
    window = ("{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 2>, "
              "window_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>}")
    ops = {"add": EVERY, "multiply": INTS + FLOATS + COMPLEX, "maximum": EVERY, "minimum": EVERY,
           "and": ["i1"] + INTS, "or": ["i1"] + INTS, "xor": ["i1"] + INTS}
    for op, kinds in ops.items():
        for kind in kinds:
            zero = values([], kind, 0, 0)
            x = values([4, 5], kind, -1.5, 1.5)
            apply(f"reduce/{op}.{kind}", "reduce", [([4, 5], kind, x), ([], kind, zero)], ([4], kind),
                  f"{region(op, kind)} {{dimensions = array<i64: 1>}}", tolerance=0.5 if kind in NARROW else None)
            if kind in COMMON + ["f8E4M3FN", "i4"]:
                apply(f"reduce_window/{op}.{kind}", "reduce_window", [([4, 5], kind, x), ([], kind, zero)], ([2, 10], kind),
                      f"{region(op, kind)} {window}", tolerance=0.5 if kind in NARROW else None)
                apply(f"scatter/{op}.{kind}", "scatter", [([6, 4], kind), ([3, 1], "i32", np.array([[1], [7], [1]])), ([3, 4], kind)],
                      ([6, 4], kind), f"{region(op, kind)} {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],"
                      " inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, "
                      "indices_are_sorted = false, unique_indices = false}", tolerance=0.5 if kind in NARROW else None)
                apply(f"all_reduce/{op}.{kind}", "all_reduce", [([4], kind)], ([4], kind),
                      f"{region(op, kind)} {{replica_groups = dense<0> : tensor<1x1xi64>}}")
    bodies = {"subtract": "%s = stablehlo.subtract %a, %b : tensor<f32>",       # neither commutes nor associates
              "first": "%s = stablehlo.optimization_barrier %a : tensor<f32>",
              "second": "%s = stablehlo.optimization_barrier %b : tensor<f32>",
              "hypot": "%c = stablehlo.multiply %a, %a : tensor<f32>\n %d = stablehlo.multiply %b, %b : tensor<f32>\n"
                       " %e = stablehlo.add %c, %d : tensor<f32>\n %s = stablehlo.sqrt %e : tensor<f32>",
              "branch": "%c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                        ' %s = "stablehlo.if"(%c) ({ %u = stablehlo.add %a, %b : tensor<f32>\n stablehlo.return %u : tensor<f32> }, '
                        "{ %v = stablehlo.multiply %a, %b : tensor<f32>\n stablehlo.return %v : tensor<f32> }) : (tensor<i1>) -> tensor<f32>",
              "loop": "%c = stablehlo.constant dense<3.0> : tensor<f32>\n %s:2 = stablehlo.while(%x = %a, %y = %b) : tensor<f32>, tensor<f32>"
                      " cond { %l = stablehlo.compare LT, %x, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>\n stablehlo.return %l : tensor<i1> }"
                      " do { %n = stablehlo.abs %y : tensor<f32>\n %m = stablehlo.add %x, %n : tensor<f32>\n %o = stablehlo.add %n, %c : tensor<f32>\n"
                      " stablehlo.return %m, %o : tensor<f32>, tensor<f32> }"}
    for name, body in bodies.items():
        inner = f"({{ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n {body}\n stablehlo.return {'%s#0' if ':2' in body else '%s'} : tensor<f32> }})"
        oracle = "none" if name in ("subtract", "first", "second") else "interpreter"
        apply(f"reduce/body.{name}", "reduce", [([4, 5], "f32"), ([], "f32")], ([5], "f32"), f"{inner} {{dimensions = array<i64: 0>}}", oracle=oracle)
        apply(f"reduce_window/body.{name}", "reduce_window", [([4, 5], "f32"), ([], "f32")], ([2, 10], "f32"), f"{inner} {window}", oracle=oracle)
        apply(f"map/{name}", "map", [([4, 5], "f32"), ([4, 5], "f32")], ([4, 5], "f32"), f"{inner} {{dimensions = array<i64: 0, 1>}}")
        apply(f"scatter/body.{name}", "scatter", [([6, 4], "f32"), ([3, 1], "i32", np.array([[1], [7], [1]])), ([3, 4], "f32")],
              ([6, 4], "f32"), f"{inner} {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims"
              " = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}")
        select = region("compare GE,", "f32").replace(": tensor<f32>\n stablehlo.return %s : tensor<f32>",
                                                      ": (tensor<f32>, tensor<f32>) -> tensor<i1>\n stablehlo.return %s : tensor<i1>")
        apply(f"select_and_scatter/body.{name}", "select_and_scatter", [([4, 6], "f32"), ([2, 3], "f32"), ([], "f32")], ([4, 6], "f32"),
              f"({select[1:-1]}, {inner[1:-1]}) {{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, "
              "padding = dense<0> : tensor<2x2xi64>}", oracle="cpu" if oracle == "none" else oracle)
    for kind in COMMON:
        if kind in COMPLEX + ["i1"]:
            continue
        t = tensor([], kind)
        greater = f"{{ ^bb0(%a: {t}, %b: {t}):\n %s = stablehlo.compare GT, %a, %b : ({t}, {t}) -> tensor<i1>\n stablehlo.return %s : tensor<i1> }}"
        apply(f"select_and_scatter/{kind}", "select_and_scatter", [([4, 6], kind), ([3, 3], kind), ([], kind)], ([4, 6], kind),
              f"({greater}, {region('add', kind)[1:-1]}) {{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, "
              "padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}")
    for kind in EVERY:
        if kind in COMPLEX:
            continue
        t = tensor([], kind)
        less = (f"({{ ^bb0(%a: {t}, %b: {t}, %c: tensor<i32>, %d: tensor<i32>):\n %s = stablehlo.compare LT, %a, %b : ({t}, {t}) -> tensor<i1>\n"
                " stablehlo.return %s : tensor<i1> })")
        x, y = tensor([4, 7], kind), tensor([4, 7], "i32")
        case(f"sort/{kind}", [([4, 7], kind), ([4, 7], "i32")], f'%r:2 = "stablehlo.sort"(%0, %1) {less} {{dimension = 1 : i64, is_stable = true}} : '
             f"({x}, {y}) -> ({x}, {y})", [("%r#0", [4, 7], kind), ("%r#1", [4, 7], "i32")])
    case("sort/by_two", [([4, 7], "i4"), ([4, 7], "f32"), ([4, 7], "complex<f32>")],
         '%r:3 = "stablehlo.sort"(%0, %1, %2) ({ ^bb0(%a: tensor<i4>, %b: tensor<i4>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<complex<f32>>, '
         "%f: tensor<complex<f32>>):\n %l = stablehlo.compare LT, %a, %b : (tensor<i4>, tensor<i4>) -> tensor<i1>\n"
         " %s = stablehlo.compare EQ, %a, %b : (tensor<i4>, tensor<i4>) -> tensor<i1>\n %g = stablehlo.real %e : (tensor<complex<f32>>) -> tensor<f32>\n"
         " %h = stablehlo.real %f : (tensor<complex<f32>>) -> tensor<f32>\n %i = stablehlo.compare GT, %g, %h : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
         " %j = stablehlo.and %s, %i : tensor<i1>\n %k = stablehlo.or %l, %j : tensor<i1>\n stablehlo.return %k : tensor<i1> }) "
         "{dimension = 0 : i64, is_stable = true} : (tensor<4x7xi4>, tensor<4x7xf32>, tensor<4x7xcomplex<f32>>) -> "
         "(tensor<4x7xi4>, tensor<4x7xf32>, tensor<4x7xcomplex<f32>>)",
         [("%r#0", [4, 7], "i4"), ("%r#1", [4, 7], "f32"), ("%r#2", [4, 7], "complex<f32>")])
    case("reduce/argmax", [([4, 7], "f32"), ([4, 7], "i32"), ([], "f32"), ([], "i32")],
         "%r:2 = stablehlo.reduce(%0 init: %2), (%1 init: %3) across dimensions = [1] : (tensor<4x7xf32>, tensor<4x7xi32>, tensor<f32>, tensor<i32>)"
         " -> (tensor<4xf32>, tensor<4xi32>) reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {\n"
         " %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n %s = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>\n"
         " %t = stablehlo.select %p, %c, %d : tensor<i1>, tensor<i32>\n stablehlo.return %s, %t : tensor<f32>, tensor<i32> }",
         [("%r#0", [4], "f32"), ("%r#1", [4], "i32")])
    case("reduce/promoted", [([4, 7], "bf16"), ([], "bf16")],
         '%r = "stablehlo.reduce"(%0, %1) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n %s = stablehlo.add %a, %b : tensor<f32>\n'
         " stablehlo.return %s : tensor<f32> }) {dimensions = array<i64: 1>} : (tensor<4x7xbf16>, tensor<bf16>) -> tensor<4xf32>",
         [("%r", [4], "f32")])
    case("reduce/captured", [([4, 7], "f32"), ([], "f32")],
         '%r = "stablehlo.reduce"(%0, %1) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n %s = stablehlo.add %a, %b : tensor<f32>\n'
         " %u = stablehlo.maximum %s, %1 : tensor<f32>\n stablehlo.return %u : tensor<f32> }) {dimensions = array<i64: 1>} : "
         "(tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>", [("%r", [4], "f32")], oracle="none")


def products():
    dims = "{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], " \
           "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>"
    combinations = [(kind, kind, kind) for kind in EVERY if kind != "i1"]
    combinations += [(a, b, c) for a, b, c in
                     [("i8", "i8", "i32"), ("ui8", "ui8", "ui32"), ("i4", "i4", "i32"), ("i8", "ui8", "i32"), ("i2", "i2", "i32"), ("i16", "i16", "i64"),
                      ("bf16", "bf16", "f32"), ("f16", "f16", "f32"), ("f8E4M3FN", "f8E5M2", "f32"), ("f8E4M3FN", "f8E4M3FN", "bf16"),
                      ("f8E5M2", "f8E5M2", "f16"), ("f32", "f32", "f64"), ("f32", "f32", "bf16"), ("f64", "f64", "f32"), ("bf16", "f32", "f32"),
                      ("f32", "bf16", "f64"), ("complex<f32>", "complex<f32>", "complex<f64>"), ("complex<f32>", "complex<f32>", "f32"),
                      ("complex<f64>", "complex<f64>", "f64"), ("f32", "f32", "complex<f32>"), ("f32", "complex<f32>", "complex<f32>"),
                      ("complex<f32>", "f32", "complex<f32>"), ("i8", "f32", "f32"), ("i1", "i1", "i1"), ("i32", "i32", "f32"), ("i8", "i8", "i8")]]
    for a, b, c in dict.fromkeys(combinations):
        x, y = values([2, 3, 5], a, -1, 1), values([5, 2, 4], b, -1, 1)
        plain = a == b == c
        apply(f"dot_general/{a}.{b}.{c}", "dot_general", [([2, 3, 5], a, x), ([5, 2, 4], b, y)], ([2, 3, 4], c), dims + "}",
              oracle="interpreter" if plain else "cpu", tolerance=0.6 if c in NARROW else None if plain or c in INTS else 0.05)
    apply("dot/f32", "dot", [([3, 5], "f32"), ([5], "f32")], ([3], "f32"), oracle="cpu")
    apply("einsum/f32", "einsum", [([3, 5], "f32"), ([5, 4], "f32")], ([3, 4], "f32"), '{einsum_config = "ij,jk->ik"}', oracle="cpu")
    apply("unary_einsum/f32", "unary_einsum", [([3, 5], "f32")], ([5, 3], "f32"), '{einsum_config = "ij->ji"}', oracle="none")
    algorithms = {"any_f8_any_f8_f32": ("f8E5M2", "f32", 1, 1, "f32", False), "any_f8_any_f8_f32_fast": ("f8E5M2", "f32", 1, 1, "f32", True),
                  "f16_f16_f16": ("f16", "f16", 1, 1, "f16", False), "f16_f16_f32": ("f16", "f32", 1, 1, "f16", False),
                  "bf16_bf16_bf16": ("bf16", "bf16", 1, 1, "bf16", False), "bf16_bf16_f32": ("bf16", "f32", 1, 1, "f32", False),
                  "bf16_bf16_f32_x3": ("bf16", "f32", 1, 3, "f32", False), "bf16_bf16_f32_x6": ("bf16", "f32", 1, 6, "f32", False),
                  "bf16_bf16_f32_x9": ("bf16", "f32", 1, 9, "f32", False), "tf32_tf32_f32": ("tf32", "f32", 1, 1, "f32", False),
                  "tf32_tf32_f32_x3": ("tf32", "f32", 1, 3, "f32", False), "f32_f32_f32": ("f32", "f32", 1, 1, "f32", False),
                  "f64_f64_f64": ("f64", "f64", 1, 1, "f64", False)}
    for name, (precision, total, parts, steps, kind, fast) in algorithms.items():
        kind = precision if precision.startswith("f8") else kind
        result = "f32" if precision.startswith("f8") else kind
        apply(f"algorithm/{name}", "dot_general", [([2, 3, 5], kind), ([5, 2, 4], kind)], ([2, 3, 4], result),
              f"{dims}, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = {precision}, rhs_precision_type = {precision}, accumulation_type"
              f" = {total}, lhs_component_count = {parts}, rhs_component_count = {parts}, num_primitive_operations = {steps}, "
              f"allow_imprecise_accumulation = {str(fast).lower()}>}}", oracle="cpu", tolerance=0.05)
    numbers = {"nhwc": "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "nchw": "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "odd": "[0, b, f, 1]x[i, 0, o, 1]->[1, f, 0, b]"}

    def conv(name, kind, layout, batch, channels, outputs, result=None, groups=1, batch_groups=1, sizes=(6, 7), **options):
        """A convolution with a 2x3 kernel, pad [[1, 0], [2, 1]]; options: stride, lhs_dilate, rhs_dilate, reverse."""
        stride, left, right = options.get("stride", (1, 1)), options.get("lhs", (1, 1)), options.get("rhs", (1, 1))
        pad, out = ((1, 0), (2, 1)), []
        for i, (size, tap) in enumerate(zip(sizes, (2, 3))):
            reach = (size - 1) * left[i] + 1 + sum(pad[i])
            out.append((reach - ((tap - 1) * right[i] + 1)) // stride[i] + 1)
        parts = dict(b=batch, f=channels), dict(i=channels // groups, o=outputs), dict(b=batch // batch_groups, f=outputs)
        shape = []
        for text, known, spatial in zip(numbers[layout].replace("->", "x").split("x"), parts, (sizes, (2, 3), out)):
            shape.append([known[c] if c in known else spatial[int(c)] for c in text.strip("[]").split(", ")])
        reverse = options.get("reverse", (False, False))
        apply(name, "convolution", [(shape[0], kind, values(shape[0], kind, -1, 1)), (shape[1], kind, values(shape[1], kind, -1, 1))],
              (shape[2], result or kind),
              f"{{dimension_numbers = #stablehlo.conv<{numbers[layout]}>, window_strides = array<i64: {stride[0]}, {stride[1]}>, "
              f"padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: {left[0]}, {left[1]}>, "
              f"rhs_dilation = array<i64: {right[0]}, {right[1]}>, window_reversal = array<i1: {str(reverse[0]).lower()}, {str(reverse[1]).lower()}>, "
              f"feature_group_count = {groups} : i64, batch_group_count = {batch_groups} : i64}}",
              oracle="interpreter" if not result else "cpu", tolerance=0.6 if kind in NARROW else options.get("tolerance"))
    for kind in ["i8", "ui8", "i16", "i32", "i64", "ui32", "bf16", "f16", "f32", "f64", "f8E4M3FN", "f8E5M2", "i4"] + COMPLEX:
        for layout in numbers:
            conv(f"convolution/{layout}.{kind}", kind, layout, 2, 4, 6)
        conv(f"convolution/grouped.{kind}", kind, "nhwc", 2, 4, 6, groups=2)
        conv(f"convolution/depthwise.{kind}", kind, "nchw", 2, 4, 8, groups=4)
        conv(f"convolution/batch_grouped.{kind}", kind, "nhwc", 4, 3, 6, batch_groups=2)
        conv(f"convolution/strided.{kind}", kind, "nhwc", 1, 3, 5, stride=(2, 3))
        conv(f"convolution/dilated.{kind}", kind, "nhwc", 1, 3, 5, lhs=(2, 3), rhs=(2, 1))
        conv(f"convolution/reversed.{kind}", kind, "nhwc", 1, 3, 5, reverse=(True, False), rhs=(1, 2))
        conv(f"convolution/all.{kind}", kind, "odd", 2, 4, 6, groups=2, lhs=(2, 1), rhs=(1, 2), stride=(1, 2), reverse=(True, True))
        conv(f"convolution/nothing.{kind}", kind, "nhwc", 0, 3, 5)
    for kind, result in [("i8", "i32"), ("ui8", "i32"), ("bf16", "f32"), ("f16", "f32"), ("f8E4M3FN", "f32"), ("f32", "f64")]:
        conv(f"convolution/to_{result}.{kind}", kind, "nhwc", 2, 4, 6, result=result, tolerance=0.02 if result in FLOATS else 0)


def linear():
    for part in ["f32", "f64"]:
        pair = f"complex<{part}>"
        for kind, source, result, shape in [("FFT", pair, pair, [6]), ("IFFT", pair, pair, [6]), ("RFFT", part, pair, [4]), ("IRFFT", pair, part, [6])]:
            length = 6
            start = [2, 6] if kind != "IRFFT" else [2, 4]
            apply(f"fft/{kind}.{part}", "fft", [(start, source)], ([2] + shape, result),
                  f"{{fft_type = #stablehlo<fft_type {kind}>, fft_length = array<i64: {length}>}}", oracle="cpu")
        apply(f"fft/3d.{part}", "fft", [([3, 4, 5], pair)], ([3, 4, 5], pair), "{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 3, 4, 5>}",
              oracle="cpu")
    for kind in ["f32", "f64"] + COMPLEX:
        a = values([2, 4, 4], kind)
        positive = a @ np.conj(np.swapaxes(a, 1, 2)) + 3 * np.eye(4)
        for lower in ("true", "false"):
            apply(f"cholesky/{lower}.{kind}", "cholesky", [([2, 4, 4], kind, positive)], ([2, 4, 4], kind), f"{{lower = {lower}}}", oracle="cpu")
            for side in ("true", "false"):
                for transpose in ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]:
                    apply(f"triangular_solve/{lower}.{side}.{transpose}.{kind}", "triangular_solve",
                          [([2, 4, 4], kind, a + 5 * np.eye(4)), ([2, 4, 4], kind)], ([2, 4, 4], kind),
                          f"{{left_side = {side}, lower = {lower}, unit_diagonal = false, transpose_a = #stablehlo<transpose {transpose}>}}", oracle="cpu")
    for kind in ["f32", "f64", "bf16", "f16"]:
        vector = ([3], kind, values([3], kind, 0.5, 2))
        attributes = "{epsilon = 0.001 : f32, feature_index = 1 : i64}"
        loose = {"f32": 1e-4, "f64": 1e-10}.get(kind, 0.1)
        apply(f"batch_norm_inference/{kind}", "batch_norm_inference", [([2, 3, 4], kind)] + [vector] * 4, ([2, 3, 4], kind), attributes,
              oracle="cpu", tolerance=loose)
        x, v = tensor([2, 3, 4], kind), tensor([3], kind)
        case(f"batch_norm_training/{kind}", [([2, 3, 4], kind), vector, vector],
             f'%r:3 = "stablehlo.batch_norm_training"(%0, %1, %2) {attributes} : ({x}, {v}, {v}) -> ({x}, {v}, {v})',
             [("%r#0", [2, 3, 4], kind), ("%r#1", [3], kind), ("%r#2", [3], kind)], oracle="cpu", tolerance=loose)
        case(f"batch_norm_grad/{kind}", [([2, 3, 4], kind), vector, vector, vector, ([2, 3, 4], kind)],
             f'%r:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) {attributes} : ({x}, {v}, {v}, {v}, {x}) -> ({x}, {v}, {v})',
             [("%r#0", [2, 3, 4], kind), ("%r#1", [3], kind), ("%r#2", [3], kind)], oracle="cpu", tolerance=loose)
    for kind in ["f32", "i8", "complex<f32>"]:
        apply(f"torch_index_select/{kind}", "torch_index_select", [([4, 5], kind), ([3], "i32", np.array([3, 0, 1]))], ([3, 5], kind),
              "{dim = 0 : i64, batch_dims = 0 : i64}", oracle="none")
        apply(f"broadcast/{kind}", "broadcast", [([3], kind)], ([2, 3], kind), "{broadcast_sizes = array<i64: 2>}", oracle="none")


def control():
    f = "tensor<3xf32>"
    two = [("%r#0", [3], "f32"), ("%r#1", [], "i32")]
    branch = "{{ %a{0} = stablehlo.{1} %1 : tensor<3xf32>\n %b{0} = stablehlo.constant dense<{0}> : tensor<i32>\n " \
             "stablehlo.return %a{0}, %b{0} : tensor<3xf32>, tensor<i32> }}"
    for flag in (True, False):
        case(f"if/{flag}", [([], "i1", np.int64(flag)), ([3], "f32")],
             f'%r:2 = "stablehlo.if"(%0) ({branch.format(1, "sine")}, {branch.format(2, "abs")}) : (tensor<i1>) -> ({f}, tensor<i32>)', two)
    for index in (-1, 0, 1, 2, 9):
        case(f"case/{index}", [([], "i32", np.int64(index)), ([3], "f32")],
             f'%r:2 = "stablehlo.case"(%0) ({branch.format(1, "sine")}, {branch.format(2, "abs")}, {branch.format(3, "negate")}) : '
             f"(tensor<i32>) -> ({f}, tensor<i32>)", two)
    case("case/one_branch", [([], "i32"), ([3], "f32")], f'%r:2 = "stablehlo.case"(%0) ({branch.format(1, "sine")}) : (tensor<i32>) -> ({f}, tensor<i32>)', two)
    case("while/several", [([], "i32", np.int64(0)), ([3], "f32"), ([2, 2], "i8")],
         "%n = stablehlo.constant dense<4> : tensor<i32>\n    %one = stablehlo.constant dense<1> : tensor<i32>\n    "
         "%r:3 = stablehlo.while(%i = %0, %x = %1, %y = %2) : tensor<i32>, tensor<3xf32>, tensor<2x2xi8> cond {\n"
         " %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n stablehlo.return %c : tensor<i1>\n } do {\n"
         " %j = stablehlo.add %i, %one : tensor<i32>\n %z = stablehlo.multiply %x, %x : tensor<3xf32>\n %h = stablehlo.sine %z : tensor<3xf32>\n"
         " %w = stablehlo.transpose %y, dims = [1, 0] : (tensor<2x2xi8>) -> tensor<2x2xi8>\n %v = stablehlo.add %w, %y : tensor<2x2xi8>\n"
         " stablehlo.return %j, %h, %v : tensor<i32>, tensor<3xf32>, tensor<2x2xi8>\n }",
         [("%r#0", [], "i32"), ("%r#1", [3], "f32"), ("%r#2", [2, 2], "i8")])
    case("while/nothing", [([3], "f32")], '"stablehlo.while"() ({ %c = stablehlo.constant dense<false> : tensor<i1>\n stablehlo.return %c : tensor<i1> }, '
         "{ stablehlo.return }) : () -> ()", [("%0", [3], "f32")], oracle="none")
    case("tuple/nested", [([3], "f32"), ([2], "i8")],
         "%t = stablehlo.tuple %0, %1 : tuple<tensor<3xf32>, tensor<2xi8>>\n    "
         "%u = stablehlo.tuple %t, %1 : tuple<tuple<tensor<3xf32>, tensor<2xi8>>, tensor<2xi8>>\n    "
         "%v = stablehlo.get_tuple_element %u[0] : (tuple<tuple<tensor<3xf32>, tensor<2xi8>>, tensor<2xi8>>) -> tuple<tensor<3xf32>, tensor<2xi8>>\n    "
         "%r = stablehlo.get_tuple_element %v[1] : (tuple<tensor<3xf32>, tensor<2xi8>>) -> tensor<2xi8>", [("%r", [2], "i8"), ("%0", [3], "f32")], oracle="cpu")
    case("tuple/call", [([3], "f32")], "%t = call @pair(%0) : (tensor<3xf32>) -> tuple<tensor<3xf32>, tensor<3xf32>>\n    "
         "%r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tensor<3xf32>", [("%r", [3], "f32")], oracle="cpu",
         outside="  func.func private @pair(%x: tensor<3xf32>) -> tuple<tensor<3xf32>, tensor<3xf32>> {\n    %y = stablehlo.sine %x : tensor<3xf32>\n"
         "    %t = stablehlo.tuple %x, %y : tuple<tensor<3xf32>, tensor<3xf32>>\n    return %t : tuple<tensor<3xf32>, tensor<3xf32>>\n  }")
    case("composite", [([3], "f32"), ([], "f32")], '%r:2 = stablehlo.composite "my.op" %0, %1 {composite_attributes = {n = 3 : i64, s = "x"}, decomposition = @plan, '
         "version = 1 : i32} : (tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<f32>)", [("%r#0", [3], "f32"), ("%r#1", [], "f32")],
         outside="  func.func private @plan(%x: tensor<3xf32>, %y: tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {\n    %a = stablehlo.sine %x : tensor<3xf32>\n"
         "    %b = stablehlo.negate %y : tensor<f32>\n    return %a, %b : tensor<3xf32>, tensor<f32>\n  }")
    case("optimization_barrier", [([3], "f32"), ([2], "i8")], "%r:2 = stablehlo.optimization_barrier %0, %1 : tensor<3xf32>, tensor<2xi8>",
         [("%r#0", [3], "f32"), ("%r#1", [2], "i8")])
    token = "!stablehlo.token"
    case("token", [([3], "f32")], f"%t = stablehlo.create_token : {token}\n    %u = stablehlo.after_all %t, %t : {token}\n    "
         f"%r, %v = stablehlo.optimization_barrier %0, %u : tensor<3xf32>, {token}", [("%r", [3], "f32")], oracle="none")


def random():
    for distribution in ("UNIFORM", "NORMAL"):
        for kind in ["f32", "f64", "bf16", "f16"] + (["i32", "ui8", "i1"] if distribution == "UNIFORM" else []):
            case(f"rng/{distribution}.{kind}", [([], kind, values([], kind, 1, 1)), ([], kind, values([], kind, 3, 3))],
                 f"%s = stablehlo.constant dense<[3, 4]> : tensor<2xi64>\n    %r = stablehlo.rng %0, %1, %s, distribution = {distribution} : "
                 f"({tensor([], kind)}, {tensor([], kind)}, tensor<2xi64>) -> {tensor([3, 4], kind)}", [("%r", [3, 4], kind)], oracle="none")
    for algorithm, words in [("DEFAULT", 2), ("DEFAULT", 3), ("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3)]:
        for kind in ["ui8", "ui16", "ui32", "ui64", "i8", "i16", "i32", "i64"]:
            state = tensor([words], "ui64")
            case(f"rng_bit_generator/{algorithm}{words}.{kind}", [([words], "ui64", np.arange(5, 5 + words).astype("uint64"))],
                 f"%r:2 = stablehlo.rng_bit_generator %0, algorithm = {algorithm} : ({state}) -> ({state}, {tensor([3, 5], kind)})",
                 [("%r#0", [words], "ui64"), ("%r#1", [3, 5], kind)], oracle="none" if algorithm == "DEFAULT" or kind[0] == "i" else "cpu")


def collectives():
    for kind in ["f32", "i8", "complex<f32>", "bf16", "i1"]:
        group = "replica_groups = dense<0> : tensor<1x1xi64>"
        channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
        apply(f"all_gather/{kind}", "all_gather", [([4, 2], kind)], ([4, 2], kind), f"{{all_gather_dim = 0 : i64, {group}, {channel}, use_global_device_ids}}")
        apply(f"all_to_all/{kind}", "all_to_all", [([4, 2], kind)], ([4, 2], kind),
              f"{{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, {group}}}")
        apply(f"collective_broadcast/{kind}", "collective_broadcast", [([4, 2], kind)], ([4, 2], kind), f"{{{group}}}")
        apply(f"collective_permute/{kind}", "collective_permute", [([4, 2], kind)], ([4, 2], kind), "{source_target_pairs = dense<0> : tensor<1x2xi64>}")
        apply(f"collective_permute/away.{kind}", "collective_permute", [([4, 2], kind)], ([4, 2], kind), "{source_target_pairs = dense<> : tensor<0x2xi64>}")
        apply(f"cross-replica-sum/{kind}", "cross-replica-sum", [([4, 2], kind)], ([4, 2], kind), f"{{{group}}}", oracle="none")
        if kind != "i1":
            apply(f"reduce_scatter/{kind}", "reduce_scatter", [([4, 2], kind)], ([4, 2], kind), f"{region('add', kind)} {{scatter_dimension = 0 : i64, {group}}}")
    case("ids", [], '%r = stablehlo.replica_id : tensor<ui32>\n    %s = stablehlo.partition_id : tensor<ui32>', [("%r", [], "ui32"), ("%s", [], "ui32")])
    x = "tensor<4x2xf32>"
    case("all_reduce/several", [([4, 2], "f32"), ([4, 2], "f32")], f'%r:2 = "stablehlo.all_reduce"(%0, %1) {region("add", "f32")} '
         f"{{replica_groups = dense<0> : tensor<1x1xi64>}} : ({x}, {x}) -> ({x}, {x})", [("%r#0", [4, 2], "f32"), ("%r#1", [4, 2], "f32")], oracle="none")
    case("async/all_reduce", [([4, 2], "f32")], f'%f = "stablehlo.async_start"(%0) ({{ ^bb0(%x: {x}):\n %y = "stablehlo.all_reduce"(%x) '
         f'{region("add", "f32")} {{replica_groups = dense<0> : tensor<1x1xi64>}} : ({x}) -> {x}\n stablehlo.return %y : {x} }}) : ({x}) -> !stablehlo.future<{x}>\n    '
         f'%r = "stablehlo.async_done"(%f) : (!stablehlo.future<{x}>) -> {x}', [("%r", [4, 2], "f32")], oracle="none")


def quantized():
    kinds = {"plain": "!quant.uniform<i8:f32, 0.05:3>", "narrow": "!quant.uniform<i8<-100:100>:f32, 0.0625>", "unsigned": "!quant.uniform<u8:f32, 0.03:128>",
             "axis": "!quant.uniform<i8:f32:1, {0.05:1, 0.1:-2, 0.025:0, 0.125:5}>", "four": "!quant.uniform<i4:f32, 0.5>", "wide": "!quant.uniform<i16:f32, 0.001:5>"}
    shape, x = [3, 4], "tensor<3x4xf32>"

    def q(kind, dims=(3, 4)):
        return tensor(dims, kinds.get(kind, kind))

    def stored(x):
        """x modulo 256 as an unsigned byte: StableHLO's own passes treat such bytes as signed."""
        x = x.astype("float32")
        step = np.float32(0.03)
        return ((np.round(np.clip(x / step + 128, 0, 255)).astype("int32") - 128).astype("float32") * step).astype("float64")

    plain = {"both_ways": lambda x: x, "abs": np.abs, "ceil": np.ceil, "floor": np.floor, "negate": np.negative, "sign": np.sign,
             "add": np.add, "subtract": np.subtract, "maximum": np.maximum, "minimum": np.minimum, "transpose": np.transpose,
             "reshape": lambda x: x.reshape(2, 6), "slice": lambda x: x[0:2, 1:4:2], "tanh": np.tanh, "exponential": np.exp}

    def chain(name, kind, body, result="q", arguments=1, dims=(3, 4), out=(3, 4), final=None, **options):
        """Quantizes the arguments, applies `body` to %q0 ... giving %y, and dequantizes that."""
        lines = [f"%q{i} = stablehlo.uniform_quantize %{i} : ({tensor(dims, 'f32')}) -> {q(kind, dims)}" for i in range(arguments)]
        if kind == "unsigned":
            known = plain.get(name)
            options = {"oracle": lambda arrays: [stored(known(*[stored(array) for array in arrays]))] if known else None, "tolerance": 0.04}
        lines += [body, f"%r = stablehlo.uniform_dequantize %y : ({q(final or kind, out)}) -> {tensor(out, 'f32')}"]
        case(f"quantized/{name}.{kind}", [(list(dims), "f32")] * arguments, "\n    ".join(lines), [("%r", list(out), "f32")], **options)
    for kind in kinds:
        t = q(kind)
        if kind != "axis":
            chain("both_ways", kind, f"%y = stablehlo.optimization_barrier %q0 : {t}")
        for op in ["abs", "ceil", "cosine", "exponential", "floor", "logistic", "negate", "sign", "sine", "tanh", "cbrt", "exponential_minus_one"]:
            if kind != "axis":
                chain(op, kind, f"%y = stablehlo.{op} %q0 : {t}", tolerance=None)
        for op in ["add", "subtract", "multiply", "maximum", "minimum"]:
            if kind != "axis" or op == "add":
                chain(op, kind, f"%y = stablehlo.{op} %q0, %q1 : {t}", arguments=2)
        if kind != "axis":
            chain("reshape", kind, f"%y = stablehlo.reshape %q0 : ({t}) -> {q(kind, (2, 6))}", out=(2, 6))
            chain("transpose", kind, f"%y = stablehlo.transpose %q0, dims = [1, 0] : ({t}) -> {q(kind, (4, 3))}", out=(4, 3))
            chain("requantize", kind, f"%y = stablehlo.uniform_quantize %q0 : ({t}) -> {q('plain')}", final="plain", tolerance=0.02)
            chain("slice", kind, f"%y = stablehlo.slice %q0 [0:2, 1:4:2] : ({t}) -> {q(kind, (2, 2))}", out=(2, 2))
            chain("concatenate", kind, f"%y = stablehlo.concatenate %q0, %q0, dim = 0 : ({t}, {t}) -> {q(kind, (6, 4))}", out=(6, 4))
            chain("broadcast", kind, f"%y = stablehlo.broadcast_in_dim %q0, dims = [1, 2] : ({t}) -> {q(kind, (2, 3, 4))}", out=(2, 3, 4))
            chain("select", kind, f"%p = stablehlo.constant dense<true> : tensor<3x4xi1>\n    %y = stablehlo.select %p, %q0, %q1 : tensor<3x4xi1>, {t}", arguments=2)
            chain("pad", kind, f"%z = stablehlo.constant dense<0.5> : tensor<f32>\n    %z1 = stablehlo.uniform_quantize %z : (tensor<f32>) -> {q(kind, ())}\n    "
                  f"%y = stablehlo.pad %q0, %z1, low = [1, 0], high = [0, 1], interior = [0, 0] : ({t}, {q(kind, ())}) -> {q(kind, (4, 5))}", out=(4, 5))
            case(f"quantized/compare.{kind}", [(shape, "f32"), (shape, "f32")], f"%q0 = stablehlo.uniform_quantize %0 : ({x}) -> {t}\n    "
                 f"%q1 = stablehlo.uniform_quantize %1 : ({x}) -> {t}\n    %r = stablehlo.compare LT, %q0, %q1 : ({t}, {t}) -> tensor<3x4xi1>", [("%r", shape, "i1")], oracle="none" if kind == "unsigned" else "interpreter")
            case(f"quantized/bitcast.{kind}", [(shape, "f32")], f"%q0 = stablehlo.uniform_quantize %0 : ({x}) -> {t}\n    %r = stablehlo.bitcast_convert %q0 : ({t}) -> "
                 + tensor(shape, {"unsigned": "ui8", "four": "i4", "wide": "i16"}.get(kind, "i8")),
                 [("%r", shape, {"unsigned": "ui8", "four": "i4", "wide": "i16"}.get(kind, "i8"))], oracle="none")
    accumulated, weights = "!quant.uniform<i32:f32, 0.0025>", "!quant.uniform<i8<-127:127>:f32:1, {0.05, 0.1, 0.025}>"
    for kind in ("plain", "narrow"):
        for name, right, result in [("dot", "!quant.uniform<i8:f32, 0.05>", "!quant.uniform<i8:f32, 0.5:4>"), ("dot_to_i32", "!quant.uniform<i8:f32, 0.05>", accumulated),
                                    ("dot_per_axis", weights, "!quant.uniform<i32:f32:1, {0.0025, 0.005, 0.00125}>")]:
            case(f"quantized/{name}.{kind}", [([2, 4], "f32"), ([4, 3], "f32")], f"%a = stablehlo.uniform_quantize %0 : (tensor<2x4xf32>) -> {q(kind, (2, 4))}\n    "
                 f"%b = stablehlo.uniform_quantize %1 : (tensor<4x3xf32>) -> {tensor((4, 3), right)}\n    "
                 f"%y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({q(kind, (2, 4))}, {tensor((4, 3), right)}) -> {tensor((2, 3), result)}\n    "
                 f"%r = stablehlo.uniform_dequantize %y : ({tensor((2, 3), result)}) -> tensor<2x3xf32>", [("%r", [2, 3], "f32")])
        if kind == "narrow":
            case(f"quantized/hybrid_dot.{kind}", [([2, 4], "f32"), ([4, 3], "f32")],
                 f"%b = stablehlo.uniform_quantize %1 : (tensor<4x3xf32>) -> {q(kind, (4, 3))}\n    "
                 f"%r = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<2x4xf32>, {q(kind, (4, 3))}) -> tensor<2x3xf32>", [("%r", [2, 3], "f32")])
        for name, right, result in [("convolution", "!quant.uniform<i8<-127:127>:f32, 0.05>", "!quant.uniform<i8:f32, 0.5:4>"),
                                    ("convolution_per_axis", "!quant.uniform<i8<-127:127>:f32:3, {0.05, 0.1}>", "!quant.uniform<i32:f32:3, {0.0025, 0.005}>")]:
            case(f"quantized/{name}.{kind}", [([1, 4, 4, 2], "f32"), ([2, 2, 2, 2], "f32")],
                 f"%a = stablehlo.uniform_quantize %0 : (tensor<1x4x4x2xf32>) -> {q(kind, (1, 4, 4, 2))}\n    "
                 f"%b = stablehlo.uniform_quantize %1 : (tensor<2x2x2x2xf32>) -> {tensor((2, 2, 2, 2), right)}\n    "
                 f"%y = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{pad = [[1, 0], [0, 1]]}} "
                 f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({q(kind, (1, 4, 4, 2))}, {tensor((2, 2, 2, 2), right)}) -> {tensor((1, 4, 4, 2), result)}\n    "
                 f"%r = stablehlo.uniform_dequantize %y : ({tensor((1, 4, 4, 2), result)}) -> tensor<1x4x4x2xf32>", [("%r", [1, 4, 4, 2], "f32")], tolerance=0.01)
        t = q(kind, ())
        case(f"quantized/reduce.{kind}", [(shape, "f32")], f"%a = stablehlo.uniform_quantize %0 : ({x}) -> {q(kind)}\n    %z = stablehlo.constant dense<0.5> : tensor<f32>\n    "
             f'%z1 = stablehlo.uniform_quantize %z : (tensor<f32>) -> {t}\n    %y = "stablehlo.reduce"(%a, %z1) ({{ ^bb0(%c: {t}, %d: {t}):\n %e = stablehlo.add %c, %d : {t}\n'
             f' stablehlo.return %e : {t} }}) {{dimensions = array<i64: 1>}} : ({q(kind)}, {t}) -> {q(kind, (3,))}\n    '
             f"%r = stablehlo.uniform_dequantize %y : ({q(kind, (3,))}) -> tensor<3xf32>", [("%r", [3], "f32")], oracle="none")
    case("quantized/constant", [], f"%q = stablehlo.constant() <{{value = dense<[3, -4, 127]> : tensor<3xi8>}}> : () -> tensor<3x{kinds['plain']}>\n    "
         f"%r = stablehlo.uniform_dequantize %q : (tensor<3x{kinds['plain']}>) -> tensor<3xf32>".replace("stablehlo.constant()", '"stablehlo.constant"()'), [("%r", [3], "f32")])


# Cases where the oracle is wrong: (case, its answer).
MISTAKEN = {"unary/ceil.f8E3M4": "interpreter: NaN", "unary/floor.f8E3M4": "interpreter: NaN", "unary/round_nearest_afz.f8E3M4": "interpreter: NaN",
            "unary/round_nearest_even.f8E3M4": "interpreter: NaN", "unary/logistic.f8E4M3B11FNUZ": "interpreter: NaN",
            "unary/popcnt.i4": "cpu: bits that are not there"}
GROUPS = [elementwise, shapes, dynamic, reductions, products, linear, control, random, collectives, quantized]
