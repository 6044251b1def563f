"""cycles.py: the time of a program by its compiled schedule. An instruction takes as long as the slower of its bundles (cycles) and its
bytes in HBM; loops count with their trip counts, asynchronous copies run beside what follows them. Clocks and bandwidths are assumed
(devices/tpu/spec.def); stalls and launches are not in it.

A bundle is a cycle. A kernel's loop that ends at N iterations is software-pipelined. It does its work N - 2 times if its copies in, its
work, and its copies out are stages, or N - 1 times if two of these are: as often as one of its copies has windows, which the dump prints.
So often does a loop whose limit is no constant. The loop over the kernel's grid does not run more often than the grid has iterations,
which the module says."""
import glob
import math
import os
import re

import dumps
import hlo

CLOCK = {"v4": 1.05e9, "v5e": 1.5e9, "v5p": 1.75e9, "v6e": 1.75e9, "tpu7x": 2.2e9}
BANDWIDTH = {"v4": 982.5e9, "v5e": 737.66e9, "v5p": 2350.4e9, "v6e": 1638e9, "tpu7x": 3686e9}
BUNDLE = re.compile(r"^\s*(?:0x)?[0-9a-f]+\s+(?:([A-Z]{2}))?:([> ]*)\{")
EMPTY = re.compile(r":[> ]*\{\}")
EXIT = re.compile(r"scmp\.ge\.s32\.totalorder %\w+, (\d+) /\* loop exit test")
WINDOWS = re.compile(r"^iteration_bounds: \(([\d, ]+)\)")  # of a copy that the bundle before starts
GRID = re.compile(r'"iteration_bounds":\[([\d",]+)\]')
FILE = re.compile(r"\d+-(.+)-\d+-final_bundles\.txt$")
PIPELINED = 2
EXACT_SHARE = 0.85  # of the time whose cycles are known, for tier A


def flags(folder):
    return f"--xla_jf_dump_to={folder}/llo --xla_jf_dump_llo_text=true --xla_jf_dump_llo_pass_label_regex=final_bundles"


# ---- kernels ---------------------------------------------------------------------------------------
class Nest:
    """Counts the cycles of nested loops, bundle by bundle."""

    def __init__(self, grid):
        self.open, self.exact, self.grid = [[0, 1, 1]], True, grid  # cycles, trip count, windows of a copy of each open loop

    def close(self, depth):
        while len(self.open) > depth + 1:
            cycles, limit, windows = self.open.pop()
            self.exact &= limit is not None or windows > 0
            self.open[-1][0] += cycles * self.trips(limit, windows, len(self.open))

    def trips(self, limit, windows, depth):
        if limit is None:
            return max(1, windows)
        trips = windows if windows == limit - 1 else max(1, limit - PIPELINED)
        return min(trips, self.grid) if depth == 1 else trips

    def add(self, label, depth, text):
        """An empty bundle has no mark of the loop that it is in."""
        depth = len(self.open) - 1 if EMPTY.search(text) else depth
        self.close(depth)
        if label == "LB":
            self.close(depth - 1)
        while len(self.open) <= depth:
            self.open.append([0, None, 0])
        self.open[-1][0] += 1
        exit_test = EXIT.search(text)
        if exit_test and depth:
            self.open[-1][1] = int(exit_test[1])

    def add_windows(self, count):
        self.open[-1][2] = max(self.open[-1][2], count)


def kernel_cycles(path, grid):
    """-> cycles of one execution, whether all trip counts are known."""
    nest = Nest(grid)
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = BUNDLE.match(line)
            windows = WINDOWS.match(line)
            if match:
                nest.add(match[1], match[2].count(">"), line)
            elif windows:
                nest.add_windows(math.prod(map(int, windows[1].split(","))))
    nest.close(0)
    return nest.open[0][0], nest.exact


def grids(module):
    """-> iterations of the grid of each instruction that has one."""
    found = {}
    for instruction in (i for instructions in module.values() for i in instructions):
        bounds = GRID.search(instruction.rest)
        if bounds:
            found[instruction.name] = math.prod(int(bound) for bound in re.findall(r"\d+", bounds[1]))
    return found


def shape_of_kernel(module, instruction, types):
    """Equal for instructions that the compiler gives one code: it dumps that for the first of them only."""
    inside = module.get(instruction.called("calls") or "", [])
    nested = tuple(shape_of_kernel(module, i, {j.name: j.type for j in inside}) for i in inside)
    return instruction.operation, instruction.type, tuple(types.get(operand) for operand in instruction.operands), nested


def shared_cycles(module, found):
    """-> `found`, and the same of instructions that share the code of one that was dumped."""
    keys = {}
    for instructions in module.values():
        types = {i.name: i.type for i in instructions}
        for i in instructions:
            if i.operation not in NOTHING and (i.called("calls") or i.name in found or i.operation == "copy"):
                keys.setdefault(shape_of_kernel(module, i, types), []).append(i.name)
    shared = {}
    for names in keys.values():
        known = [found[name] for name in names if name in found]
        shared.update((name, known[0]) for name in names if known)
    return {**shared, **found}


