"""cycles.py: the time of a program by its compiled schedule. An instruction takes as long as the slower of its bundles (cycles) and its
bytes in HBM; loops count with their trip counts, asynchronous copies run beside what follows them. Clocks and bandwidths are assumed
(devices/tpu/spec.def); stalls and launches are not in it.

A bundle is a cycle. A kernel's loop that ends at N iterations is software-pipelined and does its work N - 2 times."""
import glob
import os
import re

import dumps
import hlo

CLOCK = {"v4": 1.05e9, "v5e": 1.5e9, "v5p": 1.75e9, "v6e": 1.75e9, "tpu7x": 2.2e9}
BANDWIDTH = {"v4": 982.5e9, "v5e": 737.66e9, "v5p": 2350.4e9, "v6e": 1638e9, "tpu7x": 3686e9}
BUNDLE = re.compile(r"^\s*(?:0x)?[0-9a-f]+\s+(?:([A-Z]{2}))?:([> ]*)\{")
EMPTY = re.compile(r":[> ]*\{\}")
EXIT = re.compile(r"scmp\.ge\.s32\.totalorder %\w+, (\d+) /\* loop exit test")
FILE = re.compile(r"\d+-(.+)-\d+-final_bundles\.txt$")
PIPELINED = 2
EXACT_SHARE = 0.85  # of the time whose cycles are known, for tier A


def flags(folder):
    return f"--xla_jf_dump_to={folder}/llo --xla_jf_dump_llo_text=true --xla_jf_dump_llo_pass_label_regex=final_bundles"


# ---- kernels ---------------------------------------------------------------------------------------
class Nest:
    """Counts the cycles of nested loops, bundle by bundle."""

    def __init__(self):
        self.open, self.exact = [[0, 1]], True  # cycles and trip count of each open loop

    def close(self, depth):
        while len(self.open) > depth + 1:
            cycles, trips = self.open.pop()
            self.exact &= trips is not None
            self.open[-1][0] += cycles * (trips or 1)

    def add(self, label, depth, text):
        """An empty bundle has no mark of the loop that it is in."""
        depth = len(self.open) - 1 if EMPTY.search(text) else depth
        self.close(depth)
        if label == "LB":
            self.close(depth - 1)
        while len(self.open) <= depth:
            self.open.append([0, None])
        self.open[-1][0] += 1
        exit_test = EXIT.search(text)
        if exit_test and depth:
            self.open[-1][1] = max(1, int(exit_test[1]) - PIPELINED)


def kernel_cycles(path):
    """-> cycles of one execution, whether all trip counts are known."""
    nest = Nest()
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = BUNDLE.match(line)
            if match:
                nest.add(match[1], match[2].count(">"), line)
    nest.close(0)
    return nest.open[0][0], nest.exact


def all_cycles(folder):
    found = {}
    for path in glob.glob(os.path.join(folder, "llo", "*final_bundles.txt")):
        match = FILE.match(os.path.basename(path))
        if match and "schedule-analysis" not in path:
            found[match[1]] = kernel_cycles(path)
    return found


