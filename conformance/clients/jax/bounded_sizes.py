#!/usr/bin/env python3
"""bounded_sizes.py GANTRY PLUGIN [--filter REGEX]: StableHLO programs with sizes that are known only at run time, up to a bound:
set_dimension_size, then an operation or several on the array. Each is run by the command with several sizes, and compared with
NumPy on arrays of the real size. The padding has values that no result may contain. Then an array with such a size goes from one
device to another by JAX, and is summed there."""
import argparse
import os
import re
import subprocess
import tempfile

import numpy as np

BAD = 1e30  # in the padding


def tensor(shape, kind="f32"):
    return f"tensor<{''.join(f'{d}x' for d in shape)}{kind}>"


def bounded(shape, dims, kind="f32"):
    sizes = "".join("?x" if d in dims else f"{n}x" for d, n in enumerate(shape))
    bounds = ", ".join(str(n) if d in dims else "?" for d, n in enumerate(shape))
    return f"tensor<{sizes}{kind}, #stablehlo.bounds<{bounds}>>" if dims else tensor(shape, kind)


def reduce_of(value, kind, initial, operation, dims, result):
    return (f"  %i = stablehlo.constant dense<{initial}> : tensor<f32>\n"
            f"  %r = stablehlo.reduce({value} init: %i) applies stablehlo.{operation} across dimensions = [{', '.join(map(str, dims))}] : "
            f"({kind}, tensor<f32>) -> {result}\n")


def cases_at_indices(v, vx):
    """Starts are limited by the sizes, not by their bounds."""
    yield "slice at an index", v, [0], ("  %k = stablehlo.constant dense<7> : tensor<i32>\n"
                                        "  %r = stablehlo.dynamic_slice %x, %k, sizes = [2] : (X, tensor<i32>) -> tensor<2xf32>\n"), tensor([2]), \
        lambda x: x[-2:] if len(x) >= 2 else None
    yield "update of it", v, [0], ("  %k = stablehlo.constant dense<255> : tensor<ui8>\n  %u = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
                                   "  %r = stablehlo.dynamic_update_slice %x, %u, %k : (X, tensor<2xf32>, tensor<ui8>) -> X\n"), vx, \
        lambda x: np.concatenate([x[:-2], [1, 2]]) if len(x) >= 2 else None
    yield "update with it", v, [0], ("  %k = stablehlo.constant dense<9> : tensor<i64>\n  %o = stablehlo.constant dense<5.0> : tensor<10xf32>\n"
                                     "  %r = stablehlo.dynamic_update_slice %o, %x, %k : (tensor<10xf32>, X, tensor<i64>) -> tensor<10xf32>\n"), tensor([10]), \
        lambda x: np.concatenate([np.full(10 - len(x), 5), x])[:10] if len(x) else np.full(10, 5)
    yield "gather at indices", v, [0], ("  %k = stablehlo.constant dense<[0, 7, 1]> : tensor<3xui8>\n"
                                        "  %r = \"stablehlo.gather\"(%x, %k) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], "
                                        "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (X, tensor<3xui8>) -> tensor<3xf32>\n"), \
        tensor([3]), lambda x: x[[0, -1, 1]] if len(x) >= 2 else None
    yield "gather at pairs", (6, 4), [0, 1], ("  %k = stablehlo.constant dense<[[0, 3], [5, 1], [1, 0]]> : tensor<3x2xi64>\n"
                                              "  %r = \"stablehlo.gather\"(%x, %k) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], "
                                              "start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (X, tensor<3x2xi64>) -> tensor<3xf32>\n"), \
        tensor([3]), lambda x: x[[0, -1, 1], [-1, 1, 0]] if x.size >= 4 else None
    yield "scatter", v, [0], ("  %o = stablehlo.constant dense<0.0> : tensor<300xf32>\n"
                              "  %k = stablehlo.iota dim = 0 : tensor<8x1xui8>\n"
                              "  %r = \"stablehlo.scatter\"(%o, %k, %x) ({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
                              "    %t = stablehlo.add %p, %q : tensor<f32>\n    stablehlo.return %t : tensor<f32>\n"
                              "  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
                              "index_vector_dim = 1>} : (tensor<300xf32>, tensor<8x1xui8>, X) -> tensor<300xf32>\n"), tensor([300]), \
        lambda x: np.concatenate([x, np.zeros(300 - len(x))])


