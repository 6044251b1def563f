#!/usr/bin/env python3
"""Checks the rules of ARCHITECTURE.md about dependencies: which folder may include which, which external headers and
calls are restricted to certain files, and that file names are unique. Each file is a case; violations are printed with
their lines."""
import collections
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

# Who may include whom: a folder and the folders and files that it may use. `plugin` may use everything below it; `base` uses nothing.
ALLOWED = {
    "base": set(),
    "memory": {"base"},
    "compiler": {"base", "hostoffload/hostoffload.h", "hostoffload/passes"},
    "hostoffload": {"base", "compiler"},
    "hostoffload/transfer": {"base", "memory/hostmem.h"},
    "devices": {"memory", "base", "hostoffload/transfer", "compiler/accelerator.h", "compiler/tiled_shape.h", "compiler/target.h", "compiler/program/program.h", "compiler/program/fft_spec.h", "compiler/program/top_k_spec.h", "compiler/program/thin_dot_spec.h", "compiler/kernel_ir/kernel_ir.h", "compiler/kernel_ir/kernel_verify.h", "compiler/frontend/mosaic/mosaic_config.h", "compiler/frontend/mosaic/mosaic_read.h"},
    "runtime": {"compiler", "devices", "memory", "base", "hostoffload/transfer"},
    "report": {"runtime", "compiler", "devices", "memory", "base"},
    "plugin": {"report", "runtime", "compiler", "devices", "memory", "base"},
    "conformance": {"base", "tools/abi.h"},  # and, for the fuzz target, what reads a program
    "bench": {"base", "conformance/test_context.h"},
    "tools": {"base", "compiler", "devices/registry.h", "memory/numa.h", "conformance/cts/cts.h", "conformance/rules.def"},
    "scripts": set(),
}

# Folders that only their entry point may include: libraries that are opened at the first use. Of a folder: its tests.
ENTRY_POINTS = {
    "compiler/codegen": {"compiler/codegen_library.h", "compiler/codegen_library.c", "compiler/schedule"},
    "devices/host/kernels": {"devices/host/kernels_library.h", "devices/host/kernels_library.c"},
    "devices/host/net/ucx": set(),
}

# What a folder holds, bottom up: each entry, a folder or the files of one name (with or without its ending), may use those before it. Files that are
# not listed are the top. Names in one string are one entry.
LAYERS = {
    "compiler": ["accelerator", "tiled_shape", "target", "program", "ir", "kernel_ir", "analysis", "schedule", "frontend", "plan", "passes", "model", "codegen", "codegen_library", "lower", "export", "driver"],
    "compiler/frontend": ["bytes", "wire", "auto_options", "functions", "mlir", "bytecode", "text", "mosaic", "sdy_round_trip", "hlo"],
    "compiler/frontend/mlir": ["mlir_type", "mlir_enums", "mlir_attr", "mlir_literal", "mlir_defaults", "vhlo_ops", "mlir_ops", "mlir_program", "mlir_sdy mlir_sdy_rule", "mlir_groups", "mlir_fields",
                               "mlir_func", "mlir_chlo"],
    "compiler/frontend/bytecode": ["mlir_file", "mlir_entry", "builtin_codes", "mlir_location", "mlir_op", "mlir_convert", "mlir_convert_op", "builtin_dialect", "mesh_attrs",
                                   "vhlo_attrs", "vhlo_types", "vhlo_ops", "func_dialect", "stablehlo_attrs", "stablehlo_ops", "chlo_ops", "sdy_attrs", "sdy_ops", "mlir_bytecode"],
    "compiler/frontend/hlo": ["hlo_shape", "hlo_literal", "hlo_module", "hlo_body", "hlo_groups", "hlo_sharding", "hlo_fields", "hlo_call",
                              "hlo_expand", "hlo_async", "hlo_special", "hlo_ops", "hlo_proto"],
    "hostoffload": ["transfer", "passes", "hostoffload"],
    "compiler/passes": ["rewrite", "library", "cleanup", "expand", "mosaic", "spmd", "canonicalize", "fold", "dynamic", "arithmetic", "products", "reduce", "moves", "loops", "layout", "fusion", "buffer"],
    "compiler/model": ["model_graph", "kernels", "units", "links", "pallas", "time", "memory"],
    "devices/host": ["scratch", "copies", "custom_call.h", "client_call", "tiles", "kernels kernels_library", "shared_plan", "plan_call", "fft", "top_k", "attention", "thin", "kernel_machine", "kernel_call", "builtin_calls", "custom_call.c",
                     "net", "collectives", "launch", "device_host"],
    "devices/host/net": ["net_message", "transport net_layout net_proof", "ucx net_library net_interface", "network.h network_table", "net_cursor net_offer", "near_memory", "network_state.h", "network_segment network_loss", "network_loan", "network_stream", "network_run network_channel", "network.c"],
    "compiler/codegen": ["codegen.h", "routines", "link", "emitter", "vecmath", "element", "loops", "op_emitters", "kernels", "standalone", "dispatch"],
    "compiler/codegen/routines": ["large_angle vector_sort", "vector_sort_parallel", "radix_sort.h", "radix_block", "radix_range radix_merge radix_numbers", "radix_groups", "radix_partition", "radix_sort.c"],
    "compiler/codegen/standalone": ["sort_key", "sort_row", "sort_merge sort_radix sort_rank sort_top", "panel", "scan_order", "standalone.h",
                                    "sort", "linalg", "rng", "scan", "window", "standalone.c"],
}

