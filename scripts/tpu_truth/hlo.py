"""hlo.py: reads the compiler's printed HLO modules: computations, instructions, types, groups of devices."""
import dataclasses
import math
import re

import numpy as np

INSTRUCTION = re.compile(r"^\s*(ROOT )?%?([\w.\-]+) = (.*?) ([a-z][\w\-]*)\((.*)$")
COMPUTATION = re.compile(r"^(ENTRY )?%?([\w.\-<>]+) \(.*\{\s*$")
SHAPE = re.compile(r"([a-z]\w*)\[([\d,]*)\](?:\{([^}]*)\})?")
BITS = {"pred": 8, "s4": 4, "u4": 4, "s8": 8, "u8": 8, "s16": 16, "u16": 16, "bf16": 16, "f16": 16, "s64": 64, "u64": 64, "f64": 64,
        "c64": 64}


@dataclasses.dataclass
class Instruction:
    name: str
    type: str
    operation: str
    operands: list
    rest: str
    is_root: bool

    def called(self, key):
        match = re.search(key + r"=%?([\w.\-<>]+)", self.rest)
        return match and match[1]


def operands_of(rest):
    depth, end = 1, 0
    for end, letter in enumerate(rest):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            break
    return re.findall(r"%([\w.\-]+)", rest[:end])


def parse(line):
    match = INSTRUCTION.match(line)
    if not match:
        return None
    root, name, kind, operation, rest = match.groups()
    return Instruction(name, kind, operation, operands_of(rest), rest, bool(root))


def computations(text):
    """-> computations by name, lists of instructions in order; the entry's name."""
    found, current, entry = {}, None, None
    for line in text.splitlines():
        header = COMPUTATION.match(line)
        if header:
            current = found.setdefault(header[2], [])
            entry = header[2] if header[1] else entry
        elif current is not None:
            instruction = parse(line)
            if instruction:
                current.append(instruction)
    return found, entry


def shapes(kind):
    """-> [type of the elements, sizes, layout] of each array in a type."""
    return [[name, [int(size) for size in sizes.split(",") if size], layout or ""] for name, sizes, layout in SHAPE.findall(kind)]


def hbm_bytes(kind):
    """Of the type's arrays that are in HBM; without padding. S(n) is another memory space."""
    return sum(math.prod(sizes) * BITS.get(name, 32) // 8 for name, sizes, layout in shapes(kind) if "S(" not in layout)


# ---- groups of devices -----------------------------------------------------------------------------
def numbers(text):
    return [int(number) for number in text.split(",") if number]


def ordered(of, order):
    """The devices 0, 1 ... as an array of sizes `of`, its dimensions perhaps in another order."""
    devices = np.arange(math.prod(of)).reshape(of)
    return devices.transpose(order) if order else devices


def range_groups(match):
    """[groups,members]<=[sizes]T(order)"""
    sizes, of, order = (numbers(part) if part else None for part in match.groups())
    return ordered(of, order).reshape(sizes).tolist()


def split_axis(sizes, name, before, size):
    """Replaces the axis by up to three, of which the second is `size` long and has `before` positions outside."""
    parts = []
    for key, length in sizes:
        if key != name:
            parts.append((key, length))
            continue
        parts += [(key + "<", before), (f"{key}:({before}){size}", size), (key + ">", length // (before * size))]
    return parts


def mesh_groups(match):
    """mesh['a'=2,'b'=4], device_ids=([sizes]T(order)) {'a','b':(1)2}: members along the used axes, in their order."""
    axes, of, order, used = match.groups()
    sizes = [(name, int(size)) for name, size in re.findall(r"'(\w+)'=(\d+)", axes)]
    wanted = []
    for name, before, size in re.findall(r"'(\w+)'(?::\((\d+)\)(\d+))?", used):
        if size:
            sizes = split_axis(sizes, name, int(before), int(size))
            name = f"{name}:({before}){size}"
        wanted.append(name)
    names, lengths = [name for name, _ in sizes], [size for _, size in sizes]
    by = [names.index(name) for name in names if name not in wanted] + [names.index(name) for name in wanted]
    members = math.prod(lengths[names.index(name)] for name in wanted)
    devices = ordered(numbers(of) if of else [math.prod(lengths)], numbers(order) if order else None)
    return devices.reshape(lengths).transpose(by).reshape(-1, members).tolist()


MESH = re.compile(r"replica_groups=mesh\[([^\]]*)\](?:, device_ids=\(\[([\d,]+)\](?:T\(([\d,]+)\))?\))? \{([^}]*)\}")


def groups(rest):
    """Of a collective's attributes; None: not written in a known form."""
    match = re.search(r"replica_groups=\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?", rest)
    if match:
        return range_groups(match)
    match = MESH.search(rest)
    if match:
        return mesh_groups(match)
    match = re.search(r"(?:replica_groups|source_target_pairs)=\{((?:\{[\d,]*\},?)*)\}", rest)
    return [numbers(group) for group in re.findall(r"\{([\d,]*)\}", match[1])] if match else None