def cases_of_reductions(v, vx):
    two = "tensor<f32>, tensor<f32>"
    yield "sum and count", v, [0], ("  %o = stablehlo.constant dense<1.0> : tensor<8xf32>\n  %i = stablehlo.constant dense<0.0> : tensor<f32>\n"
                                    "  %s:2 = \"stablehlo.reduce\"(%x, %o, %i, %i) ({\n  ^bb0(%a1: tensor<f32>, %b1: tensor<f32>, %a2: tensor<f32>, %b2: tensor<f32>):\n"
                                    f"    %t = stablehlo.add %a1, %a2 : tensor<f32>\n    %u = stablehlo.add %b1, %b2 : tensor<f32>\n    stablehlo.return %t, %u : {two}\n"
                                    f"  }}) {{dimensions = array<i64: 0>}} : (X, tensor<8xf32>, {two}) -> ({two})\n"
                                    "  %h = stablehlo.constant dense<100.0> : tensor<f32>\n  %m = stablehlo.multiply %s#1, %h : tensor<f32>\n"
                                    "  %r = stablehlo.add %m, %s#0 : tensor<f32>\n"), "tensor<f32>", lambda x: x.sum() + 100 * len(x)
    f8 = bounded(v, [0], "f8E4M3FN")
    for name, least, f in (("maximum", -448, np.max), ("minimum", 448, np.min)):
        yield f"{name} of a type without infinity", v, [0], (
            f"  %n = stablehlo.round_nearest_even %x : X\n  %s = stablehlo.convert %n : (X) -> {f8}\n  %i = stablehlo.constant dense<{least}.0> : tensor<f8E4M3FN>\n"
            f"  %t = stablehlo.reduce(%s init: %i) applies stablehlo.{name} across dimensions = [0] : ({f8}, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>\n"
            "  %r = stablehlo.convert %t : (tensor<f8E4M3FN>) -> tensor<f32>\n"), "tensor<f32>", lambda x, f=f, i=least: f(np.rint(x), initial=i)
    window = ("  %i = stablehlo.constant dense<{}> : tensor<f32>\n"
              "  %r = \"stablehlo.reduce_window\"(%x, %i) ({{\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
              "    %t = stablehlo.{} %p, %q : tensor<f32>\n    stablehlo.return %t : tensor<f32>\n  }}) {{{}}} : (X, tensor<f32>) -> {}\n")
    yield "running sum from the end", v, [0], window.format("0.0", "add", "window_dimensions = array<i64: 8>, padding = dense<[[0, 7]]> : tensor<1x2xi64>", "X"), vx, \
        lambda x: np.cumsum(x[::-1])[::-1]
    half = bounded((4,), [0])
    yield "pairs", v, [0], window.format("0xFF800000", "maximum", "window_dimensions = array<i64: 2>, window_strides = array<i64: 2>", half), half, \
        lambda x: x.reshape(-1, 2).max(1)


def drop_last(value, name):
    """`name`: the array `value` of type X without its last element."""
    return (f"    %n_{name} = stablehlo.get_dimension_size {value}, dim = 0 : (X) -> tensor<i32>\n    %o_{name} = stablehlo.constant dense<1> : tensor<i32>\n"
            f"    %m_{name} = stablehlo.subtract %n_{name}, %o_{name} : tensor<i32>\n"
            f"    %{name} = \"stablehlo.set_dimension_size\"({value}, %m_{name}) {{dimension = 0 : i64}} : (X, tensor<i32>) -> X\n")