# Of these folders others use only the headers that are listed: what they know of each other.
ONLY = {
    ("compiler/codegen", "compiler/passes"): set(),
    ("compiler/lower", "compiler/passes"): set(),
    ("runtime", "devices/host"): {"devices/host/custom_call.h", "devices/host/net/network.h", "devices/host/net/net_message.h"},
}

# External headers, by pattern, and the folders that may use them.
HEADERS = [
    (r"pjrt_c_api\w*\.h$", ("pjrt_c_api.h", "include/", "plugin/", "report/", "conformance/", "tools/", "bench/", "base/")),
    (r"llvm-c/|llvm/", ("compiler/codegen/",)),
    (r"oneapi/dnnl/|dnnl|cblas|lapacke|omp\.h", ("devices/host/kernels/",)),
    (r"uc[pst]/api/", ("devices/host/net/ucx/",)),
    (r"\.pb-c\.h$|protobuf-c/", ("compiler/frontend/", "compiler/", "report/")),
]

# Calls, by pattern, and the only files that may make them. Tests and stand-alone programs are exempt.
CALLS = [
    (r"\b(?:secure_)?getenv\s*\(", {"base/env.c", "plugin/loader.c"}),
    (r"\b(?:malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup|strndup)\s*\(", {"base/heap.c"}),
    (r"\b(?:abort|exit|_exit|assert)\s*\(", set()),
    (r"\b(?:printf|puts|putchar|perror)\s*\(|\bfprintf\s*\(\s*std", {"base/log.c"}),
]
# Names of x86 features, and where they may stand: what reads or emits them, and hand-written kernels. All else asks struct isa.
FEATURES = re.compile(r"(?i)(?<![a-z])(?:avx\d*|sse\d|amx|vnni|f16c|bmi2)(?![a-z])|llvm\.x86|_mm\d*_")
FEATURES_HOMES = ("base/", "compiler/codegen/link/", "compiler/codegen/routines/", "compiler/analysis/rates.def", "devices/host/kernels", "devices/host/tiles/", "devices/host/thin/",
                  "devices/host/attention/", "devices/host/fft/", "devices/host/top_k/", "devices/host/kernel_machine/", "devices/host/copies/",
                  "devices/host/collectives/")
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')
MARKS = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
LINES_LIMIT = 600
EXEMPT_FROM_CALLS = re.compile(r"_(?:test|tsan|fuzz|bench)\.c$|_fixture\.h$|/fake_\w+\.h$|^(?:tools|conformance|bench|scripts)/")
TESTS = re.compile(r"_(?:test|tsan|fuzz|bench)\.c$")  # stand-alone programs, which may use every layer
SAME_NAME_ALLOWED = {"__init__.py", "README.md", "run.sh"}


def files():
    for folder, inside, names in os.walk(ROOT):
        inside[:] = [d for d in inside if not d.startswith(".") and d not in ("build", "testdata", "__pycache__")]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), ROOT).removeprefix("./")


