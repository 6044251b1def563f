"""corpus_products.py: matrix products, convolutions, transforms, small linear algebra, normalizations and quantized arithmetic."""
import numpy as np

from corpus_program import COMPLEX, EVERY, EXACT, FLOATS, F8, INTEGERS, NUMPY, SUM, apply, case, combiner, each, tensor, type_of, values

DIMS = ("dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], "
        "rhs_contracting_dimensions = [0]>")


def dots():
    for kind in INTEGERS + FLOATS + F8 + COMPLEX:
        x, y = values([2, 3, 5], kind, -1, 1), values([5, 2, 4], kind, -1, 1)
        apply(f"products/dot_general.{kind}", "dot_general", [x, y], tensor([2, 3, 4], kind), f"{{{DIMS}}}", tolerance=SUM, expected=product)
    for a, b, c in (("i8", "i8", "i32"), ("ui8", "ui8", "ui32"), ("i4", "i4", "i32"), ("i16", "i16", "i64"), ("bf16", "bf16", "f32"), ("f16", "f16", "f32"),
                    ("f8E4M3FN", "f8E5M2", "f32"), ("f8E5M2", "f8E5M2", "f16"), ("f32", "f32", "f64"), ("bf16", "f32", "f32"), ("f64", "f64", "f32")):
        x, y = values([2, 3, 5], a, -1, 1), values([5, 2, 4], b, -1, 1)
        want = np.einsum("bmk,kbn->bmn", x.astype(np.float64), y.astype(np.float64)).astype(NUMPY[c])
        case(f"products/dot_general.{a}_{b}_to_{c}", [x, y], f'%r = "stablehlo.dot_general"(%0, %1) {{{DIMS}}} : ({type_of(x)}, {type_of(y)}) -> {tensor([2, 3, 4], c)}',
             [("%r", tensor([2, 3, 4], c))], [want], SUM)
    f32 = lambda *shape: values(list(shape), "f32", -1, 1)
    for name, x, y, words, out, formula in (
            ("matrices", f32(3, 4), f32(4, 5), "contracting_dims = [1] x [0]", [3, 5], "ij,jk->ik"), ("left_transposed", f32(4, 3), f32(4, 5), "contracting_dims = [0] x [0]", [3, 5], "ji,jk->ik"),
            ("right_transposed", f32(3, 4), f32(5, 4), "contracting_dims = [1] x [1]", [3, 5], "ij,kj->ik"), ("vector", f32(3, 4), f32(4), "contracting_dims = [1] x [0]", [3], "ij,j->i"),
            ("inner", f32(7), f32(7), "contracting_dims = [0] x [0]", [], "i,i->"), ("outer", f32(3), f32(4), "contracting_dims = [] x []", [3, 4], "i,j->ij"),
            ("two_contracted", f32(2, 3, 4), f32(4, 5, 3), "contracting_dims = [1, 2] x [2, 0]", [2, 5], "ijk,klj->il"), ("two_batches", f32(2, 3, 4, 5), f32(3, 5, 2, 6),
            "batching_dims = [0, 1] x [2, 0], contracting_dims = [3] x [1]", [2, 3, 4, 6], "abij,bjak->abik"), ("scalars", f32(), f32(), "contracting_dims = [] x []", [], ",->"),
            ("empty_sum", f32(3, 0), f32(0, 2), "contracting_dims = [1] x [0]", [3, 2], "ij,jk->ik"), ("empty_rows", f32(0, 4), f32(4, 2), "contracting_dims = [1] x [0]", [0, 2], "ij,jk->ik"),
            ("large", f32(65, 130), f32(130, 33), "contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]", [65, 33], "ij,jk->ik")):
        case(f"products/dot_form.{name}", [x, y], f"%r = stablehlo.dot_general %0, %1, {words} : ({type_of(x)}, {type_of(y)}) -> {tensor(out, 'f32')}",
             [("%r", tensor(out, "f32"))], [np.asarray(np.einsum(formula, x.astype(np.float64), y.astype(np.float64)).astype(np.float32))], SUM)
    apply("products/dot.matrix_by_vector", "dot", [f32(3, 5), f32(5)], "tensor<3xf32>", tolerance=SUM, expected=lambda x, y: (x.astype(np.float64) @ y).astype(np.float32))
    apply("products/einsum", "einsum", [f32(3, 5), f32(5, 4)], "tensor<3x4xf32>", '{einsum_config = "ij,jk->ik"}', tolerance=SUM, expected=lambda x, y: (x.astype(np.float64) @ y).astype(np.float32))
    apply("products/unary_einsum", "unary_einsum", [f32(3, 5)], "tensor<5x3xf32>", '{einsum_config = "ij->ji"}', expected=lambda x: x.T.copy())
    for name, precision, total, parts, steps, kind in (("f32_f32_f32", "f32", "f32", 1, 1, "f32"), ("f64_f64_f64", "f64", "f64", 1, 1, "f64"), ("f16_f16_f32", "f16", "f32", 1, 1, "f16"),
                                                       ("bf16_bf16_f32", "bf16", "f32", 1, 1, "bf16"), ("bf16_bf16_f32_x9", "bf16", "f32", 1, 9, "f32")):
        x, y = values([2, 3, 5], kind, -1, 1), values([5, 2, 4], kind, -1, 1)
        apply(f"products/algorithm.{name}", "dot_general", [x, y], tensor([2, 3, 4], kind),
              f"{{{DIMS}, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = {precision}, rhs_precision_type = {precision}, accumulation_type = {total}, "
              f"lhs_component_count = {parts}, rhs_component_count = {parts}, num_primitive_operations = {steps}, allow_imprecise_accumulation = false>}}", tolerance=SUM, expected=product)


