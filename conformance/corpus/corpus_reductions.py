"""corpus_reductions.py: reductions, windows, scatters and sorts, with regions of every kind."""
import numpy as np

from corpus_program import (COMPLEX, EVERY, EXACT, F8, FLOATS, FUNCTION, INTEGERS, NUMPY, SUM, apply, case, combiner, each, edges, tensor, values)

COMMON = ["i8", "i32", "ui8", "ui32", "i64", "bf16", "f16", "f32", "f64"]
WINDOW = ("{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 2, 1>, "
          "padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>}")
NUMBERS = ("{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
           "index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}")
BODIES = {"hypot": "%c = stablehlo.multiply %a, %a : tensor<f32>\n      %d = stablehlo.multiply %b, %b : tensor<f32>\n      %e = stablehlo.add %c, %d : tensor<f32>\n      "
                   "%s = stablehlo.sqrt %e : tensor<f32>",
          "branch": "%c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n      "
                    '%s = "stablehlo.if"(%c) ({ %u = stablehlo.add %a, %b : tensor<f32>\n      stablehlo.return %u : tensor<f32> }, '
                    "{ %v = stablehlo.multiply %a, %b : tensor<f32>\n      stablehlo.return %v : tensor<f32> }) : (tensor<i1>) -> tensor<f32>",
          "loop": "%c = stablehlo.constant dense<3.0> : tensor<f32>\n      %w:2 = stablehlo.while(%x = %a, %y = %b) : tensor<f32>, tensor<f32>"
                  " cond { %l = stablehlo.compare LT, %x, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>\n stablehlo.return %l : tensor<i1> }"
                  " do { %n = stablehlo.abs %y : tensor<f32>\n %m = stablehlo.add %x, %n : tensor<f32>\n %o = stablehlo.add %n, %c : tensor<f32>\n"
                  " stablehlo.return %m, %o : tensor<f32>, tensor<f32> }\n      %s = stablehlo.negate %w#0 : tensor<f32>"}


def start(kind, op):
    ends = {"add": 0, "or": 0, "xor": 0, "multiply": 1, "and": -1 if kind[0] == "i" and kind != "i1" else 1}
    if op in ends:
        return np.asarray(ends[op]).astype(NUMPY[kind]) if not kind.startswith("ui") or op != "and" else edges(kind)[-1]
    return np.asarray(values([], kind, -1, 1))


