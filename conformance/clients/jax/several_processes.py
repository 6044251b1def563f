#!/usr/bin/env python3
"""JAX in several processes (jax.distributed) on one machine:

    several_processes.py

Collectives of all kinds, a partitioned product and a sort give the same bits in 1 process of 4 devices, 2 of 2 and 4 of 1; a
process that is killed is an error in the other one, which names it, and the other one runs on."""
import hashlib
import os
import signal
import socket
import subprocess
import sys
import time

DEVICES = 4
LIMIT = 240  # seconds of one job


def begin(port, processes, rank):
    import jax
    if processes > 1:
        jax.distributed.initialize(f"127.0.0.1:{port}", processes, rank)
    return jax


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
                   lax.ppermute(value, "x", [(i, (i + 1) % count) for i in range(count - 1)]),
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

    def put(mesh, spec, array):
        return jax.make_array_from_callback(array.shape, NamedSharding(mesh, spec), lambda index: array[index])

    def add(array):
        whole = jax.jit(lambda v: v, out_shardings=NamedSharding(line, P()))(array)
        digest.update(np.asarray(whole.addressable_shards[0].data).tobytes())

    for dtype in (np.float32, jnp.bfloat16):
        for size in (8 * count, 1 << 18):  # both ways of an all_reduce
            array = random.standard_normal((count, size)).astype(dtype)
            function = jax.shard_map(collectives(jax, count), mesh=line, in_specs=P("x"), out_specs=P("x"), check_vma=False)
            results = jax.jit(function)(put(line, P("x"), array))
            np.testing.assert_allclose(np.asarray(results[0].addressable_shards[0].data[0], np.float32),
                                       array.astype(np.float32).sum(0), rtol=0.05, atol=0.1)
            for result in results:
                add(result)
        matrix = put(square, P("a", "b"), random.standard_normal((64, 48)).astype(dtype))
        for result in jax.jit(lambda v: (v @ v.T, v.sum(0), jnp.sort(v, 0)))(matrix):
            add(result)
    print("digest", digest.hexdigest(), flush=True)


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


def job(what, processes):
    """What each process prints."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = dict(os.environ, GANTRY_CPU_DEVICES=str(DEVICES // processes), JAX_PLATFORMS="gantry", GANTRY_COLLECTIVE_TIMEOUT=str(LIMIT))
    children = [subprocess.Popen([sys.executable, __file__, what, str(port), str(processes), str(rank)], env=environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE) for rank in range(processes)]
    end, printed = time.monotonic() + LIMIT, []
    try:
        for child in children:
            printed.append(child.communicate(timeout=max(1, end - time.monotonic())))
    finally:
        for child in children:
            child.kill()
    return [(child.returncode, out, err) for child, (out, err) in zip(children, printed)]


def main():
    if len(sys.argv) == 5:
        {"bits": bits, "killed": killed}[sys.argv[1]](*map(int, sys.argv[2:]))
        return 0
    digests, failures = {}, []
    for processes in (1, 2, 4):
        for code, out, err in job("bits", processes):
            digests.setdefault(out.strip(), []).append(processes)
            if code or not out.startswith("digest"):
                failures.append(f"{processes} processes: exit {code}\n{err[-2000:]}")
    if len(digests) != 1:
        failures.append(f"different bits: {digests}")
    results = job("killed", 2)
    if results[0][1].strip() != "survived" or results[1][0] != -signal.SIGKILL:
        failures.append(f"a killed process: {results[0][1]}\n{results[0][2][-2000:]}")
    for failure in failures:
        print("FAILED:", failure)
    print("several processes:", "failed" if failures else "equal bits in 1, 2 and 4 processes; a killed process is named")
    return len(failures)


if __name__ == "__main__":
    sys.exit(main())