def cases_of_control(v, vx):
    """Branches and loops whose values have sizes."""
    size = "  %s = stablehlo.get_dimension_size %x, dim = 0 : (X) -> tensor<i32>\n  %c = stablehlo.constant dense<4> : tensor<i32>\n"
    large = size + "  %p = stablehlo.compare GT, %s, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    yield "branches", v, [0], (large + "  %r = \"stablehlo.if\"(%p) ({\n" + drop_last("%x", "y") + "    stablehlo.return %y : X\n  }, {\n"
                               "    %z = stablehlo.negate %x : X\n    stablehlo.return %z : X\n  }) : (tensor<i1>) -> X\n"), vx, \
        lambda x: x[:-1] if len(x) > 4 else -x
    yield "branches of all elements", v, [0], (size + "  %r = \"stablehlo.case\"(%s) ({\n    %z = stablehlo.constant dense<2.0> : tensor<8xf32>\n"
                                               "    %y = stablehlo.convert %z : (tensor<8xf32>) -> X\n    stablehlo.return %y : X\n  }, {\n"
                                               "    stablehlo.return %x : X\n  }) : (tensor<i32>) -> X\n"), vx, lambda x: x if len(x) else np.full(8, 2.0)

    def loop(start, condition, body):
        return (f"  %i = stablehlo.constant dense<0> : tensor<i32>\n  %o = stablehlo.constant dense<1> : tensor<i32>\n{size}"
                f"  %l:2 = stablehlo.while(%k = %i, %w = {start}) : tensor<i32>, X\n  cond {{\n{condition}    stablehlo.return %p : tensor<i1>\n"
                f"  }} do {{\n{body}    %k2 = stablehlo.add %k, %o : tensor<i32>\n    stablehlo.return %k2, %b : tensor<i32>, X\n  }}\n"
                "  %r = stablehlo.negate %l#1 : X\n")
    counted = "    %p = stablehlo.compare LT, %k, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    filled = ("    %t = stablehlo.get_dimension_size %w, dim = 0 : (X) -> tensor<i32>\n"
              "    %p = stablehlo.compare GT, %t, %o : (tensor<i32>, tensor<i32>) -> tensor<i1>\n")
    yield "loop", v, [0], loop("%x", counted, "    %b = stablehlo.add %w, %w : X\n"), vx, lambda x: -16 * x
    yield "loop that drops elements", v, [0], loop("%x", counted, drop_last("%w", "b")), vx, lambda x: -x[:max(0, len(x) - 4)]
    yield "loop until one is left", v, [0], loop("%x", filled, drop_last("%w", "b")), vx, lambda x: -x[:1]
    inner = ("    %q = stablehlo.compare LT, %k, %o : (tensor<i32>, tensor<i32>) -> tensor<i1>\n    %b = \"stablehlo.if\"(%q) ({\n" +
             drop_last("%w", "d") + "      stablehlo.return %d : X\n    }, {\n      stablehlo.return %w : X\n    }) : (tensor<i1>) -> X\n")
    yield "branch in a loop", v, [0], loop("%x", counted, inner), vx, lambda x: -x[:max(0, len(x) - 1)]
    start = "  %g = stablehlo.constant dense<3.0> : tensor<8xf32>\n  %f = stablehlo.convert %g : (tensor<8xf32>) -> X\n"
    yield "loop from all elements", v, [0], start + loop("%f", counted, drop_last("%w", "b")), vx, lambda x: np.full(4, -3.0)