def reduce():
    for op in ("add", "multiply", "maximum", "minimum", "and", "or", "xor"):
        bits = op in ("and", "or", "xor")
        for name, kinds in {"integers": (["i1"] if bits or op in ("maximum", "minimum") else []) + INTEGERS, "floats": FLOATS, "f8": F8, "complex": COMPLEX}.items():
            if name != "integers" and (bits or name == "complex" and op in ("maximum", "minimum")):
                continue
            exact = name == "integers" or op in ("maximum", "minimum")
            columns = [(kind, [values([4, 5], kind, -1.5, 1.5), start(kind, op)]) for kind in kinds]
            each(f"reductions/{op}.{name}", "reduce", columns, lambda kind: tensor([4], kind), "{dimensions = array<i64: 1>}", EXACT if exact else SUM,
                 region=lambda kind: combiner(op, kind))
    for name, shape, dims, out in (("all", [3, 4, 5], [0, 1, 2], []), ("first", [3, 4, 5], [0], [4, 5]), ("middle", [3, 4, 5], [1], [3, 5]), ("outer_two", [3, 4, 5], [0, 1], [5]),
                                   ("none", [3, 4], [], [3, 4]), ("empty", [3, 0], [1], [3]), ("no_result", [0, 3], [1], [0]), ("scalar", [], [], []),
                                   ("long", [4099], [0], []), ("wide", [2, 2049], [0], [2049]), ("ones", [1, 1, 7], [0, 1], [7])):
        words = f"array<i64{': ' if dims else ''}{', '.join(map(str, dims))}>"
        apply(f"reductions/sum_of.{name}", "reduce", [values(shape, "f32", -1, 1), np.float32(0)], tensor(out, "f32"), f"{{dimensions = {words}}}",
              tolerance=SUM, region=combiner("add", "f32"))
    for op, point in (("maximum", np.nan), ("minimum", np.nan), ("maximum", np.inf), ("add", -np.inf)):
        x = values([3, 6], "f32")
        x[1, 3] = point
        apply(f"reductions/{op}_with.{str(point).replace('-', 'minus_')}", "reduce", [x, np.float32(0)], "tensor<3xf32>", "{dimensions = array<i64: 1>}", tolerance=SUM,
              region=combiner(op, "f32"))
    for name, body in BODIES.items():
        inner = f"({{ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n      {body}\n      stablehlo.return %s : tensor<f32> }})"
        x = values([4, 5], "f32", 0.25, 1.5)
        apply(f"reductions/body_{name}.map", "map", [x, values([4, 5], "f32", 0.25, 1.5)], "tensor<4x5xf32>", "{dimensions = array<i64: 0, 1>}", tolerance=SUM, region=inner)
        if name == "hypot":
            apply(f"reductions/body_{name}.reduce", "reduce", [x, np.float32(0)], "tensor<5xf32>", "{dimensions = array<i64: 0>}", tolerance=SUM, region=inner)
            apply(f"reductions/body_{name}.window", "reduce_window", [x, np.float32(0)], "tensor<2x10xf32>", WINDOW, tolerance=SUM, region=inner)
            apply(f"reductions/body_{name}.scatter", "scatter", [values([6, 4], "f32"), np.array([[1], [7], [4]], np.int32), values([3, 4], "f32")], "tensor<6x4xf32>", NUMBERS,
                  tolerance=SUM, region=inner)
    case("reductions/argmax", [values([4, 7], "f32"), np.tile(np.arange(7, dtype=np.int32), (4, 1)), np.float32(-np.inf), np.int32(0)],
         "%r:2 = stablehlo.reduce(%0 init: %2), (%1 init: %3) across dimensions = [1] : (tensor<4x7xf32>, tensor<4x7xi32>, tensor<f32>, tensor<i32>)"
         " -> (tensor<4xf32>, tensor<4xi32>)\n     reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {\n"
         "      %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n      %s = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>\n"
         "      %t = stablehlo.select %p, %c, %d : tensor<i1>, tensor<i32>\n      stablehlo.return %s, %t : tensor<f32>, tensor<i32> }",
         [("%r#0", "tensor<4xf32>"), ("%r#1", "tensor<4xi32>")], lambda x, *_: [x.max(1), x.argmax(1).astype(np.int32)])
    case("reductions/promoted", [values([4, 7], "bf16"), np.asarray(0).astype(NUMPY["bf16"])],
         '%r = "stablehlo.reduce"(%0, %1) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n      %s = stablehlo.add %a, %b : tensor<f32>\n'
         "      stablehlo.return %s : tensor<f32> }) {dimensions = array<i64: 1>} : (tensor<4x7xbf16>, tensor<bf16>) -> tensor<4xf32>",
         [("%r", "tensor<4xf32>")], lambda x, y: [x.astype(np.float32).sum(1)], SUM)


