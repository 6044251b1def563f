#!/usr/bin/env python3
"""Measures how the cost of a compilation grows with the size of the program.

    scaling.py GANTRY PLUGIN [--only REGEX] [--from N] [--to N] [--seconds S] [--peer] [--json FILE] [--list]

Each family generates programs of any size. Sizes double up to --to operations. Prints the seconds of CPU time and the
peak memory of each compilation, and the exponent: the slope of log(seconds) over log(size) through the largest sizes.
An exponent of 1 is linear. A family ends early when a compilation takes more than --seconds. --peer compiles the same
programs on JAX's own CPU as well (this needs a Python with JAX)."""
import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

ROW = "tensor<64xf32>"


class Program:
    """Builds the text of a module whose `main` is written operation by operation. Operations are named by their numbers."""

    def __init__(self, arguments, functions=""):
        self.arguments, self.functions, self.lines, self.count, self.devices = arguments, functions, [], 0, 1

    def emit(self, text):
        self.count += 1
        self.lines.append(f"    %{self.count} = {text}")
        return f"%{self.count}"

    def binary(self, name, left, right, kind=ROW):
        return self.emit(f"stablehlo.{name} {left}, {right} : {kind}")

    def unary(self, name, operand, kind=ROW):
        return self.emit(f"stablehlo.{name} {operand} : {kind}")

    def constant(self, number, kind="tensor<f32>"):
        return self.emit(f"stablehlo.constant dense<{number}> : {kind}")

    def sum(self, values, kind=ROW):
        """A balanced tree of additions."""
        while len(values) > 1:
            pairs = [self.binary("add", *values[i:i + 2], kind) for i in range(0, len(values) - 1, 2)]
            values = pairs + values[len(values) - len(values) % 2:]
        return values[0]

    def text(self, result, kind=ROW):
        names = ", ".join(f"%a{i}: {kind}" for i, kind in enumerate(self.arguments))
        body = "\n".join(self.lines)
        return (f"module @scaling {{\n  func.func public @main({names}) -> {kind} {{\n{body}\n"
                f"    return {result} : {kind}\n  }}\n{self.functions}}}\n")


def chain(n):
    """Elementwise operations one after the other, transcendental ones among them."""
    program, value = Program([ROW]), "%a0"
    for i in range(n):
        value = program.unary(("sine", "tanh", "negate")[i % 3], value)
    return program, value, ROW


