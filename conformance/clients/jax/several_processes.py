#!/usr/bin/env python3
"""JAX in several processes (jax.distributed) on one machine:

    several_processes.py

Collectives of all kinds, a partitioned product, a sort and a move to another order of devices give the same bits in 1 process
of 4 devices, 2 of 2 and 4 of 1, and of 8 devices in 1, 2, 4 and 8 processes; a checkpoint that one division of 4 wrote is restored by the others; a process that is killed is an error
in the other one, which names it, and the other one runs on; a process that is stopped is named by all that wait for it in a chain."""
import ctypes
import hashlib
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

DEVICES = 4
LIMIT = 240  # seconds of one job


def forbid_reading_memory():
    """The system refuses to read the memory of other processes (process_vm_readv), as some containers do."""
    instructions = ((0x20, 0, 0, 0), (0x15, 0, 1, 310), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7fff0000))  # its number: EPERM; others: allow
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in instructions)
    class Program(ctypes.Structure):
        _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_char_p)]
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.byref(Program(len(instructions), code))) == 0


def begin(port, processes, rank):
    if os.environ.get("FORBIDDEN") == str(rank):
        forbid_reading_memory()
    import jax
    if not port:  # by the variables of `gantry launch`
        jax.distributed.initialize()
    elif processes > 1:
        jax.distributed.initialize(f"127.0.0.1:{port}", processes, rank)
    return jax


def ragged(lax, jnp, value, count):
    """Participant i sends i + j + 1 elements to participant j, which puts them one after the other."""
    here, all_of = lax.axis_index("x"), jnp.arange(count)
    sizes, received = here + all_of + 1, all_of + here + 1
    begins = jnp.cumsum(sizes) - sizes
    places = here * all_of + here * (here + 1) // 2  # in each receiver: after those of 0 to here - 1
    return lax.ragged_all_to_all(value, jnp.zeros_like(value), begins, sizes, places, received, axis_name="x")