def windows():
    for op in ("add", "multiply", "maximum", "minimum"):
        for name, kinds in {"integers": ["i4", "i8", "i32", "i64", "ui8", "ui32"], "floats": FLOATS + ["f8E4M3FN"]}.items():
            columns = [(kind, [values([4, 5], kind, -1.5, 1.5), start(kind, op)]) for kind in kinds]
            each(f"reductions/window_{op}.{name}", "reduce_window", columns, lambda kind: tensor([2, 10], kind), WINDOW, SUM, region=lambda kind: combiner(op, kind))
    for name, shape, window, stride, base, hole, pad in (
            ("pool", [1, 6, 6, 2], [1, 2, 2, 1], [1, 2, 2, 1], [1] * 4, [1] * 4, [[0, 0]] * 4), ("same", [1, 5, 5, 1], [1, 3, 3, 1], [1] * 4, [1] * 4, [1] * 4, [[0, 0], [1, 1], [1, 1], [0, 0]]),
            ("prefix", [9], [9], [1], [1], [1], [[8, 0]]), ("suffix", [9], [9], [1], [1], [1], [[0, 8]]), ("cut", [6, 6], [2, 2], [1, 1], [1, 1], [1, 1], [[-1, 0], [0, -2]]),
            ("too_large", [3], [5], [1], [1], [1], [[0, 0]]), ("dilated", [5], [2], [1], [3], [2], [[1, 2]]), ("of_nothing", [0, 3], [2, 2], [1, 1], [1, 1], [1, 1], [[2, 1], [0, 0]])):
        size = []
        for n, w, s, b, h, (low, high) in zip(shape, window, stride, base, hole, pad):
            reach = (max(n - 1, 0) * b + 1 if n else 0) + low + high - ((w - 1) * h + 1)
            size.append(reach // s + 1 if reach >= 0 else 0)
        words = [", ".join(map(str, row)) for row in (window, stride, base, hole)]
        apply(f"reductions/window_form.{name}", "reduce_window", [values(shape, "f32"), np.float32(0.5)], tensor(size, "f32"),
              f"{{window_dimensions = array<i64: {words[0]}>, window_strides = array<i64: {words[1]}>, base_dilations = array<i64: {words[2]}>, "
              f"window_dilations = array<i64: {words[3]}>, padding = dense<{pad}> : tensor<{len(pad)}x2xi64>}}", tolerance=SUM, region=combiner("add", "f32"))
    for kind in ("f32", "f64", "bf16", "i32"):
        regions = f"({combiner('', kind, 'GE')[1:-1]}, {combiner('add', kind)[1:-1]})"
        apply(f"reductions/select_and_scatter.{kind}", "select_and_scatter", [values([4, 6], kind), values([3, 3], kind), values([], kind, 0, 0)], tensor([4, 6], kind),
              "{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}", tolerance=SUM, region=regions)
        apply(f"reductions/select_and_scatter_overlapping.{kind}", "select_and_scatter", [values([6, 6], kind), values([4, 4], kind), values([], kind, 0, 0)], tensor([6, 6], kind),
              "{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}", tolerance=SUM, region=regions)


def scatters():
    rows = np.array([[1], [7], [1]], np.int32)
    for op in ("add", "multiply", "maximum", "minimum"):
        for name, kinds in {"integers": ["i4", "i8", "i32", "i64", "ui8", "ui32"], "floats": FLOATS + ["f8E5M2"], "complex": COMPLEX}.items():
            if name == "complex" and op[0] == "m" and op != "multiply":
                continue
            columns = [(kind, [values([6, 4], kind, -2, 2), rows, values([3, 4], kind, -2, 2)]) for kind in kinds]
            each(f"reductions/scatter_{op}.{name}", "scatter", columns, lambda kind: tensor([6, 4], kind), NUMBERS, SUM, region=lambda kind: combiner(op, kind))
    second = "({{ ^bb0(%a: {0}, %b: {0}):\n      stablehlo.return %b : {0} }})"
    unique = NUMBERS.replace("unique_indices = false", "unique_indices = true")
    for name, kinds in {"integers": ["i1"] + INTEGERS, "floats": FLOATS + F8 + COMPLEX}.items():
        columns = [(kind, [values([6, 4], kind), np.array([[4], [0], [9]], np.int32), values([3, 4], kind)]) for kind in kinds]
        each(f"reductions/scatter_set.{name}", "scatter", columns, lambda kind: tensor([6, 4], kind), unique, expected=placed, region=lambda kind: second.format(tensor([], kind)))

    def scatter(name, operand, indices, updates, numbers, region=combiner("add", "f32"), flags="indices_are_sorted = false, unique_indices = false"):
        apply(f"reductions/scatter_form.{name}", "scatter", [operand, indices, updates], tensor(operand.shape, "f32"),
              f"{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>, {flags}}}", tolerance=SUM, region=region)

    f32 = lambda *shape: values(list(shape), "f32")
    scatter("points", f32(4, 5), np.array([[0, 0], [3, 4], [9, 9], [-1, 2], [0, 0]], np.int32), f32(5),
            "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1")
    scatter("windows", f32(6, 5), np.array([[0, 1], [5, 0], [2, 2]], np.int64), f32(3, 2, 3), "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1")
    scatter("vector_first", f32(6, 5), np.array([[0, 4, 2], [1, 2, 0]], np.int32), f32(3, 2),
            "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0")
    scatter("no_vector", f32(6, 5), np.array([[5, 0], [1, 3]], np.uint8), f32(2, 2, 5), "update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2")
    scatter("batched", f32(2, 5, 3), np.array([[[0], [4]], [[1], [1]]]), f32(2, 2, 3), "update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], "
            "scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2")
    scatter("sorted", f32(6, 2), np.array([[0], [2], [2], [5]], np.int32), f32(4, 2), "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
            "index_vector_dim = 1", flags="indices_are_sorted = true, unique_indices = false")
    scatter("nothing", f32(3, 2), np.zeros([0, 1], np.int32), f32(0, 2), "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1")
    case("reductions/scatter_form.two_arrays", [f32(5), values([5], "i32"), np.array([[1], [3], [1]], np.int32), f32(3), values([3], "i32")],
         '%r:2 = "stablehlo.scatter"(%0, %1, %2, %3, %4) ({ ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):\n      '
         "%s = stablehlo.add %a, %c : tensor<f32>\n      %t = stablehlo.maximum %b, %d : tensor<i32>\n      stablehlo.return %s, %t : tensor<f32>, tensor<i32> }) "
         "{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : "
         "(tensor<5xf32>, tensor<5xi32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xi32>) -> (tensor<5xf32>, tensor<5xi32>)",
         [("%r#0", "tensor<5xf32>"), ("%r#1", "tensor<5xi32>")], tolerance=SUM)


def placed(x, indices, updates):
    out = x.copy()
    for i, row in zip(indices[:, 0], updates):
        if 0 <= i < len(out):
            out[i] = row
    return out


def sorts():
    for name, kinds in {"integers": ["i1"] + INTEGERS, "floats": FLOATS + F8}.items():
        columns = [(kind, [values([3, 9], kind)]) for kind in kinds]
        for direction in ("LT", "GE"):
            each(f"reductions/sort_{direction}.{name}", "sort", columns, lambda kind: tensor([3, 9], kind), "{dimension = 1 : i64, is_stable = true}",
                 region=lambda kind: combiner("", kind, direction), expected=lambda x: np.sort(x.astype(np.float64), 1)[:, ::1 if direction == "LT" else -1] if x.dtype.itemsize < 8 or
                 x.dtype.kind == "f" else np.sort(x, 1)[:, ::1 if direction == "LT" else -1])
    x = values([5, 4], "i32", -1, 1)
    case("reductions/sort.stable_with_indices", [x, np.arange(20, dtype=np.int32).reshape(5, 4)],
         '%r:2 = "stablehlo.sort"(%0, %1) ({ ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):\n      '
         "%s = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>\n      stablehlo.return %s : tensor<i1> }) {dimension = 0 : i64, is_stable = true} : "
         "(tensor<5x4xi32>, tensor<5x4xi32>) -> (tensor<5x4xi32>, tensor<5x4xi32>)", [("%r#0", "tensor<5x4xi32>"), ("%r#1", "tensor<5x4xi32>")],
         lambda x, y: [np.sort(x, 0, kind="stable"), np.take_along_axis(y, np.argsort(x, 0, kind="stable"), 0)])
    case("reductions/sort.by_two_keys", [values([12], "i4", -1, 1), values([12], "f32"), values([12], "complex<f32>")],
         '%r:3 = "stablehlo.sort"(%0, %1, %2) ({ ^bb0(%a: tensor<i4>, %b: tensor<i4>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<complex<f32>>, %f: tensor<complex<f32>>):\n      '
         "%l = stablehlo.compare LT, %a, %b : (tensor<i4>, tensor<i4>) -> tensor<i1>\n      %s = stablehlo.compare EQ, %a, %b : (tensor<i4>, tensor<i4>) -> tensor<i1>\n      "
         "%i = stablehlo.compare GT, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>\n      %j = stablehlo.and %s, %i : tensor<i1>\n      "
         "%k = stablehlo.or %l, %j : tensor<i1>\n      stablehlo.return %k : tensor<i1> }) {dimension = 0 : i64, is_stable = false} : "
         "(tensor<12xi4>, tensor<12xf32>, tensor<12xcomplex<f32>>) -> (tensor<12xi4>, tensor<12xf32>, tensor<12xcomplex<f32>>)",
         [("%r#0", "tensor<12xi4>"), ("%r#1", "tensor<12xf32>"), ("%r#2", "tensor<12xcomplex<f32>>")])
    special = np.array([np.nan, 1, -np.inf, -0.0, np.inf, 0.0, -1, np.nan], np.float32)
    apply("reductions/sort.total_order", "sort", [special], "tensor<8xf32>", "{dimension = 0 : i64, is_stable = true}",
          region="({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n      %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>\n      "
                 "stablehlo.return %s : tensor<i1> })")
    apply("reductions/sort.one", "sort", [values([3, 1], "f32")], "tensor<3x1xf32>", "{dimension = 1 : i64, is_stable = true}", region=combiner("", "f32", "LT"))
    apply("reductions/sort.empty", "sort", [values([0], "f32")], "tensor<0xf32>", "{dimension = 0 : i64, is_stable = true}", region=combiner("", "f32", "LT"))
    apply("reductions/sort.long", "sort", [values([1000], "f32")], "tensor<1000xf32>", "{dimension = 0 : i64, is_stable = true}", region=combiner("", "f32", "LT"),
          expected=np.sort)


def programs():
    reduce()
    windows()
    scatters()
    sorts()