def fan_out(n):
    """One value with n / 4 users."""
    program = Program([ROW])
    shared = program.unary("exponential", "%a0")
    users = []
    for i in range(n // 4):
        scale = program.constant(i / n, ROW)
        users.append(program.unary("tanh", program.binary("multiply", shared, scale)))
    return program, program.sum(users), ROW


def fan_in(n):
    """One operation with n / 2 operands."""
    program = Program([ROW])
    parts = []
    for i in range(n // 2):
        parts.append(program.unary("negate", program.binary("add", "%a0", parts[-1] if parts else "%a0")))
    kind = f"tensor<{64 * len(parts)}xf32>"
    result = program.emit(f"stablehlo.concatenate {', '.join(parts)}, dim = 0 : ({', '.join([ROW] * len(parts))}) -> {kind}")
    return program, result, kind


def reduces(n):
    """Reductions whose regions are functions of several operations."""
    matrix = "tensor<64x64xf32>"
    program = Program([matrix])
    zero = program.constant(0)
    sums = []
    for i in range(n // 6):
        row = program.constant(i / n, ROW)
        wide = program.emit(f"stablehlo.broadcast_in_dim {row}, dims = [0] : ({ROW}) -> {matrix}")
        moved = program.binary("add", "%a0", wide, matrix)
        program.count += 2
        sums.append(program.emit(
            f"stablehlo.reduce({moved} init: {zero}) across dimensions = [{i % 2}] : ({matrix}, tensor<f32>) -> {ROW}\n"
            "     reducer(%x: tensor<f32>, %y: tensor<f32>) {\n"
            "      %s = stablehlo.add %x, %y : tensor<f32>\n      stablehlo.return %s : tensor<f32>\n    }"))
    return program, program.sum(sums), ROW


def dots(n):
    """A chain of matrix products."""
    matrix = "tensor<32x32xf32>"
    program, value = Program([matrix]), "%a0"
    for i in range(n // 2):
        value = program.emit(f"stablehlo.dot_general {value}, %a0, contracting_dims = [1] x [{i % 2}] : "
                             f"({matrix}, {matrix}) -> {matrix}")
        value = program.unary("negate", value, matrix)
    return program, value, matrix


def updates(n):
    """Dynamic update slices of one array."""
    program, value, part = Program([ROW]), "%a0", "tensor<4xf32>"
    for i in range(n // 4):
        start = program.constant(i % 61, "tensor<i32>")
        piece = program.emit(f"stablehlo.slice {value} [{i % 60}:{i % 60 + 4}] : ({ROW}) -> {part}")
        value = program.emit(f"stablehlo.dynamic_update_slice {value}, {program.unary('negate', piece, part)}, {start} : "
                             f"({ROW}, {part}, tensor<i32>) -> {ROW}")
    return program, value, ROW


def calls(n):
    """Loops, each in a separate function."""
    inner = ("  func.func private @loop(%x: tensor<64xf32>) -> tensor<64xf32> {\n"
             "    %zero = stablehlo.constant dense<0> : tensor<i32>\n"
             "    %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<64xf32>\n"
             "    cond {\n      %limit = stablehlo.constant dense<100> : tensor<i32>\n"
             "      %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
             "      stablehlo.return %c : tensor<i1>\n    } do {\n"
             "      %one = stablehlo.constant dense<1> : tensor<i32>\n      %j = stablehlo.add %i, %one : tensor<i32>\n"
             "      %w = stablehlo.sine %v : tensor<64xf32>\n      stablehlo.return %j, %w : tensor<i32>, tensor<64xf32>\n"
             "    }\n    return %r#1 : tensor<64xf32>\n  }\n"
             "  func.func private @outer(%x: tensor<64xf32>) -> tensor<64xf32> {\n"
             "    %y = call @loop(%x) : (tensor<64xf32>) -> tensor<64xf32>\n    return %y : tensor<64xf32>\n  }\n")
    program, value = Program([ROW], inner), "%a0"
    for _ in range(n // 10):
        value = program.emit(f"call @outer({value}) : ({ROW}) -> {ROW}")
        program.count += 9
    return program, value, ROW


def indexed(n):
    """Sorts, gathers and scatters, one after the other."""
    program, value, indices = Program([ROW, "tensor<64x1xi32>"]), "%a0", "tensor<64x1xi32>"
    reducer = ("    ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n      %s = stablehlo.add %x, %y : tensor<f32>\n"
               "      stablehlo.return %s : tensor<f32>\n    })")
    for i in range(n // 8):
        if i % 3 == 0:
            value = program.emit(
                f'"stablehlo.sort"({value}) <{{dimension = 0 : i64, is_stable = true}}> ({{\n'
                "    ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
                "      %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                f"      stablehlo.return %s : tensor<i1>\n    }}) : ({ROW}) -> {ROW}")
        elif i % 3 == 1:
            value = program.emit(
                f'"stablehlo.gather"({value}, %a1) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], '
                f"start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> : ({ROW}, {indices}) -> {ROW}")
        else:
            value = program.emit(
                f'"stablehlo.scatter"({value}, %a1, {value}) <{{scatter_dimension_numbers = #stablehlo.scatter<'
                f"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{\n{reducer}"
                f" : ({ROW}, {indices}, {ROW}) -> {ROW}")
        program.count += 2
        for name in ("sine", "negate", "tanh", "abs", "cosine"):
            value = program.unary(name, value)
    return program, value, ROW


def diamonds(n):
    """Values that are split and joined again, so that the number of paths through the program is exponential."""
    program, value = Program([ROW]), "%a0"
    for _ in range(n // 3):
        left, right = program.unary("sine", value), program.unary("negate", value)
        value = program.binary("subtract", left, right)
    return program, value, ROW


class Sharded(Program):
    """A program for 8 devices. `extra` is text of the module before `main`."""

    MATRIX = "tensor<8x8xf32>"
    SPLIT = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}'

    def __init__(self, arguments, extra=""):
        super().__init__(arguments)
        self.devices, self.extra = 8, extra

    def constrain(self, value, sharding, mesh="mesh"):
        return self.emit(f"sdy.sharding_constraint {value} <@{mesh}, {sharding}> : {self.MATRIX}")

    def total(self, value, zero):
        return self.emit(f"stablehlo.reduce({value} init: {zero}) applies stablehlo.add across dimensions = [0, 1] : "
                         f"({self.MATRIX}, tensor<f32>) -> tensor<f32>")

    def text(self, result, kind=ROW):
        names = ", ".join(f"%a{i}: {kind} {self.SPLIT}" for i, kind in enumerate(self.arguments))
        body = "\n".join(self.lines)
        return ("module @scaling attributes {mhlo.num_partitions = 8 : i32} {\n"
                f'  sdy.mesh @mesh = <["x"=2, "y"=4]>\n{self.extra}'
                f"  func.func public @main({names}) -> {kind} {{\n{body}\n    return {result} : {kind}\n  }}\n}}\n")


def all_reduces(n):
    """Sums over devices that do not depend on each other."""
    program, sums = Sharded([Sharded.MATRIX]), []
    zero = program.constant(0)
    for i in range(n // 4):
        scale = program.constant(i / n, Sharded.MATRIX)
        sums.append(program.total(program.binary("multiply", "%a0", scale, Sharded.MATRIX), zero))
    return program, program.sum(sums, "tensor<f32>"), "tensor<f32>"


def sharded_norm(n):
    """The sum of the squares of n / 3 sharded arrays."""
    program = Sharded([Sharded.MATRIX] * (n // 3))
    zero = total = program.constant(0)
    for i in range(n // 3):
        square = program.binary("multiply", f"%a{i}", f"%a{i}", Sharded.MATRIX)
        total = program.binary("add", total, program.total(square, zero), "tensor<f32>")
    return program, total, "tensor<f32>"


def reshards(n):
    """A chain of values that are each sharded in another way."""
    program, value = Sharded([Sharded.MATRIX]), "%a0"
    ways = ('[{"x"}, {}]', '[{}, {"y"}]', '[{"y"}, {"x"}]', '[{"x", "y"}, {}]', '[{}, {}]', '[{"y":(1)2}, {}]')
    for i in range(n // 2):
        value = program.constrain(program.unary("tanh", value, Sharded.MATRIX), ways[i % len(ways)])
    return program, value, Sharded.MATRIX


def manual(n):
    """Manual computations within manual computations, one pair after the other."""
    program, value = Sharded([Sharded.MATRIX]), "%a0"
    for _ in range(n // 3):
        program.count += 2
        value = program.emit(
            f'sdy.manual_computation({value}) in_shardings=[<@mesh, [{{"x"}}, {{?}}]>] '
            'out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {\n'
            '      %i = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}, {"y"}]>] '
            'out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%c: tensor<4x2xf32>) {\n'
            "        %j = stablehlo.tanh %c : tensor<4x2xf32>\n        sdy.return %j : tensor<4x2xf32>\n"
            "      } : (tensor<4x8xf32>) -> tensor<4x8xf32>\n      sdy.return %i : tensor<4x8xf32>\n"
            f"    }} : ({Sharded.MATRIX}) -> {Sharded.MATRIX}")
    return program, value, Sharded.MATRIX


def meshes(n):
    """A chain of values, each sharded over a mesh of its own."""
    sizes = ((2, 4), (4, 2), (8, 1), (1, 8))
    extra = "".join(f'  sdy.mesh @m{i} = <["x"={sizes[i % 4][0]}, "y"={sizes[i % 4][1]}]>\n' for i in range(n // 2))
    program, value = Sharded([Sharded.MATRIX], extra), "%a0"
    for i in range(n // 2):
        value = program.constrain(program.unary("tanh", value, Sharded.MATRIX), '[{"x"}, {"y"}]', f"m{i}")
    return program, value, Sharded.MATRIX


FAMILIES = {make.__name__: make for make in (chain, fan_out, fan_in, reduces, dots, updates, calls, indexed, diamonds, all_reduces,
                                             sharded_norm, reshards, manual, meshes)}


def inputs(program):
    return [f"--input={kind[7:-1].replace('i32', 's32')}=0" for kind in program.arguments]


def run_bounded(command, seconds, environment=None):
    """Output, CPU seconds and peak bytes of a command; None when it takes too long or fails."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit, env=environment)
    output, complaint = child.communicate()
    if child.returncode:
        return None, complaint.decode(errors="replace").strip()[-300:] or f"signal {-child.returncode}"
    return json.loads(output), None


def on_gantry(arguments, path, program):
    """Programs for several devices are planned, which is to compile them, and not run."""
    command = [sys.executable, os.path.abspath(__file__), "--child", arguments.gantry]
    environment = dict(os.environ, GANTRY_CPU_DEVICES=str(program.devices))
    if program.devices > 1:
        command += ["plan", path, "--devices", str(program.devices), "--plugin", arguments.plugin, "--output", os.devnull]
    else:
        command += ["bench", path, "--json", "--seconds=0", "--plugin", arguments.plugin] + inputs(program)
    return run_bounded(command, arguments.seconds + 20, environment)


def on_peer(arguments, path, program):
    if program.devices > 1:
        return None, "compiled for one device only"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_"))}
    return run_bounded([sys.executable, os.path.abspath(__file__), "--compile", path], arguments.seconds + 20,
                       dict(clean, JAX_PLATFORMS="cpu"))


def child(command):
    """Runs a `gantry bench` or `gantry plan` and prints its compile time and the peak memory of the process."""
    result = subprocess.run(command, stdout=subprocess.PIPE)
    if result.returncode:
        sys.exit(result.returncode if result.returncode > 0 else 1)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime if command[1] == "plan" else json.loads(result.stdout)["compile_cpu_seconds"]
    print(json.dumps({"seconds": seconds, "bytes": used.ru_maxrss * 1024}))


def compile_with_jax(path):
    import time
    import jax
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    with open(path, encoding="utf-8") as file:
        text = file.read()
    backend = jax.local_devices()[0].client
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        begin = time.process_time()
        backend.compile_and_load(module, backend.devices()[:1])
    print(json.dumps({"seconds": time.process_time() - begin,
                      "bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))


def slope(points):
    """The least-squares exponent of seconds over size."""
    if len(points) < 2:
        return None
    logs = [(math.log(size), math.log(max(seconds, 1e-6))) for size, seconds in points]
    x, y = (sum(column) / len(logs) for column in zip(*logs))
    return sum((a - x) * (b - y) for a, b in logs) / sum((a - x) ** 2 for a, _ in logs)


def measure(arguments, name, side):
    rows, problem, size = [], None, arguments.first
    while size <= arguments.last and not problem:
        program, result, kind = FAMILIES[name](size)
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(program.text(result, kind))
            file.flush()
            figures, problem = side(arguments, file.name, program)
        if figures:
            rows.append({"size": size, **figures})
            problem = "over the limit of time" if figures["seconds"] > arguments.seconds else None
        size = size * 2 if size == arguments.last or size * 2 <= arguments.last else arguments.last
    exponent = slope([(row["size"], row["seconds"]) for row in rows[-4:]])
    return {"name": name, "rows": rows, "exponent": exponent, "problem": problem}


def show(title, result):
    cells = "  ".join(f"{row['size']}: {row['seconds']:.2f} s {row['bytes'] / 2**20:.0f} MiB" for row in result["rows"])
    exponent = "-" if result["exponent"] is None else f"{result['exponent']:.2f}"
    print(f"{title:16} exponent {exponent:5} {cells}" + (f"  ({result['problem']})" if result["problem"] else ""), flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gantry")
    parser.add_argument("plugin")
    parser.add_argument("--only", default="")
    parser.add_argument("--from", dest="first", type=int, default=3125)
    parser.add_argument("--to", dest="last", type=int, default=100000)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def main():
    if sys.argv[1:2] == ["--child"]:
        return child(sys.argv[2:])
    if sys.argv[1:2] == ["--compile"]:
        return compile_with_jax(sys.argv[2])
    arguments, results = parse(), []
    for name in (name for name in FAMILIES if re.search(arguments.only, name)):
        if arguments.list:
            print(f"{name:10} {FAMILIES[name].__doc__}")
            continue
        results.append({"side": "gantry", **measure(arguments, name, on_gantry)})
        show(name, results[-1])
        if arguments.peer:
            results.append({"side": "xla", **measure(arguments, name, on_peer)})
            show(f"{name} (XLA)", results[-1])
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