def without_comments(text):
    """Blanks comments and the insides of strings, keeping line numbers."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    keep_includes = r'^[ \t]*#[ \t]*include[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/'
    return re.sub(keep_includes, lambda m: m.group(0) if "include" in m.group(0)[:12] and "#" in m.group(0)[:4] else blank(m),
                  text, flags=re.S | re.M)


def layer_in(folder, layers, path):
    """The index in `layers` of the file's layer, len(layers) for files that are not listed, None outside of the folder."""
    if not path.startswith(folder + "/"):
        return None
    name = path.removeprefix(folder + "/").split("/")[0]
    stem = name.split(".")[0]
    return next((i for i, layer in enumerate(layers) if {name, stem} & set(layer.split())), len(layers))


def allowed_include(path, target):
    for folder, entries in ENTRY_POINTS.items():
        is_entry = path in entries or (TESTS.search(path) and os.path.dirname(path) in entries)
        if target.startswith(folder + "/") and not path.startswith(folder + "/") and not is_entry:
            return False
    for folder, layers in LAYERS.items():
        here, there = (layer_in(folder, layers, file) for file in (path, target))
        if here is not None and there is not None and there > here and not TESTS.search(path):
            return False
    for (folder, other), headers in ONLY.items():
        if path.startswith(folder + "/") and target.startswith(other + "/") and target not in headers and not EXEMPT_FROM_CALLS.search(path):
            return False
    if path == "conformance/program_trial.c" and target in ("compiler/compile.h", "compiler/ir/ir.h", "compiler/ir/sharding.h", "compiler/schedule/cost.h",
                                                      "compiler/analysis/trip_count.h"):
        return True
    rule = max((folder for folder in ALLOWED if path.startswith(folder + "/")), key=len)
    return target.startswith(rule + "/") or any(target == entry or target.startswith(entry + "/") for entry in ALLOWED[rule])


def problems_of(path, text, code):
    """Line and text of each problem; `code`: the text without its comments."""
    top = path.split("/")[0]
    calls = [] if EXEMPT_FROM_CALLS.search(path) else [call for call in CALLS if re.search(call[0], code)]
    for number, line in enumerate(code.split("\n"), 1):
        include = INCLUDE.match(line) if "#" in line else None
        if include:
            target = include.group(1)
            if target.split("/")[0] in ALLOWED and "/" in target and not target.endswith(".pb-c.h"):
                if top in ALLOWED and not allowed_include(path, target):
                    yield number, f"may not include {target}"
            for pattern, homes in HEADERS:
                if re.search(pattern, target) and not path.startswith(homes) and path != target:
                    yield number, f"{target} is included only in {', '.join(homes)}"
        else:
            for pattern, homes in calls:
                found = re.search(pattern, line)
                if found and path not in homes:
                    yield number, f"'{found.group(0)}' belongs in {', '.join(homes) or 'no library'}"
    if not path.startswith(FEATURES_HOMES) and not EXEMPT_FROM_CALLS.search(path):
        for feature in FEATURES.finditer(text):
            yield text.count("\n", 0, feature.start()) + 1, f"names the feature {feature.group(0)}: base/isa.h says what a processor can do"
    for mark in MARKS.finditer(text):
        yield text.count("\n", 0, mark.start()) + 1, "unfinished mark"
    if text.count("\n") > LINES_LIMIT and path != "pjrt_c_api.h":
        yield text.count("\n"), f"file has more than {LINES_LIMIT} lines"


FUNCTION = r"^(?!static\b|typedef\b|return\b)[A-Za-z_][\w \t\n*]*?\b(\w+)\s*\([^;{}]*?\)"
DEFINED = re.compile(FUNCTION + r"\s*\{", re.M)
DECLARED = re.compile(FUNCTION + r"[^;{}]*?;", re.M)
FUNCTION_TYPE = re.compile(r"^typedef [\w \t\n*]*?\b(\w+)\s*\([^;{}]*?\);", re.M)
LISTED = re.compile(r"^(\w+)((?:\s+\w+,)*\s+\w+);", re.M)


def declared_in(text, function_types):
    """The functions that a header declares, one by one or as a list of names of a function type."""
    names = {match.group(1) for match in DECLARED.finditer(text)}
    for match in LISTED.finditer(text):
        if match.group(1) in function_types:
            names.update(re.findall(r"\w+", match.group(2)))
    return names


