#!/usr/bin/env python3
"""make_sharded_programs.py: writes the programs of conformance/programs/sharded, which are text, as VHLO bytecode
(.mlirbc) too, and as HloModuleProto (.hlo.pb) where they have no mesh of Shardy, which HLO cannot hold. They are seeds of
`make mutate` and of the fuzz target program_fuzz. Run it manually, from the repository's root, with the interpreter of
scripts/python_env.sh, after adding a program."""
import glob
import os

os.environ["JAX_PLATFORMS"] = "cpu"
from jaxlib import _jax

VERSION = "1.17.0"  # of StableHLO


def write(path, code):
    with open(path, "wb") as file:
        file.write(code)


def main():
    for path in sorted(glob.glob("conformance/programs/sharded/*.mlir")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        stem = path.removesuffix(".mlir")
        write(stem + ".mlirbc", _jax.mlir.serialize_portable_artifact(text, VERSION))
        if "sdy." not in text:
            write(stem + ".hlo.pb", _jax.mlir.mlir_module_to_xla_computation(text).as_serialized_hlo_module_proto())


main()
