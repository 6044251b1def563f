#!/usr/bin/env python3
"""Generates the recorded machines for the tests of placement and of `gantry topo`, in memory/testdata/machines/<name>/:
hwloc's topology.xml, as `lstopo topology.xml` would write it on such a machine, and the files of control groups.
GANTRY_SYSFS_ROOT=<folder> replaces the real machine by one of them. Run this script after changing it; its output is
committed, so tests do not run it."""
import os

GIB = 1 << 30
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "memory", "testdata", "machines")


def bits(numbers):
    """hwloc's text form of a bit set: 32-bit words, highest first."""
    value = sum(1 << n for n in set(numbers))
    words = []
    while value or not words:
        words.insert(0, "0x%08x" % (value & 0xFFFFFFFF))
        value >>= 32
    return ",".join(words)


class Machine:
    """A machine of packages x nodes x cores x threads. offline: processors that are offline; cpus, allowed_nodes: those that
    the process may use (None: all); extra: memory-only nodes, each (package, or None for the machine; GiB)."""

    def __init__(self, packages, nodes, cores, threads=1, gib=64, offline=(), cpus=None, allowed_nodes=None, extra=()):
        self.packages, self.nodes, self.cores, self.threads, self.gib = packages, nodes, cores, threads, gib
        self.offline, self.extra = set(offline), list(extra)
        self.all_cpus = range(packages * nodes * cores * threads)
        self.all_nodes = range(packages * nodes + len(self.extra))
        self.cpus = set(self.all_cpus if cpus is None else cpus) - self.offline
        self.allowed_nodes = set(self.all_nodes if allowed_nodes is None else allowed_nodes)
        self.lines, self.serial = [], 0

    def cpus_of(self, first_core, count):
        """The processors in the order of Linux's numbers: first one thread of each core, then the others."""
        total = self.packages * self.nodes * self.cores
        return [core + total * thread for thread in range(self.threads) for core in range(first_core, first_core + count)]

    def open(self, indent, kind, cpus, nodes, leaf=False, **values):
        self.serial += 1
        online = [c for c in cpus if c not in self.offline]
        sets = f'cpuset="{bits(online)}" complete_cpuset="{bits(cpus)}" '
        if kind == "Machine":
            sets += f'allowed_cpuset="{bits(self.cpus)}" '
        sets += f'nodeset="{bits(nodes)}" complete_nodeset="{bits(nodes)}" '
        if kind == "Machine":
            sets += f'allowed_nodeset="{bits(self.allowed_nodes)}" '
        more = "".join(f' {name}="{value}"' for name, value in values.items())
        self.lines.append(f'{"  " * indent}<object type="{kind}" {sets}gp_index="{self.serial}"{more}{"/" if leaf else ""}>')

    def close(self, depth):
        self.lines.append("  " * depth + "</object>")

    def memory(self, depth, cpus, number, gib):
        self.open(depth, "NUMANode", cpus, [number], leaf=True, os_index=number, local_memory=gib * GIB)

    def core(self, depth, core, node):
        cpus = self.cpus_of(core, 1)
        if all(c in self.offline for c in cpus):
            return
        for level, size, kind in ((2, 2 << 20, 0), (1, 48 << 10, 1)):
            self.open(depth + 2 - level, f"L{level}Cache", cpus, [node], cache_size=size, depth=level, cache_linesize=64,
                      cache_associativity=0, cache_type=kind)
        self.open(depth + 2, "Core", cpus, [node], os_index=core)
        for cpu in cpus:
            if cpu not in self.offline:
                self.open(depth + 3, "PU", [cpu], [node], leaf=True, os_index=cpu)
        for level in (2, 1, 0):
            self.close(depth + level)

    def node(self, depth, node):
        cpus = self.cpus_of(node * self.cores, self.cores)
        own = [node]
        if all(c in self.offline for c in cpus):
            return
        self.open(depth, "L3Cache", cpus, own, cache_size=32 << 20, depth=3, cache_linesize=64, cache_associativity=0, cache_type=0)
        self.memory(depth + 1, cpus, node, self.gib)
        for core in range(node * self.cores, (node + 1) * self.cores):
            self.core(depth + 1, core, node)
        self.close(depth)

    def package(self, package):
        per = self.nodes * self.cores
        cpus = self.cpus_of(package * per, per)
        extra = [(i, gib) for i, (home, gib) in enumerate(self.extra) if home == package]
        nodes = list(range(package * self.nodes, (package + 1) * self.nodes)) + [self.packages * self.nodes + i for i, _ in extra]
        self.open(2, "Package", cpus, nodes, os_index=package)
        for i, gib in extra:
            self.memory(3, cpus, self.packages * self.nodes + i, gib)
        for node in range(package * self.nodes, (package + 1) * self.nodes):
            self.node(3, node)
        self.close(2)

    def xml(self):
        self.lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE topology SYSTEM "hwloc2.dtd">', '<topology version="2.0">']
        self.open(1, "Machine", list(self.all_cpus), list(self.all_nodes), os_index=0)
        for i, (home, gib) in enumerate(self.extra):
            if home is None:
                self.memory(2, list(self.all_cpus), self.packages * self.nodes + i, gib)
        for package in range(self.packages):
            self.package(package)
        self.close(1)
        return "\n".join(self.lines + ["</topology>", ""])


MACHINES = {
    "1-node": Machine(1, 1, 4, threads=2, gib=32),
    "2-nodes": Machine(2, 1, 8),
    "4-nodes": Machine(2, 2, 4, threads=2),
    "8-nodes": Machine(2, 4, 4),
    "memory-only": Machine(2, 1, 4, extra=[(0, 16), (None, 256)]),  # fast memory in a package, far memory beside both
    "cpuset": Machine(2, 1, 8, cpus=range(8, 12), allowed_nodes=[1]),
    "offline": Machine(2, 1, 8, offline=[1, 5, 8, 9, 10, 11, 12, 13]),
    "quota": Machine(2, 1, 8),
}
GROUPS = {"quota": {"proc/self/cgroup": "0::/job\n", "sys/fs/cgroup/job/cpu.max": "400000 100000\n", "sys/fs/cgroup/job/memory.max": f"{16 * GIB}\n"}}


def write(name, path, text):
    path = os.path.join(ROOT, name, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


for name, machine in MACHINES.items():
    write(name, "topology.xml", machine.xml())
    for path, text in GROUPS.get(name, {}).items():
        write(name, path, text)