def cases():
    """name, shape of the array, its dynamic dimensions, the program's lines (%x: the array, its type X), result type, reference"""
    v, m = (8,), (6, 4)
    vx = bounded(v, [0])
    yield "identity", v, [0], "  %r = stablehlo.negate %x : X\n", vx, lambda x: -x
    yield "with itself", v, [0], "  %r = stablehlo.multiply %x, %x : X\n", vx, lambda x: x * x
    for name, initial, operation, f in (("sum", "0.0", "add", np.sum), ("maximum", "0xFF800000", "maximum", lambda x, **k: np.max(x, initial=-np.inf, **k)),
                                        ("minimum", "0x7F800000", "minimum", lambda x, **k: np.min(x, initial=np.inf, **k)),
                                        ("product", "1.0", "multiply", np.prod)):
        yield name, v, [0], reduce_of("%x", "X", initial, operation, [0], "tensor<f32>"), "tensor<f32>", f
    yield "sum from 5", v, [0], reduce_of("%x", "X", "5.0", "add", [0], "tensor<f32>"), "tensor<f32>", lambda x: 5 + x.sum()
    yield "sum of rows", m, [0], reduce_of("%x", "X", "0.0", "add", [0], tensor([4])), tensor([4]), lambda x: x.sum(0)
    yield "sum of columns", m, [0], reduce_of("%x", "X", "0.0", "add", [1], bounded([6], [0])), bounded([6], [0]), lambda x: x.sum(1)
    yield "both", m, [0, 1], reduce_of("%x", "X", "0.0", "add", [0, 1], "tensor<f32>"), "tensor<f32>", np.sum
    yield "inner", m, [1], "  %r = stablehlo.negate %x : X\n", bounded(m, [1]), lambda x: -x
    yield "two sizes", m, [0, 1], "  %r = stablehlo.negate %x : X\n", bounded(m, [0, 1]), lambda x: -x
    t = bounded((4, 6), [1])
    yield "transpose", m, [0], f"  %r = stablehlo.transpose %x, dims = [1, 0] : (X) -> {t}\n", t, lambda x: x.T
    yield "reverse", m, [0], "  %r = stablehlo.reverse %x, dims = [0, 1] : X\n", bounded(m, [0]), lambda x: x[::-1, ::-1]
    s = bounded((3, 4), [0])
    yield "slice", m, [0], f"  %r = stablehlo.slice %x [1:6:2, 0:4] : (X) -> {s}\n", s, lambda x: x[1:6:2]
    s = bounded((3, 4), [0])
    yield "head", m, [0], f"  %r = stablehlo.slice %x [0:3, 0:4] : (X) -> {s}\n", s, lambda x: x[:3]
    c = bounded((14, 4), [0])
    yield "concatenate", m, [0], ("  %y = stablehlo.constant dense<7.0> : tensor<2x4xf32>\n"
                                  f"  %r = stablehlo.concatenate %x, %y, %x, dim = 0 : (X, tensor<2x4xf32>, X) -> {c}\n"), c, \
        lambda x: np.concatenate([x, np.full((2, 4), 7, "f4"), x])
    c = bounded((6, 8), [0])
    yield "side by side", m, [0], f"  %r = stablehlo.concatenate %x, %x, dim = 1 : (X, X) -> {c}\n", c, lambda x: np.concatenate([x, x], 1)
    p = bounded((19,), [0])
    yield "pad", v, [0], ("  %c = stablehlo.constant dense<3.0> : tensor<f32>\n"
                          f"  %r = stablehlo.pad %x, %c, low = [1], high = [3], interior = [1] : (X, tensor<f32>) -> {p}\n"), p, \
        lambda x: np.pad(np.insert(x, np.arange(1, len(x)), 3) if len(x) else x, (1, 3), constant_values=3)
    b = bounded((3, 8), [1])
    yield "broadcast", v, [0], f"  %r = stablehlo.broadcast_in_dim %x, dims = [1] : (X) -> {b}\n", b, lambda x: np.tile(x, (3, 1))
    d = tensor([4, 4])
    yield "contracted", m, [0], f"  %r = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (X, X) -> {d}\n", d, lambda x: x.T @ x
    yield "contracted with all", m, [0], ("  %o = stablehlo.constant dense<1.0> : tensor<6x4xf32>\n"
                                          f"  %r = stablehlo.dot_general %x, %o, contracting_dims = [0] x [0] : (X, tensor<6x4xf32>) -> {d}\n"), d, \
        lambda x: np.repeat(x.sum(0)[:, None], 4, 1)
    d = bounded([6, 6], [0, 1])
    yield "free", m, [0], f"  %r = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (X, X) -> {d}\n", d, lambda x: x @ x.T
    f = bounded((24,), [0])
    yield "flatten", m, [0], f"  %r = stablehlo.reshape %x : (X) -> {f}\n", f, lambda x: x.reshape(-1)
    yield "flatten inner", m, [1], f"  %r = stablehlo.reshape %x : (X) -> {f}\n", f, lambda x: x.reshape(-1)
    yield "flatten both", m, [0, 1], f"  %r = stablehlo.reshape %x : (X) -> {f}\n", f, lambda x: x.reshape(-1)
    f = bounded((1, 6, 2, 2), [1])
    yield "split", m, [0], f"  %r = stablehlo.reshape %x : (X) -> {f}\n", f, lambda x: x.reshape(1, -1, 2, 2)
    f = bounded((2, 4), [1])
    yield "split inner", v, [0], f"  %r = stablehlo.reshape %x : (X) -> {f}\n", f, lambda x: x.reshape(2, -1) if len(x) % 2 == 0 else None
    yield "sort", v, [0], ("  %r = \"stablehlo.sort\"(%x) ({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
                           "    %t = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %t : tensor<i1>\n"
                           "  }) {dimension = 0 : i64, is_stable = true} : (X) -> X\n"), vx, np.sort
    yield "sort down", m, [0], ("  %r = \"stablehlo.sort\"(%x) ({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
                                "    %t = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %t : tensor<i1>\n"
                                "  }) {dimension = 0 : i64, is_stable = true} : (X) -> X\n"), bounded(m, [0]), lambda x: -np.sort(-x, 0)
    yield "running sum", v, [0], ("  %i = stablehlo.constant dense<0.0> : tensor<f32>\n"
                                  "  %r = \"stablehlo.reduce_window\"(%x, %i) ({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
                                  "    %t = stablehlo.add %p, %q : tensor<f32>\n    stablehlo.return %t : tensor<f32>\n"
                                  "  }) {window_dimensions = array<i64: 8>, padding = dense<[[7, 0]]> : tensor<1x2xi64>} : (X, tensor<f32>) -> X\n"), vx, np.cumsum
    g = bounded((6, 2), [0])
    yield "gather", m, [0], ("  %k = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi32>\n"
                             "  %r = \"stablehlo.gather\"(%x, %k) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], "
                             f"start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}} : (X, tensor<2x1xi32>) -> {g}\n"), g, lambda x: x[:, [3, 1]]
    yield from cases_at_indices(v, vx)
    yield from cases_of_reductions(v, vx)
    yield from cases_of_control(v, vx)
    yield "size", v, [0], "  %r = stablehlo.get_dimension_size %x, dim = 0 : (X) -> tensor<i32>\n", "tensor<i32>", lambda x: np.int32(len(x))
    yield "mean", v, [0], (reduce_of("%x", "X", "0.0", "add", [0], "tensor<f32>").replace("%r", "%s") +
                           "  %k = stablehlo.get_dimension_size %x, dim = 0 : (X) -> tensor<i32>\n"
                           "  %q = stablehlo.convert %k : (tensor<i32>) -> tensor<f32>\n  %r = stablehlo.divide %s, %q : tensor<f32>\n"), "tensor<f32>", \
        lambda x: x.mean() if len(x) else None


