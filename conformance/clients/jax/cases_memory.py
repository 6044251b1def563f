"""Memory kinds: placements inside jit, offloaded activations, and which memory arguments and results are in. JAX's own CPU
has no memory kinds, so each case checks itself."""
import jax
import jax.numpy as jnp
import numpy
from jax.ad_checkpoint import checkpoint_name
from jax.experimental.layout import Format, Layout
from jax.sharding import SingleDeviceSharding

from jax_case import case

HOST, DEVICE = jax.memory.Space.Host, jax.memory.Space.Device


def in_kind(kind):
    return SingleDeviceSharding(jax.devices()[0], memory_kind=kind)


def values(*shape):
    return numpy.random.default_rng(7).standard_normal(shape).astype("float32")


def kind_of(array):
    return array.sharding.memory_kind


@case(compare=False)
def results_are_where_the_program_puts_them():
    x = values(8, 16)
    for kind in ("device", "pinned_host", "unpinned_host"):
        y = jax.jit(lambda v: v * 2, out_shardings=in_kind(kind))(x)
        assert kind_of(y) == kind and numpy.array_equal(y, x * 2)
    for kind in ("device", "pinned_host"):          # JAX's value types support only these two
        z = jax.jit(lambda v: (jax.device_put(v + 1, in_kind(kind)), v + 1))(x)
        assert [kind_of(v) for v in z] == [kind, "device"] and all(numpy.array_equal(v, x + 1) for v in z)


@case(compare=False)
def arguments_are_read_where_they_are():
    x = values(8, 16)
    for kind in ("device", "pinned_host", "unpinned_host"):
        there = jax.device_put(x, in_kind(kind))
        compiled = jax.jit(lambda v: jax.device_put(v, in_kind("device")) * 3).lower(there).compile()
        assert numpy.array_equal(compiled(there), x * 3) and kind_of(compiled(there)) == "device"
        assert numpy.array_equal(jax.jit(lambda v: v.T[::2] - 1, out_shardings=in_kind("device"))(there), x.T[::2] - 1)


@case(compare=False)
def a_round_trip_keeps_the_value():
    x = values(64, 64)
    f = jax.jit(lambda v: jax.device_put(jax.device_put(jnp.sin(v), HOST), DEVICE) - jnp.sin(v))
    assert not numpy.asarray(f(x)).any()


@case(compare=False)
def updates_and_reads_of_arrays_on_the_host():
    x = values(5, 8, 4)
    on_host = jax.device_put(x, in_kind("pinned_host"))

    def step(host, i):
        row = jax.device_put(jax.lax.dynamic_index_in_dim(host, i, keepdims=False), DEVICE)
        new = jax.device_put(row * 10 + 1, HOST)
        return jax.lax.dynamic_update_index_in_dim(host, new, i, 0), row.sum()
    f = jax.jit(lambda h, order: jax.lax.scan(step, h, order))
    after, sums = f(on_host, jnp.array([3, 1, 3, 9, -7]))
    expected = x.copy()
    for i in (3, 1, 3, 4, 0):           # indices beyond the ends are clamped
        expected[i] = expected[i] * 10 + 1
    assert kind_of(after) == "pinned_host" and kind_of(sums) == "device"
    numpy.testing.assert_allclose(after, expected, rtol=1e-6)     # x * 10 + 1 may be rounded once
    assert numpy.array_equal(on_host, x)


@case(compare=False)
def branches_return_either_memory():
    x = values(6)
    f = jax.jit(lambda p, v: jax.lax.cond(p, lambda w: jax.device_put(w + 1, HOST),
                                          lambda w: jax.device_put(w - 1, HOST), v))
    for p in (True, False):
        y = f(p, x)
        assert kind_of(y) == "pinned_host" and numpy.array_equal(y, x + 1 if p else x - 1)


def layers(policy, length):
    def layer(x, w):
        x = checkpoint_name(jnp.tanh(x @ w), "activation")
        return jnp.sin(checkpoint_name(x @ w.T, "product")), None
    layer = jax.checkpoint(layer, policy=policy) if policy else layer
    return lambda w, x: jnp.sum(jax.lax.scan(layer, x, w, length=length)[0] ** 2)