def all_cycles(folder, module):
    found, grid = {}, grids(module)
    for path in glob.glob(os.path.join(folder, "llo", "*final_bundles.txt")):
        match = FILE.match(os.path.basename(path))
        if match and "schedule-analysis" not in path:
            found[match[1]] = kernel_cycles(path, grid.get(match[1], math.inf))
    return shared_cycles(module, found)


# ---- bytes -----------------------------------------------------------------------------------------
PARTS = ("dynamic-slice", "slice", "gather")
SPARSE = 'async_execution_thread="sparsecore"'
UPDATES = ("dynamic-update-slice", "scatter")  # in place
NOTHING = ("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "while", "conditional", "partition-id", "after-all")


def users(instructions, name):
    """-> [user, the name by which it reads the value]; a bitcast is another name."""
    found = []
    for instruction in instructions:
        if name in instruction.operands:
            is_name = instruction.operation == "bitcast" and not instruction.is_root
            found += users(instructions, instruction.name) if is_name else [(instruction, name)]
    return found


def used_bytes(module, user, name, whole):
    """What the instruction reads of its operand: a slice what it has, an update in place nothing, a nested fusion what that reads."""
    if user.operation in PARTS and user.operands[0] == name:
        return hlo.hbm_bytes(strip(user.type))
    if user.operation in UPDATES and user.operands[0] == name:
        return 0
    inside = parameters_of(module, user)
    if not inside:
        return whole
    return sum(read_bytes(module, user, inside[i]) for i, operand in enumerate(user.operands) if operand == name)


def read_bytes(module, fusion, parameter):
    whole = hlo.hbm_bytes(strip(parameter.type))
    using = users(module[fusion.called("calls")], parameter.name)
    return min(whole, sum(used_bytes(module, user, name, whole) for user, name in using)) if using else whole


def parameters_of(module, fusion):
    inside = module.get(fusion.called("calls") or "", [])
    return sorted((i for i in inside if i.operation == "parameter"), key=lambda i: int(re.match(r"(\d+)", i.rest)[1]))


def strip(kind):
    return re.sub(r"S\(\d+\)", "", kind)


def behind_bitcasts(instruction, by_name):
    while instruction.operation == "bitcast" and instruction.operands and instruction.operands[0] in by_name:
        instruction = by_name[instruction.operands[0]]
    return instruction


def result_bytes(instruction, kind, by_name):
    """What writing one result of the type takes: of an update in place, the update."""
    if instruction.operation not in UPDATES:
        return hlo.hbm_bytes(kind)
    update = by_name.get(instruction.operands[-1 if instruction.operation == "scatter" else 1])
    return hlo.hbm_bytes(strip(update.type)) if update and hlo.hbm_bytes(kind) else 0


def written_bytes(module, instruction):
    inside = module.get(instruction.called("calls") or "", [])
    by_name = {i.name: i for i in inside}
    root = next((i for i in inside if i.is_root), instruction)
    if root.operation != "tuple":
        return result_bytes(behind_bitcasts(root, by_name), instruction.type, by_name)
    results = [by_name[name] for name in root.operands if name in by_name]
    return sum(result_bytes(behind_bitcasts(result, by_name), result.type, by_name) for result in results)


def bytes_of(module, instruction, types):
    """Of an instruction that is no copy between memories."""
    parameters = parameters_of(module, instruction)
    total = written_bytes(module, instruction)
    for number, operand in enumerate(instruction.operands):
        whole = hlo.hbm_bytes(types.get(operand, ""))
        if whole and number < len(parameters):
            whole = read_bytes(module, instruction, parameters[number])
        elif whole and number == 0 and instruction.operation in PARTS:
            whole = hlo.hbm_bytes(strip(instruction.type))
        elif number == 0 and instruction.operation in UPDATES:
            whole = 0
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
        self.on_sparse_cores = False  # work whose cycles no dump has

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
            elif SPARSE in i.rest:
                self.on_sparse_cores = True
            elif i.operation in ("copy-start", "slice-start", "async-start"):
                channel = max(channel, now) + self.copied(i) / BANDWIDTH[self.generation]
                done[i.name] = channel
            elif i.operation.endswith("-done"):
                now = max(now, *[done.get(operand, 0.0) for operand in i.operands])
            elif i.operation == "conditional":
                self.unknown_trips += 1
            elif i.operation not in NOTHING and "AllocateBuffer" not in i.rest:
                now += self.seconds_of(i, types, times)
        return now


def times(folder, generation):
    module, entry = hlo.computations(dumps.text_of(folder, "after_codegen.txt"))
    if not entry:
        return {"tier": "none"}
    clock = Clock(module, all_cycles(folder, module), generation)
    seconds = clock.run(entry)
    coverage = clock.known / clock.all if clock.all else 1.0
    tier = "none" if clock.unknown_trips or clock.on_sparse_cores else "A" if coverage >= EXACT_SHARE else "B"
    largest = sorted(clock.by_kernel, key=lambda item: -item[0])[:24]
    return {"tier": tier, "seconds": seconds, "known_share": coverage,
            "largest": [dict(zip(("seconds", "name", "operation", "cycles", "hbm_seconds", "times"), item)) for item in largest]}
