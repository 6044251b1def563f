"""compiled.py: compile(seed, name, generation, folder, whole): draws a program, lowers it for the generation and compiles it with libtpu,
which needs no TPU. Writes into the folder: program.mlirbc (a StableHLO portable artifact), the compiler's dumps, and outcome.json.
Runs in a process of its own (draw_truth.py), since libtpu reads its settings once and may end the process."""
import hashlib
import json
import os

import jax
import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from jaxlib.mlir.dialects import stablehlo

import grammar
import public
import sharded
from draw import Draw
from topology import topology

ONE, SEVERAL = {**grammar.CLASSES, **public.CLASSES}, sharded.CLASSES  # devices
CLASSES = {**ONE, **SEVERAL}
MEMORY = ("argument", "output", "alias", "temp", "generated_code", "host_argument", "host_output", "host_temp")
PASSES = "^(tpu-spmd-partitioning|cross-replica-sharding)$"


def is_spec(leaf):
    return isinstance(leaf, P)


def mesh_of(program, generation):
    axes = program.axes or {"x": 1}
    count = int(np.prod(list(axes.values())))
    name, options = topology(generation, count)
    devices = topologies.get_topology_desc(name, platform="tpu", **options).devices
    return Mesh(np.array(devices[:count]).reshape(tuple(axes.values())), tuple(axes))


def place(argument, spec, mesh):
    """The argument's leaves with their shardings; one spec may be that of a whole tree."""
    def placed(leaf, at):
        return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=NamedSharding(mesh, at))
    if is_spec(spec):
        return jax.tree.map(lambda leaf: placed(leaf, spec), argument)
    leaves, tree = jax.tree.flatten(argument)
    return jax.tree.unflatten(tree, [placed(*pair) for pair in zip(leaves, jax.tree.leaves(spec, is_leaf=is_spec), strict=True)])


def lower(program, mesh):
    specs = program.specs or [P()] * len(program.arguments)
    values = [place(*pair, mesh) for pair in zip(program.arguments, specs)]
    function = program.function(mesh) if program.needs_mesh else program.function
    return jax.jit(function, donate_argnums=program.donate).lower(*values)


def artifact(lowered):
    version = stablehlo.get_version_from_compatibility_requirement(stablehlo.StablehloCompatibilityRequirement.WEEK_4)
    return _jax.mlir.serialize_portable_artifact(mlir.module_to_bytecode(lowered.compiler_ir("stablehlo")), version, True)


def outcome(lowered, folder):
    settings = {"xla_dump_to": os.path.join(folder, "dump"), "xla_dump_hlo_as_text": True, "xla_dump_hlo_pass_re": PASSES}
    try:
        figures = lowered.compile(compiler_options=settings).memory_analysis()
    except Exception as problem:  # pylint: disable=broad-except; the text says how much memory is missing
        return {"error": str(problem)[:4000]}
    memory = {f"{name}_bytes": getattr(figures, name + "_size_in_bytes", None) for name in MEMORY}
    return {"memory": {**memory, "peak_bytes": figures.peak_memory_in_bytes}}


def lower_only(seed, name, generation, path):
    """Draws the program, and writes it; -> the program, lowered."""
    program = CLASSES[name](Draw(seed))
    lowered = lower(program, mesh_of(program, generation))
    with open(path, "wb") as file:
        file.write(artifact(lowered))
    return program, lowered


def digest(lowered):
    """Of the program's text, which has no locations."""
    return hashlib.sha256(lowered.as_text().encode()).hexdigest()[:16]


def compile(seed, name, generation, folder):
    program, lowered = lower_only(seed, name, generation, os.path.join(folder, "program.mlirbc"))
    with open(os.path.join(folder, "drawn.json"), "w", encoding="utf-8") as file:
        json.dump({"devices": int(np.prod(list(program.axes.values()) or [1])), "mesh": program.axes, "digest": digest(lowered)}, file)
    answer = outcome(lowered, folder)
    with open(os.path.join(folder, "outcome.json"), "w", encoding="utf-8") as file:
        json.dump(answer, file)
