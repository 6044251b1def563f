#!/usr/bin/env python3
"""Several processes on one machine: what is promised of them, measured on an idle machine in about 8 minutes:

    PYTHONPATH=python hosts.py [--plugin FILE] [--rounds 7] [--runs 20]

JAX in 2 processes of one device: the latency of a psum of 1 KB, its bus bandwidth from 1 to 64 MB, bf16 beside f32, and steps of
data-parallel training of a small GPT, in turns with JAX's own CPU (gloo) in 2 other processes, which sleep meanwhile; the time from
jax.distributed.initialize() to the end of the first collective in 4 processes; and, with processes of conformance/job_worker.c, how
soon the others report one that was killed or stopped.
The engine's own bandwidth is ucx_perftest's, where it is installed (Debian's ucx-utils), measured in the same run by the same route: over
memory; and, as root, over TCP between two network namespaces whose link has each of RATES. There the processes have process numbers of
their own, too, so none reads the other one's memory. ucx_perftest sends in one direction; a sum uses both, so both at once are
measured, too: they are what the processor allows where it is busier than the link. Prints a table of value, bar and verdict; exits with 1
if a bar is missed."""
import argparse
import functools
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import programs

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts"))
from fault_drill import Namespaces, has_namespaces  # noqa: E402

MEGABYTE = 1 << 20
SIZES = [MEGABYTE, 4 * MEGABYTE, 16 * MEGABYTE, 64 * MEGABYTE]
TRAINING = {"4 x 256, 8 x 128": "4,256,4,128,8,2048", "4 x 768, 2 x 256": "4,768,12,256,2,8192"}  # layers x width, batch x length
RATES = [1, 5, 10, 25, 0]  # Gbit/s; 0: unlimited
DEADLINE = 3  # seconds of GANTRY_COLLECTIVE_TIMEOUT where a process is stopped


# ---- a process of JAX --------------------------------------------------------------------------------------------------------------
def training(mesh, *sizes):
    """A call that makes a step of data-parallel training: each process has a part of the batch, and all have the parameters."""
    import jax
    import numpy
    from jax.sharding import NamedSharding, PartitionSpec as P
    step, (parameters, tokens) = programs.gpt(*sizes)()
    whole, parted = NamedSharding(mesh, P()), NamedSharding(mesh, P("x"))
    here = numpy.array_split(numpy.asarray(tokens), jax.process_count())[jax.process_index()]
    state = [jax.tree.map(lambda value: jax.make_array_from_process_local_data(whole, numpy.asarray(value)), parameters)]
    batch, compiled = jax.make_array_from_process_local_data(parted, here), jax.jit(step, out_shardings=(whole, whole))

    def call():
        loss, state[0] = compiled(state[0], batch)
        return loss, state[0]
    return call


def serve(address, processes, rank):
    """Executes what the lines of standard input ask for."""
    import jax
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(address, int(processes), int(rank))
    begin = time.perf_counter()
    import jax.numpy as jnp
    import numpy
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
    mesh = Mesh(numpy.array(jax.devices()), ("x",))
    total = jax.jit(jax.shard_map(lambda v: jax.lax.psum(v, "x"), mesh=mesh, in_specs=P("x"), out_specs=P("x")))

    def array(dtype, size):
        count = size // jnp.dtype(dtype).itemsize
        return jax.make_array_from_process_local_data(NamedSharding(mesh, P("x")), numpy.ones((1, count), dtype))

    total(array(jnp.float32, 1024)).block_until_ready()
    print("seconds", time.perf_counter() - begin, flush=True)
    calls = {}
    for line in sys.stdin:
        what, size, count = line.split()
        if (what, size) not in calls:
            is_array = what in ("float32", "bfloat16")
            calls[what, size] = functools.partial(total, array(what, int(size))) if is_array else training(mesh, *map(int, what.split(",")))
        call = calls[what, size]
        for _ in range(min(10, int(count))):  # the processes do not read their lines at the same time
            jax.block_until_ready(call())
        begin = time.perf_counter()
        for _ in range(int(count)):
            jax.block_until_ready(call())
        print("seconds", (time.perf_counter() - begin) / int(count), flush=True)