def program(shape, dims, lines, result):
    """The array gets its sizes one after the other."""
    text, value, set_dims = "", "%a", []
    for number, d in enumerate(dims):
        before, set_dims = bounded(shape, set_dims), set_dims + [d]
        name = "%x" if number == len(dims) - 1 else f"%x{number}"
        text += f"  {name} = \"stablehlo.set_dimension_size\"({value}, %n{number}) {{dimension = {d} : i64}} : ({before}, tensor<i32>) -> {bounded(shape, set_dims)}\n"
        value = name
    sizes = "".join(f", %n{i}: tensor<i32>" for i in range(len(dims)))
    array = bounded(shape, dims)
    body = re.sub(r"\bX\b", array, lines)
    return f"func.func @main(%a: {tensor(shape)}{sizes}) -> {result} {{\n{text}{body}  return %r : {result}\n}}\n"


def check(tool, plugin, case, folder):
    _, shape, dims, lines, result, reference = case
    with open(folder + "/program.mlir", "w", encoding="utf-8") as file:
        file.write(program(shape, dims, lines, result))
    for share in (1, 0.5, 0):
        sizes = [round(shape[d] * share) for d in dims]
        whole = np.full(shape, BAD, "f4")
        part = tuple(slice(0, sizes[dims.index(d)] if d in dims else n) for d, n in enumerate(shape))
        whole[part] = np.random.RandomState(0).standard_normal(whole[part].shape)
        want = reference(whole[part])
        if want is None:
            continue
        np.save(folder + "/in.npy", whole)
        command = [tool, "run", folder + "/program.mlir", "--plugin", plugin, "--output", folder, "--input", f"@{folder}/in.npy"]
        for size in sizes:
            command += ["--input", f"s32={size}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
        if done.returncode:
            raise RuntimeError(f"sizes {sizes}: {done.stderr.strip()[:500]}")
        got = np.load(folder + "/0.npy")
        assert got.shape == np.shape(want), f"sizes {sizes}: the result has the shape {got.shape}, not {np.shape(want)}"
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5, err_msg=f"sizes {sizes}")


def check_moved(plugin):
    os.environ.update(PJRT_NAMES_AND_LIBRARY_PATHS=f"gantry:{plugin}", JAX_PLATFORMS="gantry", GANTRY_CPU_DEVICES="2")
    import jax
    from jaxlib import _jax
    kind, whole = bounded((8,), [0]), np.arange(1, 9, dtype="f4")

    def run(device, text, *arrays):
        options = _jax.CompileOptions()
        options.device_assignment = _jax.DeviceAssignment.create(np.array([[device.id]]))
        compiled = device.client.compile_and_load(text.encode(), _jax.DeviceList((device,)), options)
        return compiled.execute_sharded(list(arrays)).disassemble_into_single_device_arrays()[0][0]

    cut = (f"func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> {kind} {{\n"
           f"  %r = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<8xf32>, tensor<i32>) -> {kind}\n  return %r : {kind}\n}}\n")
    total = (f"func.func @main(%x: {kind}) -> tensor<f32> {{\n" + reduce_of("%x", kind, "0.0", "add", [0], "tensor<f32>") +
             "  return %r : tensor<f32>\n}\n")
    first, second = jax.devices()
    array = run(first, cut, jax.device_put(whole, first), jax.device_put(np.int32(3), first))
    for device in (first, second):
        assert float(run(device, total, jax.device_put(array, device))) == 6, device


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("plugin")
    parser.add_argument("--filter", default="")
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases():
            if not re.search(arguments.filter, case[0]):
                continue
            try:
                check(arguments.tool, arguments.plugin, case, folder)
                passed += 1
            except Exception as error:
                failed += 1
                print(f"FAIL {case[0]}: {str(error)[:600]}", flush=True)
    if re.search(arguments.filter, "moved"):
        check_moved(arguments.plugin)
        passed += 1
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    raise SystemExit(main())
