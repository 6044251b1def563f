"""dumps.py: what libtpu's dumps say: the arenas of the buffer assignment, the collectives after partitioning."""
import collections
import glob
import os
import re

import hlo

ALLOCATION = re.compile(r"^allocation \d+: size (\d+),(.*)$")
COLLECTIVES = "all-gather|all-reduce|reduce-scatter|all-to-all|collective-permute|collective-broadcast"
HBM, VMEM, HOST = 0, 1, 5


def find(folder, pattern):
    """The path of the largest module's dump, since others are helpers of the runtime; None: there is none."""
    found = glob.glob(os.path.join(folder, "**", "*" + pattern), recursive=True)
    return max(found, key=os.path.getsize, default=None)


def text_of(folder, pattern):
    path = find(folder, pattern)
    if not path:
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def arenas(folder):
    """Bytes of the temporaries by memory space."""
    sizes = collections.Counter()
    for line in text_of(folder, "after_optimizations-buffer-assignment.txt").splitlines():
        match = ALLOCATION.match(line)
        if match and "preallocated-temp" in match[2]:
            color = re.search(r"color (\d+)", match[2])
            sizes[int(color[1]) if color else HBM] += int(match[1])
    return {"temp_assigned_bytes": sizes[HBM], "vmem_temp_assigned_bytes": sizes[VMEM], "host_temp_assigned_bytes": sizes[HOST]}


def collective(instruction, types):
    shapes = [hlo.shapes(types.get(operand, ""))[0][:2] for operand in instruction.operands if hlo.shapes(types.get(operand, ""))]
    key = "pairs" if instruction.operation == "collective-permute" else "groups"
    return {"kind": instruction.operation, "operands": shapes, key: hlo.groups(instruction.rest), "count": 1}


def collectives(folder):
    """One object for each collective after partitioning, as `gantry plan` lists them."""
    text = text_of(folder, "after_tpu-spmd-partitioning*.txt") or text_of(folder, "after_cross-replica-sharding*.txt")
    found = []
    for instructions in hlo.computations(text)[0].values():
        types = {instruction.name: instruction.type for instruction in instructions}
        found += [collective(instruction, types) for instruction in instructions if re.fullmatch(COLLECTIVES, instruction.operation)]
    return found
