"""Memory use of a device: statistics, the profile of live buffers, and the error if a memory is full."""
import gc
import gzip
import time

import jax
import jax.numpy as jnp
import numpy
from jax.sharding import SingleDeviceSharding

from jax_case import case

MIB = 1 << 20


def in_use():
    """Bytes in use once executions of earlier cases, whose results are not awaited, have released their memory."""
    read = lambda: jax.devices()[0].memory_stats()["bytes_in_use"]
    gc.collect()
    before, same, since = read(), 0, time.monotonic()
    while same < 5 and time.monotonic() - since < 10:
        time.sleep(0.01)
        now = read()
        before, same = now, same + 1 if now == before else 0
    return before


def ones(*shape):
    """In memory of the device's own, which an array of the host that is aligned, and used in place, would not take."""
    return jax.jit(lambda: jnp.ones(shape, "float32"))().block_until_ready()


def assert_grown(before, expected):
    grown = in_use() - before
    assert grown == expected, f"{grown} bytes more in use than before, expected {expected}"


@case(compare=False)
def memory_stats_follow_the_buffers():
    before = in_use()
    x = ones(512, 512)
    assert_grown(before, MIB)
    y = jax.jit(lambda v: v + 1)(x).block_until_ready()
    assert_grown(before, 2 * MIB)
    z = jax.jit(lambda v: v + 1, donate_argnums=0)(y).block_until_ready()
    assert_grown(before, 2 * MIB)
    assert y.is_deleted()
    x.delete()
    z.delete()
    assert_grown(before, 0)


@case(compare=False)
def every_figure_of_memory_stats():
    x = ones(MIB)
    stats = jax.devices()[0].memory_stats()
    assert all(value >= 0 for value in stats.values()), stats      # -1 means that a figure is not known
    assert x.nbytes <= stats["bytes_in_use"] <= stats["peak_bytes_in_use"] <= stats["bytes_limit"], stats
    assert stats["largest_free_block_bytes"] <= stats["bytes_limit"] - stats["bytes_in_use"], stats
    assert stats["bytes_in_use"] <= stats["pool_bytes"] <= stats["peak_pool_bytes"], stats
    assert stats["bytes_reserved"] <= stats["peak_bytes_reserved"] <= stats["bytes_reservable_limit"], stats
    assert stats["largest_alloc_size"] >= x.nbytes and stats["num_allocs"] > 0, stats


@case(compare=False)
def other_memories_do_not_count_to_the_device():
    before = in_use()
    x = jax.device_put(numpy.ones((512, 512), "float32"), SingleDeviceSharding(jax.devices()[0], memory_kind="pinned_host"))
    x.block_until_ready()
    assert_grown(before, 0)


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """(number, value) of a protocol buffer's fields."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def packed(data):
    """The numbers of a packed field."""
    at, out = 0, []
    while at < len(data):
        value, at = varint(data, at)
        out.append(value)
    return out


def samples(profile):
    """(bytes, labels) of each sample of a pprof profile."""
    message = list(fields(gzip.decompress(profile)))
    texts = [value.decode() for number, value in message if number == 6]
    for sample in (list(fields(value)) for number, value in message if number == 2):
        values = next(packed(value) for number, value in sample if number == 2)
        labels = [dict(fields(value)) for number, value in sample if number == 3]
        yield values[1], {texts[label[1]]: texts[label.get(2, 0)] for label in labels}


@case(compare=False)
def the_memory_profile_lists_buffers():
    x = jax.device_put(numpy.ones((345, 128), "float32")).block_until_ready()
    f = jax.jit(lambda v: jnp.tanh(v[:123]))
    y = f(x).block_until_ready()
    found = list(samples(jax.profiler.device_memory_profile()))
    buffers = [size for size, labels in found if labels.get("kind") == "buffer" and "device" in labels]
    rows = 8 if jax.default_backend() == "tpu" else 1       # in a tile, to which a TPU pads
    for array in x, y:
        assert -(-array.shape[0] // rows) * rows * 128 * 4 in buffers, found
    assert any(size > 0 for size, labels in found if labels.get("kind") == "executable"), found


@case(compare=False)
def a_full_memory_lists_what_is_in_it():
    limit = jax.devices()[0].memory_stats()["bytes_limit"]
    held = jax.jit(lambda v: jnp.sin(v) @ v)(numpy.ones((300, 300), "float32")).block_until_ready()
    try:
        jax.device_put(numpy.broadcast_to(numpy.float32(1), (limit // 4 + 1,))).block_until_ready()
        raise AssertionError("an array that is larger than the memory fits")
    except (jax.errors.JaxRuntimeError, MemoryError, ValueError) as error:
        message = str(error)
    assert "RESOURCE_EXHAUSTED" in message and "Largest live buffers:" in message, message
    assert "cases_space.py" in message and "result 0 of" in message and "memory_limit" in message, message
    assert numpy.isfinite(numpy.asarray(held + 1)).all()