@case(compare=False)
def offloaded_activations_give_the_same_gradients():
    for length in (1, 2, 5, 24):
        w, x = values(length, 32, 32), values(16, 32)
        gradients = {}
        for names in ([], ["activation"], ["activation", "product"]):
            policy = jax.checkpoint_policies.save_and_offload_only_these_names(
                names_which_can_be_saved=[name for name in ("activation", "product") if name not in names],
                names_which_can_be_offloaded=names, offload_src="device", offload_dst="pinned_host")
            gradients[len(names)] = jax.jit(jax.grad(layers(policy, length), argnums=(0, 1)))(w, x)
        for offloaded in (1, 2):
            assert all(numpy.array_equal(a, b) for a, b in zip(gradients[0], gradients[offloaded]))


@case(compare=False)
def plans_state_what_is_on_the_host():
    """All stacked activations are in host memory, never in device memory; XLA's text of a program shows the copies."""
    w, x = values(24, 64, 64), values(128, 64)
    names = ["activation", "product"]
    saved = jax.checkpoint_policies.save_only_these_names(*names)
    offloaded = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[], names_which_can_be_offloaded=names, offload_src="device", offload_dst="pinned_host")
    saving, compiled = (jax.jit(jax.grad(layers(policy, 24))).lower(w, x).compile() for policy in (saved, offloaded))
    memory, stacks = compiled.memory_analysis(), 2 * 24 * x.nbytes
    assert memory.host_temp_size_in_bytes == stacks and saving.memory_analysis().host_temp_size_in_bytes == 0, memory
    less = saving.memory_analysis().temp_size_in_bytes - memory.temp_size_in_bytes
    # a modeled TPU stores in bf16 what only products read, but not in host memory
    least = stacks // 2 if jax.devices()[0].platform == "tpu" else stacks
    assert least - 8 * x.nbytes <= less <= stacks, (less, stacks)
    text = compiled.as_text()
    for words in ("dynamic-update-slice-start", "dynamic-update-slice-done", "dynamic-slice-start", "dynamic-slice-done", "S(5)"):
        assert words in text, words


def convolve(x, w):
    return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@case(compare=False)
def weights_that_are_updated_in_place_are_read_anew():
    """The runtime keeps weights as the library reads them, as long as their buffer has the same contents."""
    x, start = values(2, 16, 16, 64), values(3, 3, 64, 64)
    layer, update = jax.jit(convolve), jax.jit(lambda w: w * 2, donate_argnums=0)
    w = jax.device_put(start) + 0
    first = numpy.asarray(layer(x, w))
    for step in range(3):
        for _ in range(4):
            assert numpy.array_equal(numpy.asarray(layer(x, w)), first * 2 ** step)
        w = update(w)
    halves = jax.jit(lambda x, w: (convolve(x, w), w / 2), donate_argnums=1)   # reads the weights, then overwrites them
    for step in range(3, 0, -1):
        y, w = halves(x, w)
        assert numpy.array_equal(numpy.asarray(y), first * 2 ** step)


@case(compare=False)
def programs_that_share_weights_read_them_in_turn():
    one, many, w = values(1, 8, 8, 64), values(5, 9, 7, 64), jax.device_put(values(3, 3, 64, 64)) + 0
    layer = jax.jit(convolve)
    gradient = jax.jit(jax.grad(lambda x, w: convolve(x, w).sum()))
    programs = [(layer, one), (layer, many), (gradient, one), (gradient, many)]
    expected = [numpy.asarray(run(x, jax.device_put(w) + 0)) for run, x in programs]
    for turn in range(24):
        at = (turn // 3 if turn % 2 else turn) % len(programs)
        run, x = programs[at]
        assert numpy.array_equal(numpy.asarray(run(x, w)), expected[at])


@case(compare=False)
def tiles_of_layouts_are_kept_and_change_no_value():
    x = values(16, 24)
    for order, tiles in (((0, 1), ((8, 128),)), ((1, 0), ((4, 2),)), ((0, 1), ((8, 128), (2, 1))), ((1, 0), ((1,),))):
        for kind in ("device", "pinned_host"):
            form = Format(Layout(major_to_minor=order, tiling=tiles), in_kind(kind))
            placed = jax.device_put(x, form)
            y = jax.jit(lambda v: v * 2, in_shardings=form, out_shardings=form)(placed)
            assert placed.format.layout == y.format.layout == form.layout, (placed.format, y.format)
            assert kind_of(y) == kind and numpy.array_equal(placed, x) and numpy.array_equal(y, x * 2)