def product(x, y):
    if x.dtype.kind == "c":
        return np.einsum("bmk,kbn->bmn", x.astype(np.complex128), y.astype(np.complex128)).astype(x.dtype)
    if "int" in x.dtype.name:
        kind = next(kind for kind in INTEGERS if np.dtype(NUMPY[kind]) == x.dtype)
        from corpus_elementwise import wrapped
        return wrapped(np.einsum("bmk,kbn->bmn", x.astype(np.int64), y.astype(np.int64)).astype(object), NUMPY[kind])
    return np.einsum("bmk,kbn->bmn", x.astype(np.float64), y.astype(np.float64)).astype(x.dtype)


NUMBERS = {"nhwc": "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "nchw": "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "odd": "[0, b, f, 1]x[i, 0, o, 1]->[1, f, 0, b]"}


def convolve(name, kind, layout="nhwc", batch=2, channels=4, outputs=6, result=None, groups=1, batch_groups=1, sizes=(6, 7), stride=(1, 1), lhs=(1, 1), rhs=(1, 1),
             reverse=(False, False), pad=((1, 0), (2, 1)), expected=None):
    """A convolution with a kernel of 2 by 3."""
    out = []
    for i, (size, tap) in enumerate(zip(sizes, (2, 3))):
        reach = (size - 1) * lhs[i] + 1 + sum(pad[i])
        out.append((reach - ((tap - 1) * rhs[i] + 1)) // stride[i] + 1)
    parts = dict(b=batch, f=channels), dict(i=channels // groups, o=outputs), dict(b=batch // batch_groups, f=outputs)
    shape = []
    for text, known, spatial in zip(NUMBERS[layout].replace("->", "x").split("x"), parts, (sizes, (2, 3), out)):
        shape.append([known[c] if c in known else spatial[int(c)] for c in text.strip("[]").split(", ")])
    flags = ", ".join(str(flag).lower() for flag in reverse)
    apply(f"products/convolution.{name}", "convolution", [values(shape[0], kind, -1, 1), values(shape[1], kind, -1, 1)], tensor(shape[2], result or kind),
          f"{{dimension_numbers = #stablehlo.conv<{NUMBERS[layout]}>, window_strides = array<i64: {stride[0]}, {stride[1]}>, padding = dense<{[list(p) for p in pad]}> : tensor<2x2xi64>, "
          f"lhs_dilation = array<i64: {lhs[0]}, {lhs[1]}>, rhs_dilation = array<i64: {rhs[0]}, {rhs[1]}>, window_reversal = array<i1: {flags}>, "
          f"feature_group_count = {groups} : i64, batch_group_count = {batch_groups} : i64}}", tolerance=SUM, expected=expected)


def plain_convolution(pad):
    """The formula of a convolution without dilation, in the order nhwc. (JAX's own CPU is wrong where padding is negative.)"""
    def formula(x, kernel):
        for axis, (low, high) in enumerate(pad, 1):
            x = np.take(x, range(max(-low, 0), x.shape[axis] - max(-high, 0)), axis)
        x = np.pad(x, [(0, 0), *((max(low, 0), max(high, 0)) for low, high in pad), (0, 0)]).astype(np.float64)
        rows, columns = x.shape[1] - kernel.shape[0] + 1, x.shape[2] - kernel.shape[1] + 1
        return np.stack([np.stack([np.tensordot(x[:, i:i + kernel.shape[0], j:j + kernel.shape[1]], kernel, ([1, 2, 3], [0, 1, 2])) for j in range(columns)], 1)
                         for i in range(rows)], 1).astype(kernel.dtype)
    return formula


def convolutions():
    for kind in ("i8", "i32", "bf16", "f16", "f32", "f64", "f8E5M2", "complex<f32>"):
        word = kind.strip("<>").replace("<", "_")
        convolve(f"plain.{word}", kind)
        convolve(f"every_form.{word}", kind, "odd", groups=2, lhs=(2, 1), rhs=(1, 2), stride=(1, 2), reverse=(True, True))
    convolve("channels_first", "f32", "nchw")
    convolve("odd_order", "f32", "odd")
    convolve("grouped", "f32", groups=2)
    convolve("depthwise", "f32", "nchw", outputs=8, groups=4)
    convolve("batch_grouped", "f32", batch=4, channels=3, batch_groups=2)
    convolve("strided", "f32", stride=(2, 3))
    convolve("dilated", "f32", lhs=(2, 3), rhs=(2, 1))
    convolve("reversed", "f32", reverse=(True, False), rhs=(1, 2))
    cut = ((-1, 0), (-2, 1))
    convolve("negative_padding", "f32", pad=cut, expected=plain_convolution(cut))
    convolve("no_batch", "f32", batch=0)
    convolve("to_f32", "bf16", result="f32")
    convolve("to_i32", "i8", result="i32")
    x, y = values([2, 9, 3], "f32", -1, 1), values([4, 3, 5], "f32", -1, 1)
    case("products/convolution.one_dimension", [x, y], "%r = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 2]]} "
         "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x3xf32>, tensor<4x3x5xf32>) -> tensor<2x5x5xf32>", [("%r", "tensor<2x5x5xf32>")], tolerance=SUM)
    case("products/convolution.three_dimensions", [values([1, 3, 4, 5, 2], "f32", -1, 1), values([2, 2, 2, 2, 3], "f32", -1, 1)],
         "%r = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {pad = [[0, 0], [1, 0], [0, 1]]} "
         "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x5x2xf32>, tensor<2x2x2x2x3xf32>) -> tensor<1x2x4x5x3xf32>", [("%r", "tensor<1x2x4x5x3xf32>")], tolerance=SUM)
    case("products/convolution.no_dimension", [values([3, 4], "f32", -1, 1), values([4, 5], "f32", -1, 1)],
         "%r = stablehlo.convolution(%0, %1) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
         "(tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>", [("%r", "tensor<3x5xf32>")], lambda x, y: [(x.astype(np.float64) @ y).astype(np.float32)], SUM)
    case("products/dynamic_conv", [values([1, 5, 5, 2], "f32", -1, 1), values([3, 3, 2, 4], "f32", -1, 1)], "%d = stablehlo.constant dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>\n    "
         '%r = "stablehlo.dynamic_conv"(%0, %1, %d) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, '
         "batch_group_count = 1 : i64, window_strides = array<i64: 2, 1>} : (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x3x5x4xf32>",
         [("%r", "tensor<1x3x5x4xf32>")], tolerance=SUM)


def linear():
    for part in ("f32", "f64"):
        pair = f"complex<{part}>"
        for form, source, result, length, shape, out in (
                ("FFT", pair, pair, [6], [2, 6], [2, 6]), ("IFFT", pair, pair, [5], [2, 5], [2, 5]), ("RFFT", part, pair, [8], [3, 8], [3, 5]), ("IRFFT", pair, part, [6], [2, 4], [2, 6]),
                ("FFT", pair, pair, [3, 4, 5], [3, 4, 5], [3, 4, 5]), ("RFFT", part, pair, [4, 6], [4, 6], [4, 4]), ("IRFFT", pair, part, [4, 7], [4, 4], [4, 7]), ("FFT", pair, pair, [1], [3, 1], [3, 1])):
            apply(f"products/fft.{form}_{'x'.join(map(str, length))}.{part}", "fft", [values(shape, source)], tensor(out, result),
                  f"{{fft_type = #stablehlo<fft_type {form}>, fft_length = array<i64: {', '.join(map(str, length))}>}}", tolerance=SUM)
    for kind in ["f32", "f64"] + COMPLEX:
        a = values([2, 4, 4], kind)
        word = kind.strip("<>").replace("<", "_")
        positive = (a @ np.conj(np.swapaxes(a, 1, 2)) + 3 * np.eye(4)).astype(a.dtype)
        solvable = (a + 5 * np.eye(4)).astype(a.dtype)
        for lower in ("true", "false"):
            apply(f"products/cholesky.lower_{lower}.{word}", "cholesky", [positive], tensor([2, 4, 4], kind), f"{{lower = {lower}}}", tolerance=SUM)
            for side, transpose in (("true", "NO_TRANSPOSE"), ("true", "TRANSPOSE"), ("false", "ADJOINT")):
                apply(f"products/triangular_solve.lower_{lower}.left_{side}.{transpose}.{word}", "triangular_solve", [solvable, values([2, 4, 4], kind)], tensor([2, 4, 4], kind),
                      f"{{left_side = {side}, lower = {lower}, unit_diagonal = {lower}, transpose_a = #stablehlo<transpose {transpose}>}}", tolerance=SUM)
    for kind in FLOATS:
        x, vectors = values([2, 3, 4], kind), [values([3], kind, 0.5, 2) for _ in range(4)]
        t, v, words = tensor([2, 3, 4], kind), tensor([3], kind), "{epsilon = 0.001 : f32, feature_index = 1 : i64}"
        apply(f"products/batch_norm_inference.{kind}", "batch_norm_inference", [x] + vectors, t, words, tolerance=SUM)
        if kind in ("f32", "f64"):
            case(f"products/batch_norm_training.{kind}", [x] + vectors[:2], f'%r:3 = "stablehlo.batch_norm_training"(%0, %1, %2) {words} : ({t}, {v}, {v}) -> ({t}, {v}, {v})',
                 [("%r#0", t), ("%r#1", v), ("%r#2", v)], tolerance=SUM)
            case(f"products/batch_norm_grad.{kind}", [x] + vectors[:3] + [values([2, 3, 4], kind)],
                 f'%r:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) {words} : ({t}, {v}, {v}, {v}, {t}) -> ({t}, {v}, {v})', [("%r#0", t), ("%r#1", v), ("%r#2", v)], tolerance=SUM)


def quantized():
    kinds = {"plain": "!quant.uniform<i8:f32, 0.05:3>", "narrow": "!quant.uniform<i8<-100:100>:f32, 0.0625>", "four": "!quant.uniform<i4:f32, 0.5>", "wide": "!quant.uniform<i16:f32, 0.001:5>"}
    for name, kind in kinds.items():
        q, x = tensor([3, 4], kind), "tensor<3x4xf32>"
        quantize = "".join(f"%q{i} = stablehlo.uniform_quantize %{i} : ({x}) -> {q}\n    " for i in range(2))

        def chain(word, body, out=(3, 4), kind=kind, name=name, quantize=quantize):
            case(f"quantized/{word}.{name}", [values([3, 4], "f32"), values([3, 4], "f32")],
                 quantize + f"{body}\n    %r = stablehlo.uniform_dequantize %y : ({tensor(out, kind)}) -> {tensor(out, 'f32')}", [("%r", tensor(out, "f32"))], tolerance=SUM)

        chain("both_ways", f"%y = stablehlo.reshape %q0 : ({q}) -> {q}")
        chain("add", f"%y = stablehlo.add %q0, %q1 : {q}")
        chain("subtract", f"%y = stablehlo.subtract %q0, %q1 : {q}")
        chain("maximum", f"%y = stablehlo.maximum %q0, %q1 : {q}")
        chain("negate", f"%y = stablehlo.negate %q0 : {q}")
        chain("transpose", f"%y = stablehlo.transpose %q0, dims = [1, 0] : ({q}) -> {tensor((4, 3), kind)}", (4, 3))
        chain("slice", f"%y = stablehlo.slice %q0 [0:2, 1:4:2] : ({q}) -> {tensor((2, 2), kind)}", (2, 2))
    left, right, result = "!quant.uniform<i8:f32, 0.05:3>", "!quant.uniform<i8:f32, 0.05>", "!quant.uniform<i32:f32, 0.0025>"
    case("quantized/dot", [values([2, 4], "f32"), values([4, 3], "f32")], f"%a = stablehlo.uniform_quantize %0 : (tensor<2x4xf32>) -> {tensor((2, 4), left)}\n    "
         f"%b = stablehlo.uniform_quantize %1 : (tensor<4x3xf32>) -> {tensor((4, 3), right)}\n    %y = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "
         f"({tensor((2, 4), left)}, {tensor((4, 3), right)}) -> {tensor((2, 3), result)}\n    %r = stablehlo.uniform_dequantize %y : ({tensor((2, 3), result)}) -> tensor<2x3xf32>",
         [("%r", "tensor<2x3xf32>")], tolerance=SUM)


def programs():
    dots()
    convolutions()
    linear()
    quantized()