def misplaced_declarations(texts):
    """Headers that declare functions which another folder defines: these declarations would hide upward dependencies."""
    homes, types = collections.defaultdict(set), set()
    for path, text in texts.items():
        types.update(FUNCTION_TYPE.findall(text))
        if path.endswith(".c"):
            for name in DEFINED.findall(text):
                homes[name].add(os.path.dirname(path))
    for path, text in texts.items():
        if not path.endswith(".h") or path.startswith(("include/", "pjrt_c_api")):  # the ABI's headers
            continue
        for name in sorted(declared_in(text, types)):
            if homes[name] and os.path.dirname(path) not in homes[name]:
                yield path, f"declares {name}, which {', '.join(sorted(homes[name]))} defines"


# Numbers by which the compiler decides: enumerators with a number of their own in these folders. The count may only fall.
THRESHOLDS = 395
THRESHOLDS_HOMES = ("compiler/passes/", "compiler/codegen/", "compiler/analysis/", "compiler/schedule/", "compiler/lower/")
# How an operation moves elements is read in compiler/schedule/access alone. Elsewhere in the compiler these attributes are for what rewrites
# operations; the count of lines that name them may only fall, and code generation has none.
MOVES = re.compile(r"\b(?:transpose\.permutation|broadcast_in_dim\.broadcast_dimensions|slice\.(?:start_indices|strides)|pad\.(?:edge_padding_\w+|interior_padding))\b")
MOVES_LIMIT = 77
MOVES_HOMES = ("compiler/passes/", "compiler/codegen/", "compiler/analysis/", "compiler/lower/", "compiler/model/", "hostoffload/passes/")


def moves_of(path, code):
    if not path.startswith(MOVES_HOMES) or not path.endswith(".c") or TESTS.search(path):
        return 0
    return sum(bool(MOVES.search(line)) for line in code.split("\n"))


def thresholds_of(path, code):
    if not path.startswith(THRESHOLDS_HOMES) or not path.endswith(".c") or TESTS.search(path):
        return 0
    return sum(len(re.findall(r"\b[A-Z]\w*\s*=\s*\(?-?\d", body)) for body in re.findall(r"\benum\s*\{([^}]*)\}", code))


def name_of(path):
    """A file's name; that of a module of a Python package is the one it is imported by."""
    package = os.path.dirname(path)
    in_package = os.path.exists(os.path.join(ROOT, package, "__init__.py"))
    return os.path.relpath(path, os.path.dirname(package)) if in_package else os.path.basename(path)


def main():
    passed = failed = 0
    names, texts = collections.defaultdict(list), {}
    for path in sorted(files()):
        names[name_of(path)].append(path)
        if not path.endswith((".c", ".h", ".def")):
            continue
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = file.read()
        texts[path] = without_comments(text)
        problems = list(problems_of(path, text, texts[path]))
        for number, problem in problems:
            print(f"{path}:{number}: {problem}")
        passed, failed = passed + (not problems), failed + bool(problems)
    thresholds = sum(thresholds_of(path, code) for path, code in texts.items())
    if thresholds > THRESHOLDS:
        print(f"scripts/includes.py: the compiler has {thresholds} numeric thresholds; at most {THRESHOLDS} are allowed; share one, or derive it from the cost")
        failed += 1
    moves = {path: moves_of(path, code) for path, code in texts.items()}
    if sum(moves.values()) > MOVES_LIMIT:
        print(f"scripts/includes.py: {sum(moves.values())} lines map dimensions; at most {MOVES_LIMIT} are allowed; ask compiler/schedule/access.h")
        failed += 1
    for path in (path for path, count in moves.items() if count and path.startswith("compiler/codegen/")):
        print(f"{path}: maps dimensions: ask compiler/schedule/access.h")
        failed += 1
    for path, problem in misplaced_declarations(texts):
        print(f"{path}: {problem}")
        failed += 1
    for name, paths in sorted(names.items()):
        if len(paths) > 1 and name not in SAME_NAME_ALLOWED:
            print(f"{name}: the name is used {len(paths)} times: {', '.join(paths)}")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
