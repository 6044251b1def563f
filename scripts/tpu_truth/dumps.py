"""dumps.py: what libtpu's dumps say: the arenas of the buffer assignment, the collectives after partitioning."""
import collections
import glob
import os
import re

import hlo

ALLOCATION = re.compile(r"^allocation \d+: size (\d+),(.*)$")
COLLECTIVES = "all-gather|all-reduce|reduce-scatter|all-to-all|collective-permute|collective-broadcast"
HBM, VMEM, HOST = 0, 1, 5
BOUNDARY = ("argument_bytes", "output_bytes", "alias_bytes", "host_argument_bytes", "host_output_bytes")


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


def allocations(folder):
    """-> bytes, memory space and description of each allocation of the buffer assignment."""
    for line in text_of(folder, "after_optimizations-buffer-assignment.txt").splitlines():
        match = ALLOCATION.match(line)
        if match:
            color = re.search(r"color (\d+)", match[2])
            yield int(match[1]), int(color[1]) if color else HBM, match[2]


def arenas(folder):
    """Bytes of the temporaries by memory space."""
    sizes = collections.Counter()
    for size, space, kind in allocations(folder):
        sizes[space] += size * ("preallocated-temp" in kind)
    return {"temp_assigned_bytes": sizes[HBM], "vmem_temp_assigned_bytes": sizes[VMEM], "host_temp_assigned_bytes": sizes[HOST]}


def boundary(folder):
    """Bytes of arguments, of results, and of results in arguments' memory, on the device and on the host."""
    sizes = collections.Counter()
    for size, space, kind in allocations(folder):
        where = "host_" if space == HOST else ""
        is_argument, is_result = " parameter " in kind, "maybe-live-out" in kind
        sizes[where + "argument_bytes"] += size * is_argument
        sizes[where + "output_bytes"] += size * is_result
        sizes[where + "alias_bytes"] += size * (is_argument and is_result)
    return {name: sizes[name] for name in BOUNDARY} if sizes else {}


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