class Job:
    """Processes of one side; `host`: of their coordinator; `prefixes`: commands that start a process elsewhere."""

    def __init__(self, platform, processes, host="127.0.0.1", prefixes=None):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = dict(os.environ, JAX_PLATFORMS=platform, GANTRY_CPU_DEVICES="1", JAX_NUM_CPU_DEVICES="1")
        self.children = [subprocess.Popen([*(prefixes[rank] if prefixes else []), sys.executable, __file__, "serve", f"{host}:{port}",
                                           str(processes), str(rank)], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                          stderr=subprocess.DEVNULL, text=True) for rank in range(processes)]
        self.first = max(map(self.read, self.children))

    @staticmethod
    def read(child):
        for line in child.stdout:  # gloo prints lines of its own
            if line.startswith("seconds "):
                return float(line.split()[1])
        raise SystemExit(f"a process ended with {child.wait()}")

    def time(self, what, size, count):
        """Seconds of a psum of `size` bytes of a type, or of a step of training by the arguments of programs.gpt()."""
        for child in self.children:
            child.stdin.write(f"{what} {size} {count}\n")
            child.stdin.flush()
        return max(map(self.read, self.children))

    def close(self):
        for child in self.children:
            child.kill()
        for child in self.children:
            child.wait()


def in_turns(jobs, keys, rounds, total=4 * MEGABYTE):
    """Median seconds by (job, key): every round measures all, one after the other. `total`: bytes of the calls of a measurement."""
    times = {}
    for _ in range(rounds):
        for what, size in keys:
            count = max(1, min(300, total // size)) if size else 2
            for name, job in jobs.items():
                times.setdefault((name, what, size), []).append(job.time(what, size, count))
    return {key: statistics.median(values) for key, values in times.items()}


# ---- faults ------------------------------------------------------------------------------------------------------------------------
def fault(options, number, seconds):
    """Seconds from a signal to the error in the other process."""
    environment = dict(os.environ, GANTRY_CPU_DEVICES="1", GANTRY_COLLECTIVE_TIMEOUT=str(seconds))
    with tempfile.TemporaryDirectory() as folder:
        children = [subprocess.Popen([options.worker, options.plugin, folder, str(rank), "2", "run", "1", "1000000"], env=environment,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for rank in range(2)]
        try:
            for child in children:
                while not child.stdout.readline().startswith("at"):
                    pass
            begin = time.perf_counter()
            children[1].send_signal(number)
            while True:
                line = children[0].stdout.readline()
                if not line:
                    return float("inf")
                if line.startswith("error"):
                    return time.perf_counter() - begin if "process 1" in line else float("inf")
        finally:
            for child in children:
                child.kill()
                child.wait()


def engine_bandwidths(pairs, environment):
    """Bytes a second of UCX's own benchmark from each client to its server, all at once: (command that starts a server elsewhere, the
    same of its client, the server's host)."""
    command = ["ucx_perftest", "-t", "tag_bw", "-s", str(4 * MEGABYTE), "-n", "200", "-w", "4"]
    quiet = {"stderr": subprocess.DEVNULL, "env": environment, "text": True}
    servers = [subprocess.Popen([*server, *command, "-p", str(13477 + i)], stdout=subprocess.DEVNULL, **quiet)
               for i, (server, _, _) in enumerate(pairs)]
    time.sleep(1)
    clients = [subprocess.Popen([*client, *command, "-p", str(13477 + i), host], stdout=subprocess.PIPE, **quiet)
               for i, (_, client, host) in enumerate(pairs)]
    outputs = [client.communicate(timeout=120)[0] for client in clients]
    for server in servers:
        server.kill()
        server.wait()
    return [next(float(line.split()[6]) * MEGABYTE for line in output.splitlines() if line.startswith("Final:")) for output in outputs]


def engine_bandwidth():
    """UCX's own bandwidth between two processes of this machine, which read the sender's memory as Gantry does."""
    environment = dict(os.environ, UCX_TLS="tcp,cma,self", UCX_NET_DEVICES="lo")
    return engine_bandwidths([([], [], "127.0.0.1")], environment)[0] if shutil.which("ucx_perftest") else None


# ---- a network ---------------------------------------------------------------------------------------------------------------------
class Link(Namespaces):
    """Two namespaces, and a link between them."""

    def __init__(self):
        super().__init__(2)
        self.hosts = [f"10.213.0.{i + 1}" for i in range(2)]

    def limit(self, rate):
        """Gbit/s in each direction; 0: none."""
        for i in range(2):
            tc = ["tc", "-n", self.names[i], "qdisc", "replace" if rate else "del", "dev", "wire", "root"]
            burst = max(131072, int(rate * 1e9 / 8 * 0.0005))  # half a millisecond
            limits = ["tbf", "rate", f"{rate}gbit", "burst", str(burst), "limit", str(max(4 * MEGABYTE, 2 * burst))]
            subprocess.run([*tc, *(limits if rate else [])], check=rate != 0, capture_output=True)

    def engine(self):
        """Bytes a second in one direction, and in each of both at once."""
        environment = dict(os.environ, UCX_TLS="tcp,self", UCX_NET_DEVICES="wire")
        pairs = [(self.prefix(i), self.prefix(1 - i), self.hosts[i]) for i in range(2)]
        return engine_bandwidths(pairs[:1], environment)[0], min(engine_bandwidths(pairs, environment))


def over_network(table, options):
    if not has_namespaces() or not shutil.which("ucx_perftest"):
        table.row("psum over a network", "needs root and ucx_perftest", ">= 70 % of the engine's", None)
        return
    link = Link()
    try:
        os.environ["JAX_COORDINATOR_ADDRESS"] = link.hosts[0] + ":1"  # tells the interface
        job = Job("gantry", 2, link.hosts[0], [[*link.prefix(i), "unshare", "--pid", "--fork", "--kill-child"] for i in range(2)])
        for rate in RATES:
            link.limit(rate)
            measure_link(table, options, link, job, rate)
        job.close()
    finally:
        link.remove()


def measure_link(table, options, link, job, rate):
    engine, times = [], {}
    keys = [("float32", size) for size in SIZES] + [("bfloat16", size // 2) for size in SIZES]
    for _ in range(max(1, options.rounds // 2)):
        engine.append(link.engine())
        for key, seconds in in_turns({"gantry": job}, keys, 1, int((rate or 10) * 40e6)).items():  # a third of a second
            times.setdefault(key, []).append(seconds)
    one, both = (statistics.median(values) for values in zip(*engine))
    for what, size in keys:
        ours = size / statistics.median(times["gantry", what, size])
        table.row(f"psum of {size / MEGABYTE:g} MB {what}, " + (f"{rate} Gbit/s" if rate else "no limit"), f"{ours / 1e9:.3f} GB/s",
                  f">= 70 %: {100 * ours / one:.0f} of {one / 1e9:.2f}, both ways {100 * ours / both:.0f} of {both / 1e9:.2f}", ours >= 0.7 * one)


# ---- the table ---------------------------------------------------------------------------------------------------------------------
class Table:
    def __init__(self):
        self.missed = 0

    def row(self, name, value, bar, holds):
        verdict = "-" if holds is None else "holds" if holds else "MISSED"
        self.missed += verdict == "MISSED"
        print(f"{name:48} {value:>26}   {bar:34} {verdict}", flush=True)


def collectives(table, options):
    keys = [("float32", 1024)] + [("float32", size) for size in SIZES] + [("bfloat16", 2 * MEGABYTE)]
    jobs = {"gantry": Job("gantry", 2), "cpu": Job("cpu", 2)}
    times = in_turns(jobs, keys, options.rounds)
    times.update(in_turns(jobs, [(sizes, 0) for sizes in TRAINING.values()], options.rounds))  # last: it disturbs what follows
    for job in jobs.values():
        job.close()
    ours, theirs = times["gantry", "float32", 1024] * 1e6, times["cpu", "float32", 1024] * 1e6
    table.row("psum of 1 KB", f"{ours:.0f} us, jax[cpu] {theirs:.0f} us", "<= 60 us, <= 1/3 of jax[cpu]", ours <= 60 and ours <= theirs / 3)
    engine = engine_bandwidth()
    for size in SIZES:  # of 2 processes the bus bandwidth of an all-reduce is bytes / seconds
        ours, theirs = (size / times[name, "float32", size] / 1e9 for name in ("gantry", "cpu"))
        table.row(f"psum of {size // MEGABYTE} MB, bus bandwidth", f"{ours:.2f}, jax[cpu] {theirs:.2f} GB/s", ">= 2 x jax[cpu]",
                  ours >= 2 * theirs)
        if engine:
            table.row("", f"{100 * ours * 1e9 / engine:.0f} % of {engine / 1e9:.2f} GB/s", ">= 70 % of the engine's", ours * 1e9 >= 0.7 * engine)
    if not engine:
        table.row("the engine's bandwidth", "no ucx_perftest", ">= 70 % of the engine's", None)
    ratio = times["gantry", "bfloat16", 2 * MEGABYTE] / times["gantry", "float32", 4 * MEGABYTE]
    table.row("psum of 1 M elements, bf16 beside f32", f"{ratio:.2f}", "<= 0.6", ratio <= 0.6)
    for name, sizes in TRAINING.items():
        ours, theirs = (times[side, sizes, 0] * 1e3 for side in ("gantry", "cpu"))
        table.row(f"data-parallel GPT step, {name}", f"{ours:.0f} ms, jax[cpu] {theirs:.0f} ms", ">= 1.5 x jax[cpu]", theirs >= 1.5 * ours)


def main():
    if sys.argv[1:2] == ["serve"]:
        return serve(*sys.argv[2:])
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", default="build/lib/pjrt_c_api_gantry_plugin.so")
    parser.add_argument("--worker", default="build/test/conformance/job_worker")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--runs", type=int, default=20, help="processes to kill, and a quarter as many to stop")
    options, table, begin = parser.parse_args(), Table(), time.monotonic()
    collectives(table, options)
    over_network(table, options)
    firsts = []
    for _ in range(3):
        job = Job("gantry", 4)
        firsts.append(job.first)
        job.close()
    table.row("first collective after initialize, 4 processes", f"{statistics.median(firsts):.2f} s", "<= 0.5 s", statistics.median(firsts) <= 0.5)
    killed = sorted(fault(options, signal.SIGKILL, 60) for _ in range(options.runs))
    late = killed[int(0.95 * (len(killed) - 1))]
    table.row(f"SIGKILL to the error, {len(killed)} runs", f"95 %: {late:.3f} s, most {killed[-1]:.3f} s", "<= 0.1 s, <= 1 s",
              late <= 0.1 and killed[-1] <= 1)
    stopped = [fault(options, signal.SIGSTOP, DEADLINE) for _ in range(max(1, options.runs // 4))]
    table.row(f"SIGSTOP to the error, {len(stopped)} runs", f"{min(stopped):.2f} to {max(stopped):.2f} s", f"{DEADLINE} +- 1 s",
              all(abs(seconds - DEADLINE) <= 1 for seconds in stopped))
    print(f"{time.monotonic() - begin:.0f} s")
    return table.missed > 0


if __name__ == "__main__":
    sys.exit(main())