# ---- bytes -----------------------------------------------------------------------------------------
PARTS = ("dynamic-slice", "slice", "gather")
NOTHING = ("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "while", "conditional", "partition-id", "after-all")


def users(instructions, name):
    return [instruction for instruction in instructions if name in instruction.operands]


def read_bytes(instructions, parameter):
    """What a fusion reads of its parameter: of one that is only sliced, the slices."""
    using = users(instructions, parameter.name)
    if using and all(user.operation in PARTS and user.operands[0] == parameter.name for user in using):
        return min(sum(hlo.hbm_bytes(strip(user.type)) for user in using), hlo.hbm_bytes(strip(parameter.type)))
    if using and all(user.operation in ("dynamic-update-slice", "scatter") and user.operands[0] == parameter.name for user in using):
        return 0
    return hlo.hbm_bytes(strip(parameter.type))


def strip(kind):
    return re.sub(r"S\(\d+\)", "", kind)


def written_bytes(module, instruction):
    inside = module.get(instruction.called("calls") or "", [])
    root = next((i for i in inside if i.is_root), instruction)
    source = inside or None
    if root.operation in ("dynamic-update-slice", "scatter"):
        by_name = {i.name: i for i in source or ()}
        update = by_name.get(root.operands[-1 if root.operation == "scatter" else 1])
        return hlo.hbm_bytes(strip(update.type)) if update and hlo.hbm_bytes(instruction.type) else 0
    return hlo.hbm_bytes(instruction.type)


def bytes_of(module, instruction, types):
    """Of an instruction that is no copy between memories."""
    inside = module.get(instruction.called("calls") or "", [])
    parameters = [i for i in inside if i.operation == "parameter"]
    parameters.sort(key=lambda i: int(re.match(r"(\d+)", i.rest)[1]))
    total = written_bytes(module, instruction)
    for number, operand in enumerate(instruction.operands):
        whole = hlo.hbm_bytes(types.get(operand, ""))
        if whole and number < len(parameters):
            whole = read_bytes(inside, parameters[number])
        elif whole and instruction.operation in PARTS and number == 0:
            whole = hlo.hbm_bytes(strip(instruction.type))
        total += whole
    return total


# ---- the schedule ----------------------------------------------------------------------------------
def trip_count(module, loop):
    condition = module.get(loop.called("condition") or "", [])
    root = next((i for i in condition if i.is_root), None)
    limits = [int(re.match(r"(\d+)", i.rest)[1]) for i in condition if i.operation == "constant" and re.match(r"\d", i.rest)]
    return limits[0] if root is not None and len(limits) == 1 else None


class Clock:
    """Walks over the schedule."""

    def __init__(self, module, cycles, generation):
        self.module, self.cycles, self.generation = module, cycles, generation
        self.known, self.all, self.unknown_trips, self.by_kernel = 0.0, 0.0, 0, []

    def copied(self, instruction):
        """Bytes of the copy that begins: of its destination, or its source."""
        parts = hlo.shapes(instruction.type)[:2]
        return max(hlo.hbm_bytes(f"{name}[{','.join(map(str, sizes))}]") for name, sizes, _ in parts) if parts else 0

    def seconds_of(self, instruction, types, times):
        moved = bytes_of(self.module, instruction, types) / BANDWIDTH[self.generation]
        cycles, exact = self.cycles.get(instruction.name, (None, False))
        seconds = max(moved, (cycles or 0) / CLOCK[self.generation])
        self.all += seconds * times
        self.known += seconds * times * (exact or cycles is None and instruction.operation == "copy")
        self.by_kernel.append((seconds * times, instruction.name, instruction.operation, cycles, moved, times))
        return seconds

    def run(self, name, times=1):
        now, channel, done = 0.0, 0.0, {}
        types = {i.name: i.type for i in self.module[name]}
        for i in self.module[name]:
            if i.operation == "while":
                trips = trip_count(self.module, i)
                self.unknown_trips += trips is None
                now += self.run(i.called("body"), times * (trips or 1)) * (trips or 1)
            elif i.operation in ("copy-start", "slice-start", "async-start"):
                channel = max(channel, now) + self.copied(i) / BANDWIDTH[self.generation]
                done[i.name] = channel
            elif i.operation.endswith("-done"):
                now = max(now, *[done.get(operand, 0.0) for operand in i.operands])
            elif i.operation == "conditional":
                self.unknown_trips += 1
            elif i.operation not in NOTHING:
                now += self.seconds_of(i, types, times)
        return now


def times(folder, generation):
    module, entry = hlo.computations(dumps.text_of(folder, "after_codegen.txt"))
    if not entry:
        return {"tier": "none"}
    clock = Clock(module, all_cycles(folder), generation)
    seconds = clock.run(entry)
    coverage = clock.known / clock.all if clock.all else 1.0
    tier = "none" if clock.unknown_trips else "A" if coverage >= EXACT_SHARE else "B"
    largest = sorted(clock.by_kernel, key=lambda item: -item[0])[:24]
    return {"tier": tier, "seconds": seconds, "known_share": coverage,
            "largest": [dict(zip(("seconds", "name", "operation", "cycles", "hbm_seconds", "times"), item)) for item in largest]}
