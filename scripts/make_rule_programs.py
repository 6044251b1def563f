#!/usr/bin/env python3
"""make_rule_programs.py: writes the bytecode of the programs that rules of `gantry cts` use: each
conformance/programs/rules/*.mlir as VHLO bytecode of an old version of StableHLO, which every plugin reads, beside it.
Run it manually, with the interpreter of scripts/python_env.sh, after adding or changing a program."""
import glob
import os

os.environ["JAX_PLATFORMS"] = "cpu"
from jaxlib import _jax

VERSION = "1.10.0"  # as in make_programs.py

for path in sorted(glob.glob("conformance/programs/rules/*.mlir")):
    with open(path, encoding="utf-8") as file:
        code = _jax.mlir.serialize_portable_artifact(file.read(), VERSION)
    with open(path + "bc", "wb") as file:
        file.write(code)
