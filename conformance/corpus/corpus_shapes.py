"""corpus_shapes.py: operations that move elements: every type once, every form of their attributes, sizes of zero, rank zero, indices outside."""
import numpy as np

from corpus_program import COMPLEX, EVERY, FLOATS, F8, INTEGERS, NUMPY, RARE, apply, case, each, tensor, type_of, values

KINDS = {"integers": ["i1"] + INTEGERS, "floats": FLOATS + F8 + RARE + COMPLEX}


def columns_of(kinds, *shapes):
    return [(kind, [values(shape, kind) for shape in shapes]) for kind in kinds]


def every_type():
    for name, kinds in KINDS.items():
        def moved(op, shapes, result, attributes="", extra=(), expected=None):
            columns = [(kind, [values(shape, kind) for shape in shapes] + list(extra)) for kind in kinds]
            each(f"shapes/{op}.{name}", op, columns, lambda kind: tensor(result, kind), attributes, expected=expected)

        moved("broadcast_in_dim", [[3, 1]], [2, 4, 3], "{broadcast_dimensions = array<i64: 2, 0>}",
              expected=lambda x: np.broadcast_to(x.T.reshape(1, 1, 3), (2, 4, 3)))
        moved("transpose", [[2, 3, 4]], [4, 2, 3], "{permutation = array<i64: 2, 0, 1>}", expected=lambda x: x.transpose(2, 0, 1))
        moved("reshape", [[2, 6]], [3, 4], expected=lambda x: x.reshape(3, 4))
        moved("reverse", [[2, 5]], [2, 5], "{dimensions = array<i64: 0, 1>}", expected=lambda x: x[::-1, ::-1])
        moved("slice", [[5, 6]], [2, 3], "{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 5, 6>, strides = array<i64: 3, 2>}",
              expected=lambda x: x[1:5:3, 0:6:2])
        moved("concatenate", [[2, 3], [2, 1], [2, 0]], [2, 4], "{dimension = 1 : i64}", expected=lambda *parts: np.concatenate(parts, 1))
        moved("pad", [[3, 4], []], [8, 3], "{edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 1, 0>}",
              expected=lambda x, y: np.array([x[(i - 1) // 2, 1:] if i % 2 and i < 6 else np.full(3, y) for i in range(8)]))
        moved("dynamic_slice", [[5, 6]], [2, 3], "{slice_sizes = array<i64: 2, 3>}", [np.int32(4), np.int32(-1)], lambda x, i, j: x[3:5, 0:3])
        moved("dynamic_update_slice", [[5, 6], [2, 2]], [5, 6], "", [np.uint8(9), np.uint8(1)], updated)
        moved("gather", [[5, 6]], [3, 6], "{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], "
              "index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>, indices_are_sorted = false}", [np.array([[0], [9], [-2]])],
              lambda x, i: x[[0, 4, 0]])
    for kind in EVERY:
        if kind not in ("i1", "f8E8M0FNU"):
            size = 2 if kind in ("i2", "ui2", "f4E2M1FN") else 4
            case(f"shapes/iota.{kind}", [], f"%r = stablehlo.iota dim = 1 : {tensor([2, size], kind)}", [("%r", tensor([2, size], kind))],
                 [np.tile(np.arange(size).astype(np.float64 if kind not in INTEGERS else np.int64).astype(NUMPY[kind]), (2, 1))])
    literals = {"i1": "[true, false, true]", **{kind: "[(1.0, 1.0), (0.0, -1.0), (0.5, 0.5)]" for kind in COMPLEX},
                **{kind: "[1.0, -0.5, 1.5]" for kind in FLOATS + F8 + ["f4E2M1FN"]}, "f8E8M0FNU": "[1.0, 0.5, 2.0]"}
    numbers = {"i1": [True, False, True], **{kind: [1 + 1j, -1j, 0.5 + 0.5j] for kind in COMPLEX}, **{kind: [1.0, -0.5, 1.5] for kind in FLOATS + F8 + ["f4E2M1FN"]},
               "f8E8M0FNU": [1.0, 0.5, 2.0]}
    body = [f"%r{i} = stablehlo.constant dense<{literals.get(kind, '[1, 0, 1]')}> : {tensor([3], kind)}" for i, kind in enumerate(EVERY)]
    case("shapes/constant.lists", [], "\n    ".join(body), [(f"%r{i}", tensor([3], kind)) for i, kind in enumerate(EVERY)],
         [np.array(numbers.get(kind, [1, 0, 1])).astype(NUMPY[kind]) for kind in EVERY])
    body = [f"%r{i} = stablehlo.constant dense<{literals.get(kind, '[1, 0, 1]').strip('[]').split(', ')[0] if kind not in COMPLEX else '(1.0, 1.0)'}> : "
            f"{tensor([2, 3], kind)}" for i, kind in enumerate(EVERY)]
    case("shapes/constant.splats", [], "\n    ".join(body), [(f"%r{i}", tensor([2, 3], kind)) for i, kind in enumerate(EVERY)],
         [np.full((2, 3), numbers.get(kind, [1])[0]).astype(NUMPY[kind]) for kind in EVERY])
    case("shapes/constant.special", [], "%r = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, -0.0]> : tensor<4xf32>\n    "
         "%s = stablehlo.constant dense<\"0x00FF7F80\"> : tensor<4xi8>\n    %t = stablehlo.constant dense<> : tensor<0x3xf64>",
         [("%r", "tensor<4xf32>"), ("%s", "tensor<4xi8>"), ("%t", "tensor<0x3xf64>")],
         [np.array([np.inf, -np.inf, np.nan, -0.0], np.float32), np.array([0, -1, 127, -128], np.int8), np.zeros((0, 3))])


def updated(x, update, i, j):
    out = x.copy()
    out[3:5, 1:3] = update
    return out


def f32(*shape):
    return values(list(shape), "f32")


def forms():
    one = f32(3)
    case("shapes/broadcast", [one], '%r = "stablehlo.broadcast"(%0) {broadcast_sizes = array<i64: 2, 4>} : (tensor<3xf32>) -> tensor<2x4x3xf32>',
         [("%r", "tensor<2x4x3xf32>")], [np.broadcast_to(one, (2, 4, 3)).copy()])
    for name, shape, result, dims in (("scalar", [], [2, 3], []), ("row", [3], [2, 3], [1]), ("column", [2], [2, 3], [0]), ("turned", [3, 2], [2, 4, 3], [2, 0]),
                                      ("stretched", [1, 3], [2, 3], [0, 1]), ("empty", [0, 1], [0, 5], [0, 1]), ("rank_6", [2, 1, 2], [1, 2, 3, 1, 2, 2], [1, 2, 5])):
        apply(f"shapes/broadcast_in_dim.{name}", "broadcast_in_dim", [f32(*shape)], tensor(result, "f32"),
              f"{{broadcast_dimensions = array<i64{': ' if dims else ''}{', '.join(map(str, dims))}>}}")
    for name, shape, order in (("matrix", [3, 5], [1, 0]), ("identity", [2, 3], [0, 1]), ("rank_5", [2, 3, 2, 1, 4], [4, 2, 0, 3, 1]), ("empty", [0, 3], [1, 0]),
                               ("scalar", [], []), ("large", [33, 65], [1, 0])):
        apply(f"shapes/transpose.{name}", "transpose", [f32(*shape)], tensor([shape[i] for i in order], "f32"),
              f"{{permutation = array<i64{': ' if order else ''}{', '.join(map(str, order))}>}}", expected=lambda x, order=order: x.transpose(order).copy())
    for name, shape, result in (("to_scalar", [1, 1], []), ("from_scalar", [], [1, 1, 1]), ("empty", [0, 4], [2, 0, 7]), ("flat", [2, 3, 4], [24])):
        apply(f"shapes/reshape.{name}", "reshape", [f32(*shape)], tensor(result, "f32"), expected=lambda x, result=result: x.reshape(result))
    for name, shape, start, limit, step in (("strided", [9, 7], [1, 0], [9, 7], [3, 2]), ("empty", [4, 4], [2, 1], [2, 3], [1, 1]), ("whole", [2, 3], [0, 0], [2, 3], [1, 1]),
                                            ("one", [5], [4], [5], [9])):
        size = [-(-(b - a) // c) for a, b, c in zip(start, limit, step)]
        words = [", ".join(map(str, row)) for row in (start, limit, step)]
        apply(f"shapes/slice.{name}", "slice", [f32(*shape)], tensor(size, "f32"),
              f"{{start_indices = array<i64: {words[0]}>, limit_indices = array<i64: {words[1]}>, strides = array<i64: {words[2]}>}}")
    for name, shape, low, high, inner in (("edges", [2, 3], [1, 0], [0, 2], [0, 0]), ("interior", [3, 2], [0, 0], [0, 0], [2, 1]), ("cut", [5, 4], [-1, -2], [-1, 0], [0, 0]),
                                          ("cut_interior", [3, 3], [-2, 1], [-1, -3], [1, 2]), ("of_nothing", [0, 2], [2, 0], [1, 0], [3, 0]), ("scalar", [], [], [], [])):
        size = [a + b + n + max(n - 1, 0) * i for n, a, b, i in zip(shape, low, high, inner)]
        words = [": " + ", ".join(map(str, row)) if row else "" for row in (low, high, inner)]
        apply(f"shapes/pad.{name}", "pad", [f32(*shape), f32()], tensor(size, "f32"),
              f"{{edge_padding_low = array<i64{words[0]}>, edge_padding_high = array<i64{words[1]}>, interior_padding = array<i64{words[2]}>}}")
    for name, shapes, dim in (("rows", [[2, 3], [1, 3], [4, 3]], 0), ("single", [[2, 2]], 1), ("many", [[1, 2]] * 9, 0), ("inner", [[2, 1, 3], [2, 4, 3]], 1)):
        size = list(shapes[0])
        size[dim] = sum(shape[dim] for shape in shapes)
        apply(f"shapes/concatenate.{name}", "concatenate", [f32(*shape) for shape in shapes], tensor(size, "f32"), f"{{dimension = {dim} : i64}}")
    for name, kind, starts in (("beyond", "i32", [100, -100]), ("unsigned", "ui8", [200, 3]), ("long", "i64", [2 ** 40, 1]), ("inside", "i16", [1, 2])):
        indices = [np.asarray(n).astype(NUMPY[kind]) for n in starts]
        apply(f"shapes/dynamic_slice.{name}", "dynamic_slice", [f32(4, 5), *indices], "tensor<2x3xf32>", "{slice_sizes = array<i64: 2, 3>}")
        apply(f"shapes/dynamic_update_slice.{name}", "dynamic_update_slice", [f32(4, 5), f32(2, 3), *indices], "tensor<4x5xf32>")
    apply("shapes/dynamic_update_slice.all", "dynamic_update_slice", [f32(2, 2), f32(2, 2), np.int32(1), np.int32(1)], "tensor<2x2xf32>")
    apply("shapes/dynamic_update_slice.nothing", "dynamic_update_slice", [f32(2, 2), f32(0, 2), np.int32(1), np.int32(1)], "tensor<2x2xf32>")
    case("shapes/get_dimension_size", [f32(2, 3)], "%r = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>", [("%r", "tensor<i32>")], [np.int32(3)])
    case("shapes/torch_index_select", [f32(4, 5), np.array([3, 0, 1], np.int32)], '%r = "stablehlo.torch_index_select"(%0, %1) {dim = 0 : i64, batch_dims = 0 : i64} : '
         "(tensor<4x5xf32>, tensor<3xi32>) -> tensor<3x5xf32>", [("%r", "tensor<3x5xf32>")], lambda x, i: [x[i]])
    case("shapes/torch_index_select.batched", [f32(2, 4, 3), np.array([[3, 0], [1, 1]], np.int32)], '%r = "stablehlo.torch_index_select"(%0, %1) '
         "{dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x4x3xf32>, tensor<2x2xi32>) -> tensor<2x2x3xf32>", [("%r", "tensor<2x2x3xf32>")],
         lambda x, i: [np.stack([x[b][i[b]] for b in range(2)])])


def gathers():
    def gather(name, operand, indices, sizes, result, numbers, kind="f32", flag="false"):
        apply(f"shapes/gather.{name}", "gather", [operand, indices], tensor(result, kind),
              f"{{dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = array<i64: {', '.join(map(str, sizes))}>, indices_are_sorted = {flag}}}")

    gather("points", f32(4, 5), np.array([[0, 0], [3, 4], [9, 9], [-1, 2]], np.int32), [1, 1], [4],
           "collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1")
    gather("swapped_map", f32(4, 5), np.array([[4, 0], [1, 3]], np.int32), [1, 1], [2], "collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1")
    gather("windows", f32(6, 5), np.array([[0, 1], [4, 9]], np.int64), [2, 3], [2, 2, 3], "offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1")
    gather("vector_first", f32(6, 5), np.array([[0, 4, 2], [1, 2, 0]], np.int32), [1, 2], [3, 2],
           "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 0")
    gather("no_vector", f32(6, 5), np.array([[5, 0], [1, 3]], np.uint8), [1, 5], [2, 2, 5], "offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2")
    gather("offset_first", f32(6, 5), np.array([1, 3, 5], np.int32), [1, 5], [5, 3], "offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", flag="true")
    gather("batched", f32(2, 5, 6), np.array([[[0], [4], [2]], [[1], [1], [3]]]), [1, 1, 6], [2, 3, 6],
           "offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2")
    gather("batched_last", f32(4, 3, 2), np.array([[1, 0], [3, 9], [2, 2]], np.int32)[..., None], [1, 1, 1], [3, 2],
           "collapsed_slice_dims = [0], operand_batching_dims = [1, 2], start_indices_batching_dims = [0, 1], start_index_map = [0], index_vector_dim = 2")
    gather("of_one", f32(3), np.array([2], np.int32), [1], [], "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0")
    gather("nothing", f32(3, 2), np.zeros([0, 1], np.int32), [1, 2], [0, 2], "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1")


def dynamic():
    def shape(name, *sizes, kind="i64"):
        return f"%{name} = stablehlo.constant dense<{list(sizes)}> : tensor<{len(sizes)}x{kind}>\n    "

    for kind in ("i1", "i8", "f32", "f8E4M3FN", "complex<f64>", "ui4"):
        def both(shape, kind=kind):
            return tensor(shape, kind)

        x = values([2, 1], kind)
        case(f"dynamic/broadcast_in_dim.{kind}", [x], shape("s", 4, 2, 3) + '%r = "stablehlo.dynamic_broadcast_in_dim"(%0, %s) {broadcast_dimensions = array<i64: 1, 2>} : '
             f"({type_of(x)}, tensor<3xi64>) -> {both([4, 2, 3])}", [("%r", both([4, 2, 3]))], [np.broadcast_to(x, (4, 2, 3)).copy()])
        x = values([2, 3], kind)
        case(f"dynamic/reshape.{kind}", [x], shape("s", 3, 2, kind="i32") + f"%r = stablehlo.dynamic_reshape %0, %s : ({type_of(x)}, tensor<2xi32>) -> {both([3, 2])}",
             [("%r", both([3, 2]))], [x.reshape(3, 2)])
        case(f"dynamic/pad.{kind}", [x, values([], kind)], shape("l", 1, 0) + shape("h", 0, 2) + shape("i", 1, 0) +
             f"%r = stablehlo.dynamic_pad %0, %1, %l, %h, %i : ({type_of(x)}, {both([])}, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> {both([4, 5])}",
             [("%r", both([4, 5]))], lambda x, y: [np.stack([np.concatenate([row, np.full(2, y)]) for row in (np.full(3, y), x[0], np.full(3, y), x[1])]).astype(x.dtype)])
        x = values([5, 6], kind)
        case(f"dynamic/slice.{kind}", [x], shape("l", 1, 0) + shape("h", 5, 6) + shape("i", 2, 3) +
             f"%r = stablehlo.real_dynamic_slice %0, %l, %h, %i : ({type_of(x)}, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> {both([2, 2])}",
             [("%r", both([2, 2]))], [x[1:5:2, 0:6:3].copy()])
        case(f"dynamic/gather.{kind}", [x, np.array([[0], [9], [2]])], shape("s", 1, 6) + '%r = "stablehlo.dynamic_gather"(%0, %1, %s) {dimension_numbers = '
             "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false} : "
             f"({type_of(x)}, tensor<3x1xi64>, tensor<2xi64>) -> {both([3, 6])}", [("%r", both([3, 6]))], [x[[0, 4, 2]]])
        if kind != "i1":
            case(f"dynamic/iota.{kind}", [], shape("s", 2, 3) + f"%r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> {both([2, 3])}", [("%r", both([2, 3]))],
                 [np.repeat(np.arange(2), 3).reshape(2, 3).astype(NUMPY[kind])])
    x = f32(2, 3)
    case("dynamic/set_dimension_size", [x], "%s = stablehlo.constant dense<3> : tensor<i32>\n    %r = stablehlo.set_dimension_size %0, %s, dim = 1 : "
         "(tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>", [("%r", "tensor<2x3xf32>")], [x])


def programs():
    every_type()
    forms()
    gathers()
    dynamic()