def ragged_rows(jax, mesh, put, random, dtype):
    """Participants exchange rows of a matrix: many, few or none, more than a process lends its memory for, and in no order of places."""
    import numpy as np
    from jax.sharding import PartitionSpec as P

    count, rows, width = len(jax.devices()), 1000, 90
    sizes = random.integers(0, rows // count, (count, count)) * (random.random((count, count)) < 0.7)
    sizes[:, 1] = 0  # receives nothing
    sizes[2] = 0  # sends nothing
    begins, places = np.cumsum(sizes, 1) - sizes, np.cumsum(sizes[::-1], 0)[::-1] - sizes
    whole = random.standard_normal((count, rows, width)).astype(dtype)
    expected = np.zeros_like(whole)
    for i, j in np.ndindex(count, count):
        expected[j, places[i, j]:places[i, j] + sizes[i, j]] = whole[i, begins[i, j]:begins[i, j] + sizes[i, j]]

    def shard(value, *parts):
        return jax.lax.ragged_all_to_all(value[0], jax.numpy.zeros_like(value[0]), *(part[0] for part in parts), axis_name="x")[None]

    given = [put(mesh, P("x"), array) for array in (whole, *(part.astype(np.int32) for part in (begins, sizes, places, sizes.T)))]
    result = jax.jit(jax.shard_map(shard, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))(*given)
    for part in result.addressable_shards:
        np.testing.assert_array_equal(np.asarray(part.data, np.float32), expected[part.index].astype(np.float32))
    return result


def checkpoint(jax, folder, processes, array, rows, shardings):
    """Each process writes its parts of the array; those that another division of the processes wrote before are restored."""
    import numpy as np
    from jax.experimental import multihost_utils

    def read(path):
        whole = np.full(array.shape, np.nan, np.float32)
        for name in os.listdir(path):
            place = tuple(slice(*map(int, part.split("-"))) for part in name.split(".")[0].split("_"))
            whole[place] = np.load(os.path.join(path, name))
        return whole

    def check(restored, other):
        expected = jax.device_put(array, restored.sharding)
        assert all((np.asarray(a.data) == np.asarray(b.data)).all()
                   for a, b in zip(restored.addressable_shards, expected.addressable_shards, strict=True)), (other, restored.sharding)

    for other in sorted(os.listdir(folder)):
        saved = read(os.path.join(folder, other))
        for sharding in (rows, *shardings):
            check(jax.make_array_from_callback(array.shape, sharding, lambda index, saved=saved: saved[index]), other)
        here = np.array([index[0].indices(len(saved))[:2] for index in rows.addressable_devices_indices_map(array.shape).values()])
        check(jax.make_array_from_process_local_data(rows, saved[here.min():here.max()]), other)
    multihost_utils.sync_global_devices("restored")
    path = os.path.join(folder, str(processes))
    os.makedirs(path, exist_ok=True)
    for part in array.addressable_shards:
        name = "_".join("{}-{}".format(*index.indices(size)) for index, size in zip(part.index, array.shape))
        np.save(os.path.join(path, name), np.asarray(part.data))


def collectives(jax, count):
    """The function of one shard that uses every kind."""
    import jax.numpy as jnp
    lax = jax.lax

    def shard(value):
        value = value[0]
        scattered = lax.psum_scatter(value, "x", tiled=True)
        parts = value.reshape(count, -1)
        results = (lax.psum(value, "x"), lax.pmax(value, "x"), scattered, lax.all_gather(scattered, "x", tiled=True),
                   lax.all_to_all(parts, "x", 0, 0), lax.all_to_all(parts, "x", 0, 1, tiled=True),
                   lax.ppermute(value, "x", [(i, (i + 1) % count) for i in range(count - 1)]), ragged(lax, jnp, value, count),
                   lax.fori_loop(0, 3, lambda i, v: lax.psum(v, "x") * jnp.asarray(0.1, v.dtype), value))
        return tuple(result[None] for result in results)

    return shard


def bits(port, processes, rank):
    """Prints a digest of the results."""
    jax = begin(port, processes, rank)
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    count, digest, random = len(jax.devices()), hashlib.sha256(), np.random.default_rng(0)
    line = Mesh(np.array(jax.devices()), ("x",))
    square = Mesh(np.array(jax.devices()).reshape(2, -1), ("a", "b"))
    shuffled = Mesh(np.random.default_rng(1).permutation(np.array(jax.devices())).reshape(2, -1), ("a", "b"))

    def put(mesh, spec, array):
        return jax.make_array_from_callback(array.shape, NamedSharding(mesh, spec), lambda index: array[index])

    def add(array):
        whole = jax.jit(lambda v: v, out_shardings=NamedSharding(line, P()))(array)
        digest.update(np.asarray(whole.addressable_shards[0].data).tobytes())

    for dtype in (np.float32, jnp.bfloat16):
        for size in (2 * count**2, 5 << 17):  # both ways of an all_reduce, the second one in several blocks
            array = random.standard_normal((count, size)).astype(dtype)
            function = jax.shard_map(collectives(jax, count), mesh=line, in_specs=P("x"), out_specs=P("x"), check_vma=False)
            results = jax.jit(function)(put(line, P("x"), array))
            np.testing.assert_allclose(np.asarray(results[0].addressable_shards[0].data[0], np.float32),
                                       array.astype(np.float32).sum(0), rtol=0.05, atol=0.1)
            for result in results:
                add(result)
        add(ragged_rows(jax, line, put, random, dtype))
        whole = random.standard_normal((64, 48)).astype(dtype)
        matrix = put(square, P("a", "b"), whole)
        for result in jax.jit(lambda v: (v @ v.T, v.sum(0), jnp.sort(v, 0)))(matrix):
            add(result)
        moved = jax.device_put(matrix, NamedSharding(shuffled, P("b", "a")))
        for shard in moved.addressable_shards:
            np.testing.assert_array_equal(np.asarray(shard.data), whole[shard.index])
    if "CHECKPOINTS" in os.environ:
        matrix = put(square, P("a", "b"), random.standard_normal((64, 48)).astype(np.float32))
        checkpoint(jax, os.environ["CHECKPOINTS"], processes, matrix, NamedSharding(line, P("x")),
                   (NamedSharding(shuffled, P("b", "a")), NamedSharding(square, P(None, "b"))))
    print(f"digest {digest.hexdigest()}\n", end="", flush=True)  # one write: processes share a pipe


def transfers(port, processes, rank):
    """device_put to the devices of the other process, in both directions, many at a time; one without a receiver delays no end."""
    jax = begin(port, processes, rank)
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    devices, random = np.array(jax.devices()), np.random.default_rng(0)
    here, there = (NamedSharding(Mesh(half, ("x",)), P("x")) for half in np.split(devices, 2))
    for source, target in ((here, there), (there, here)):
        arrays = [random.standard_normal((8, size)).astype(dtype)
                  for dtype in (np.float32, jnp.bfloat16, np.int8) for size in (0, 1, 1000, 300000)] + [np.ones((8, 3))] * 40
        sent = [jax.make_array_from_callback(array.shape, source, lambda index, array=array: array[index], dtype=array.dtype)
                for array in arrays]
        for array, moved in zip(arrays, jax.device_put([value * 2 if value.size else value for value in sent], target)):
            for shard in moved.addressable_shards:
                np.testing.assert_array_equal(np.asarray(shard.data), (array * 2)[shard.index])
    if rank == 0:  # the other process does not receive it
        os.environ["GANTRY_COLLECTIVE_TIMEOUT"] = "1"
        jax.device_put(jax.make_array_from_callback((8,), here, lambda index: np.ones(8)[index]), there)
    print("moved", flush=True)


def slice_of_tpus(port, processes, rank):
    """The TPU model under libtpu's variables: places, and a digest of results."""
    jax = begin(port, processes, rank)
    import numpy as np
    from jax.experimental import mesh_utils
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    devices = sorted(jax.devices(), key=lambda device: device.id)
    assert [device.coords for device in devices] == [[i % 2, i // 2, 0] for i in range(8)], devices
    assert [device.process_index for device in devices] == [i * processes // 8 for i in range(8)], devices
    assert jax.process_index() == rank and [device.local_hardware_id for device in jax.local_devices()] == list(range(8 // processes))
    mesh = Mesh(mesh_utils.create_device_mesh((4, 2)), ("x", "y"))
    array = np.random.default_rng(0).standard_normal((64, 48)).astype(np.float32)
    given = jax.make_array_from_callback(array.shape, NamedSharding(mesh, P("x", "y")), lambda index: array[index])
    digest = hashlib.sha256()
    for result in jax.jit(lambda v: (v @ v.T, v.sum(0), v[::-1]), out_shardings=NamedSharding(mesh, P()))(given):
        digest.update(np.asarray(result.addressable_shards[0].data).tobytes())
    print(f"digest {digest.hexdigest()}\n", end="", flush=True)  # one write: processes share a pipe


def killed(port, processes, rank):
    """The last process is killed; the others report it."""
    jax = begin(port, processes, rank)
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    mesh = Mesh(np.array(jax.devices()), ("x",))
    array = jax.make_array_from_process_local_data(NamedSharding(mesh, P("x")), np.ones((jax.local_device_count(), 8), np.float32))
    total = jax.jit(jax.shard_map(lambda v: jax.lax.psum(v, "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))
    total(array).block_until_ready()
    if rank == processes - 1:
        os.kill(os.getpid(), signal.SIGKILL)
    try:
        while True:
            total(array).block_until_ready()
    except jax.errors.JaxRuntimeError as error:
        assert "UNAVAILABLE" in str(error) and f"process {processes - 1}" in str(error), error
    assert float(jax.numpy.arange(4.0).sum()) == 6
    print("survived", flush=True)
    os._exit(0)  # JAX's own shutdown waits for the process that was killed


def chain(port, processes, rank):
    """Each process waits for the next one, and the last one is stopped: all others name that one, and where it is awaited."""
    jax = begin(port, processes, rank)
    import numpy as np
    from jax._src.distributed import global_state
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    def pass_on(value):
        for sender in range(processes - 1, 0, -1):
            value += jax.lax.ppermute(value, "x", [(sender, sender - 1)])
        return value

    mesh = Mesh(np.array(jax.devices()), ("x",))
    array = jax.make_array_from_process_local_data(NamedSharding(mesh, P("x")), np.ones((1, 8), np.float32))
    moved = jax.jit(jax.shard_map(pass_on, mesh=mesh, in_specs=P("x"), out_specs=P("x"))).lower(array).compile()
    global_state.client.key_value_set(f"pid{rank}", str(os.getpid()))
    last = [int(global_state.client.blocking_key_value_get(f"pid{i}", LIMIT * 1000)) for i in range(processes)][-1]
    moved(array).block_until_ready()
    if rank == processes - 1:
        os.kill(os.getpid(), signal.SIGSTOP)
    try:
        moved(array).block_until_ready()
    except jax.errors.JaxRuntimeError as error:
        print(str(error), flush=True)
    global_state.client.key_value_set(f"named{rank}", "")
    for i in range(processes - 1):
        global_state.client.blocking_key_value_get(f"named{i}", LIMIT * 1000)
    os.kill(last, signal.SIGKILL)
    os._exit(0)


def ahead(port, processes, rank):
    """An execution returns before the other process has begun its own, or can begin it, whatever was the case before."""
    jax = begin(port, processes, rank)
    import numpy as np
    from jax._src.distributed import global_state
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    mesh = Mesh(np.array(jax.devices()), ("x",))
    array = jax.make_array_from_process_local_data(NamedSharding(mesh, P("x")), np.ones((1, 8), np.float32))
    total = jax.jit(jax.shard_map(lambda v: jax.lax.psum(v, "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))
    for step in range(40):
        for _ in range(20):  # both at once
            total(array).block_until_ready()
        if rank == step % processes:
            result = total(array)
            global_state.client.key_value_set(f"step{step}", "executed")
        else:
            global_state.client.blocking_key_value_get(f"step{step}", LIMIT * 1000)
            result = total(array)
        np.testing.assert_array_equal(np.asarray(result.addressable_shards[0].data), np.full((1, 8), processes, np.float32))
    first, last = (NamedSharding(Mesh(mesh.devices[[i]], ("x",)), P()) for i in (0, -1))
    sent = jax.make_array_from_callback((1, 8), first, lambda index: np.ones((1, 8), np.float32)[index], dtype=np.float32)
    for step in range(5):  # the other one has begun, but waits for what this one sends later
        for _ in range(20):
            total(array).block_until_ready()
        if rank == 0:
            global_state.client.blocking_key_value_get(f"begun{step}", LIMIT * 1000)
            result = total(array)
            jax.device_put(sent, last)
        else:
            part = jax.device_put(sent, last).addressable_shards[0].data
            result = total(jax.make_array_from_single_device_arrays(array.shape, array.sharding, [part]))
            global_state.client.key_value_set(f"begun{step}", "executed")
        np.testing.assert_array_equal(np.asarray(result.addressable_shards[0].data), np.full((1, 8), processes, np.float32))
    print("ahead", flush=True)


def interrupted(port, processes, rank):
    """Ctrl-C while the other process is stopped, at any point of a collective: also when the interrupted call itself exchanges with it."""
    jax = begin(port, processes, rank)
    import random
    import threading
    import numpy as np
    from jax._src.distributed import global_state
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    mesh = Mesh(np.array(jax.devices()), ("x",))
    array = jax.make_array_from_process_local_data(NamedSharding(mesh, P("x")), np.ones((1, 8), np.float32))
    total = jax.jit(jax.shard_map(lambda v: jax.lax.psum(v, "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))
    global_state.client.key_value_set(f"pid{rank}", str(os.getpid()))
    other = int(global_state.client.blocking_key_value_get(f"pid{1 - rank}", LIMIT * 1000))

    def execute():
        """Until an error other than that an execution was interrupted."""
        while True:
            try:
                total(array).block_until_ready()
            except jax.errors.JaxRuntimeError as error:
                if "interrupted by a signal" not in str(error):
                    return str(error)

    def strike():
        os.kill(other, signal.SIGSTOP)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    for _ in range(20 if rank == 1 else 0):
        struck = time.monotonic()
        threading.Timer(0.05 + random.random() / 100, strike).start()
        try:
            raise AssertionError(f"not interrupted: {execute()}")
        except KeyboardInterrupt:
            os.kill(other, signal.SIGCONT)
            assert time.monotonic() - struck < 10, "interrupted at the deadline of the collective only"
    if rank == 0:
        error = execute()
        assert "process 1" in error and "has ended" in error, error
    print("interrupted", flush=True)
    os._exit(0)  # no process ends in step with the other one


class Job:
    """What the processes of a job printed, and how they ended."""

    def __init__(self, what, processes, prefix=(), variables=lambda rank: {}, devices=DEVICES):
        environment = dict(os.environ, GANTRY_CPU_DEVICES=str(devices // processes), JAX_PLATFORMS="gantry",
                           GANTRY_COLLECTIVE_TIMEOUT=str(LIMIT))
        port, end, self.children = free_port(), time.monotonic() + LIMIT, []
        self.outputs = [tempfile.TemporaryFile("w+") for _ in range(2 * processes)]
        for rank in range(processes):
            command = [*prefix, sys.executable, __file__, what, str(port), str(processes), str(rank)]
            self.children.append(subprocess.Popen(command, env={**environment, **variables(rank)}, stdout=self.outputs[2 * rank],
                                                  stderr=self.outputs[2 * rank + 1]))
        try:
            for child in self.children:
                child.wait(timeout=max(1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            pass  # its return code is not 0
        for child in self.children:
            child.kill()
            child.wait()

    def printed(self, rank, errors=False):
        file = self.outputs[2 * rank + errors]
        file.seek(0)
        return file.read()

    def check(self, rank, condition, what):
        """Fails with what all processes printed."""
        if not condition:
            everything = [f"process {each}: exit {child.returncode}\n{self.printed(each)}{self.printed(each, True)[-2000:]}"
                          for each, child in enumerate(self.children)]
            raise AssertionError(f"process {rank}: {what}\n" + "\n".join(everything))


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Skipped(Exception):
    pass


digests = {}  # of each number of devices, whatever their division


checkpoints = tempfile.TemporaryDirectory()  # of each way to divide the devices, in a folder of its own


def division(processes):
    """All bits, and a checkpoint that the divisions before have written."""
    digest_of(processes, variables=lambda rank: {"CHECKPOINTS": checkpoints.name})


def digest_of(processes, prefix=(), variables=lambda rank: {}, devices=DEVICES):
    done = Job("bits", processes, prefix, variables, devices)
    for rank, child in enumerate(done.children):
        done.check(rank, child.returncode == 0 and done.printed(rank).startswith("digest"), "no result")
        done.check(rank, done.printed(rank) == digests.setdefault(devices, done.printed(rank)), f"different bits: {digests}")


def case_eight_devices():
    for processes in (1, 2, 4, 8):
        digest_of(processes, devices=8)


def case_host_name():
    """Host names need not resolve."""
    prefix = ["unshare", "--uts", "sh", "-c", 'hostname no-such-host.invalid && exec "$0" "$@"']
    if os.geteuid() or subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skipped("only root can have another host name")
    digest_of(2, prefix)


def case_launch():
    """gantry launch, and jax.distributed.initialize() without arguments."""
    command = [os.environ.get("GANTRY", "build/bin/gantry"), "launch", "-n", "2", "--devices", str(DEVICES // 2), "--", sys.executable,
               __file__, "bits", "0", "2", "0"]
    done = subprocess.run(command, env=dict(os.environ, JAX_PLATFORMS="gantry"), text=True, capture_output=True, timeout=LIMIT, check=False)
    lines = [line + "\n" for line in done.stdout.splitlines() if line.startswith("digest")]
    if done.returncode or lines != 2 * [digests.setdefault(DEVICES, lines[0] if lines else "")]:
        raise AssertionError(f"exit {done.returncode}: {done.stdout}{done.stderr[-2000:]}")


def case_transfers():
    done = Job("transfers", 2)
    for rank, child in enumerate(done.children):
        done.check(rank, child.returncode == 0 and done.printed(rank).strip() == "moved", "did not move all")


def case_ahead():
    done = Job("ahead", 2, variables=lambda rank: {"GANTRY_CPU_DEVICES": "1"})
    for rank, child in enumerate(done.children):
        done.check(rank, child.returncode == 0 and done.printed(rank).strip() == "ahead", "did not return")


def case_interrupted():
    done = Job("interrupted", 2, variables=lambda rank: {"GANTRY_CPU_DEVICES": "1", "GANTRY_COLLECTIVE_TIMEOUT": "20"})
    for rank, child in enumerate(done.children):
        done.check(rank, child.returncode == 0 and done.printed(rank).strip() == "interrupted", "was not interrupted")


def case_chain():
    for processes in (3, 4):
        done = Job("chain", processes, variables=lambda rank: {"GANTRY_CPU_DEVICES": "1", "GANTRY_COLLECTIVE_TIMEOUT": "10"})
        for rank in range(processes - 1):
            printed = done.printed(rank)
            named = re.findall(r"for process (\d+) on host [^,]+[,.] ", printed)
            done.check(rank, "UNAVAILABLE" in printed and "permute" in printed and named[:1] == [str(processes - 1)], "does not name the last process")


def case_slice_of_tpus():
    """The platform `tpu`, by TPU_LIBRARY_PATH: its client has no option that says how many processes there are."""
    library = os.path.join(os.environ.get("GANTRY_LIB", "build/lib"), "pjrt_c_api_gantrytpu_plugin.so")
    printed = set()
    for processes, chips in ((1, "2,4,1"), (2, "2,2,1"), (4, "2,1,1")):
        done = Job("slice_of_tpus", processes, variables=lambda rank, n=processes, chips=chips: {
            "JAX_PLATFORMS": "tpu", "TPU_LIBRARY_PATH": os.path.abspath(library), "TPU_SKIP_MDS_QUERY": "1", "CLOUD_TPU_TASK_ID": str(rank),
            "TPU_PROCESS_ADDRESSES": ",".join(["localhost:8476"] * n), "TPU_PROCESS_BOUNDS": f"1,{n},1", "TPU_CHIPS_PER_PROCESS_BOUNDS": chips})
        for rank, child in enumerate(done.children):
            done.check(rank, child.returncode == 0 and done.printed(rank).startswith("digest"), "no result")
            printed.add(done.printed(rank))
    if len(printed) != 1:
        raise AssertionError(f"different bits: {printed}")


def case_killed():
    done = Job("killed", 2)
    done.check(0, done.printed(0).strip() == "survived", "is no survivor")
    done.check(1, done.children[1].returncode == -signal.SIGKILL, "was not killed")


CASES = {"one process": lambda: division(1), "two processes": lambda: division(2), "four processes": lambda: division(4),
         "one process, with their checkpoints": lambda: division(1), "eight devices in 1, 2, 4 and 8 processes": case_eight_devices,
         "a process that may not read the other's memory": lambda: digest_of(2, variables=lambda rank: {"FORBIDDEN": "0"}),
         "two processes of gantry launch": case_launch, "a host name that does not resolve": case_host_name,
         "device_put to another process": case_transfers, "an execution before the other process's": case_ahead, "Ctrl-C while the other process sends nothing": case_interrupted,
         "a chain of processes, of which the last one is stopped": case_chain,
         "a slice of modeled TPUs": case_slice_of_tpus, "a process that is killed": case_killed}


def main():
    if len(sys.argv) == 5:
        kinds = {"bits": bits, "transfers": transfers, "ahead": ahead, "chain": chain, "interrupted": interrupted, "slice_of_tpus": slice_of_tpus, "killed": killed}
        kinds[sys.argv[1]](*map(int, sys.argv[2:]))
        return 0
    counts = {"ok": 0, "FAILED": 0, "skipped": 0}
    for name, case in CASES.items():
        try:
            case()
            outcome, why = "ok", ""
        except Skipped as reason:
            outcome, why = "skipped", reason
        except Exception as problem:  # any: the other cases count, too
            outcome, why = "FAILED", f"{type(problem).__name__}: {problem}"
        counts[outcome] += 1
        print(f"{outcome}: {name}{why and ': '}{why}", flush=True)
    print("{ok} passed, {FAILED} failed, {skipped} skipped".format(**counts))
    return counts["FAILED"] != 0


if __name__ == "__main__":
    sys.exit(main())
