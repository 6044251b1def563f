"""Plugin features besides arithmetic: devices, copies, donation, serialization, errors, threads, callbacks."""
import os
import threading

import jax
import jax.numpy as jnp
import numpy

from jax_case import case


@case(compare=False, platform="cpu")
def device_names():
    device = jax.devices()[0]
    assert device.platform == "cpu", device.platform
    assert "gantry" in device.client.platform_version.lower(), device.client.platform_version
    assert "cpu" in device.device_kind.lower(), device.device_kind
    assert str(device) and repr(device)
    assert device.process_index == 0 and device.id == 0
    return 0


@case(compare=False)
def memory_kinds():
    device = jax.devices()[0]
    kinds = [memory.kind for memory in device.addressable_memories()]
    assert device.default_memory().kind in kinds, kinds
    x = jnp.arange(1000.0)
    for kind in kinds:
        moved = jax.device_put(x, jax.sharding.SingleDeviceSharding(device, memory_kind=kind))
        assert moved.sharding.memory_kind == kind
        numpy.testing.assert_array_equal(numpy.asarray(moved), numpy.arange(1000.0, dtype="float32"))
    return 0


@case(compare=False)
def donated_buffer_is_gone():
    x = jnp.arange(4096.0)
    y = jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    assert x.is_deleted()
    numpy.testing.assert_array_equal(numpy.asarray(y), numpy.arange(1, 4097, dtype="float32"))
    return 0


@case(compare=False)
def deleted_buffer_is_refused():
    x = jnp.arange(8.0)
    x.delete()
    try:
        numpy.asarray(x)
    except RuntimeError:
        return 0
    raise AssertionError("a deleted array was read")


@case(compare=False)
def views_outlive_their_array():
    x = jax.jit(lambda: jnp.arange(100000.0))()
    view = numpy.asarray(x)
    del x
    for _ in range(20):
        jax.jit(lambda v: v * 2)(jnp.ones(100000)).block_until_ready()
    assert view[99999] == 99999.0
    return 0


@case(compare=False)
def compiled_program_tells_about_itself():
    x = jnp.ones((128, 128))        # whole tiles of a TPU
    compiled = jax.jit(lambda x: x @ x).lower(x).compile()
    assert compiled.memory_analysis().argument_size_in_bytes == x.nbytes
    return compiled(x)


@case()
def cost_analysis_counts_as_jax_does():
    """Only values that do not depend on which operations share a kernel."""
    def cost(function, *shapes):
        analysis = jax.jit(function).lower(*(jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes)).compile().cost_analysis()
        return [analysis.get(name, 0.0) for name in ("flops", "transcendentals", "bytes accessed")]
    convolve = lambda x, k: jax.lax.conv(x, k, (2, 1), "SAME")
    return [cost(lambda x: x + 1, (3,)), cost(jnp.exp, (100,)), cost(jnp.transpose, (10, 9)),
            cost(lambda x, y: x @ y, (64, 32), (32, 16)), cost(convolve, (1, 3, 8, 8), (4, 3, 3, 3))[0]]


@case(compare=False)
def compiled_program_says_what_it_calls():
    """Also from within loops and branches."""
    def f(x):
        y = jax.lax.fori_loop(0, 3, lambda i, v: jnp.linalg.qr(v)[0] + i, x)
        return jax.lax.cond(y[0, 0] > 0, lambda: jax.pure_callback(lambda v: numpy.asarray(v), y, y), lambda: y @ y)
    lowered = jax.jit(f).lower(jnp.ones((8, 8)))
    text = lowered.compile().as_text()
    assert text.startswith("HloModule jit_f"), text
    called = [word.split('"')[0] for word in lowered.as_text().split("custom_call @")[1:]]
    for target in (word.split("(")[0] for word in called):
        assert f'custom_call_target="{target}"' in text, (target, text)
    assert called and " while(" in text and " conditional(" in text, text


@case()
def value_kept_to_the_end_of_compilation():
    def f(x):
        jax.lax.dce_sink(x + 1, prevent_mlir_dce=True)
        return x * 2
    assert "dce_sink" in jax.jit(f).lower(1.0).as_text()
    return jax.jit(f)(jnp.ones(3))


@case(compare=False)
def dumps_of_what_was_asked_for():
    import glob
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        options = {"xla_dump_to": folder, "xla_dump_hlo_as_text": True, "xla_dump_hlo_as_proto": True}
        jax.jit(lambda x: x + 1, compiler_options=options)(1)
        assert len(glob.glob(folder + "/*after_optimizations.txt")) == 1
        proto, = glob.glob(folder + "/*after_optimizations.hlo.pb")
        assert os.path.getsize(proto) > 50


@case(compare=False, platform="cpu")
def compile_options_are_checked():
    """As by JAX's own CPU backend. The TPU model knows no names of libtpu's, so it takes all."""
    for name, value, words in (("xla_dumb_to", "x", "did you mean 'xla_dump_to'?"), ("dump_to", "x", "No such compile option"),
                               ("xla_tpu_nope", True, "No such compile option: 'xla_tpu_nope'"),
                               ("xla_dump_hlo_as_text", "maybe", "is not a valid bool value"),
                               ("xla_dump_max_hlo_modules", 0.5, "is not a valid int32 value"),
                               ("xla_gpu_autotune_level", 2, None)):
        try:
            jax.jit(lambda x: x + 2, compiler_options={name: value})(1)
            assert words is None
        except jax.errors.JaxRuntimeError as error:
            assert words and words in str(error), error


@case(compare=False)
def profile():
    """A trace has what the threads did, and the device's operations with their flops, inside their execution."""
    import glob
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            jax.jit(lambda x: jnp.sin(x @ x).sum(0))(jnp.ones((64, 64))).block_until_ready()
        (path,) = glob.glob(os.path.join(folder, "**", "*.xplane.pb"), recursive=True)
        planes = {plane.name: {line.name: list(line.events) for line in plane.lines} for plane in jax.profiler.ProfileData.from_file(path).planes}
    kinds = {dict(event.stats)["kind"]: event.name for line, events in planes["/host:CPU"].items() if "/" in line for event in events
             if "kind" in dict(event.stats)}
    assert kinds.keys() == {"compile", "execute", "step"}, kinds
    device = planes["/device:TPU:0"]
    (whole,) = [event for event in device["XLA Modules"] if "lambda" in event.name]
    # a kernel is named after what it returns: the modeled TPU computes the sine with the product
    operations = [event for event in device["XLA Ops"] if "dot_general" in event.name or "/sin" in event.name]
    slack = 1000  # start_ns is a double
    assert operations and all(whole.start_ns - slack <= event.start_ns and event.end_ns <= whole.end_ns + slack for event in operations), device
    assert any("bytes in use" in event.name for event in planes["/host:CPU"]["_counters_"]), planes["/host:CPU"].keys()
    return 0


@case(compare=False)
def compilation_cache():
    """After a simulated restart of JAX, the program is loaded from disk instead of compiled."""
    import tempfile
    from jax.experimental.compilation_cache import compilation_cache
    with tempfile.TemporaryDirectory() as folder:
        jax.config.update("jax_compilation_cache_dir", folder)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
        compilation_cache.reset_cache()
        try:
            f = lambda x: jnp.sin(x) * 3 + 1
            first = jax.jit(f)(jnp.arange(9.0))
            entries = [name for name in os.listdir(folder) if name.endswith("-cache")]
            assert entries, "nothing was written to the cache"
            jax.clear_caches()
            compilation_cache.reset_cache()
            second = jax.jit(f)(jnp.arange(9.0))
            assert sorted(entries) == sorted(n for n in os.listdir(folder) if n.endswith("-cache")), "compiled twice"
            numpy.testing.assert_array_equal(numpy.asarray(first), numpy.asarray(second))
        finally:
            jax.config.update("jax_compilation_cache_dir", None)
            compilation_cache.reset_cache()
    return 0


@case(rtol=1e-5)
def exported_program():
    from jax import export
    exported = export.export(jax.jit(lambda x: jnp.cos(x).sum()))(jax.ShapeDtypeStruct((5, 3), "float32"))
    return exported.call(jnp.ones((5, 3)))


@case(compare=False)
def odd_programs_end_in_errors():
    """A program that cannot be compiled raises; the process and the backend keep working."""
    try:
        jax.jit(lambda x: jax.ffi.ffi_call("no_such_target", jax.ShapeDtypeStruct((3,), "float32"))(x))(
            jnp.ones(3)).block_until_ready()
    except Exception as problem:
        assert "no_such_target" in str(problem), problem
    else:
        raise AssertionError("an unknown call target was accepted")
    assert float(jnp.ones(3).sum()) == 3.0
    return 0


@case(compare=False)
def many_threads():
    """Compiling and running from several Python threads at once."""
    problems = []

    def work(seed):
        try:
            for n in range(5):
                x = jnp.full((37 + seed, 5), float(n))
                got = jax.jit(lambda v: (v * 2 + seed).sum())(x)
                assert abs(float(got) - (2 * n + seed) * x.size) < 1e-2 * x.size
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    if problems:
        raise problems[0]
    return 0


@case(compare=False)
def memory_is_given_back():
    """A loop that creates and drops arrays does not leak memory."""
    import resource
    step = jax.jit(lambda x: x * 1.0001 + 1)
    x = jnp.ones((1 << 20,))
    for _ in range(20):
        x = step(x)
    x.block_until_ready()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(200):
        x = step(x)
    x.block_until_ready()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 200 * 1024, f"{grown} KiB more after 200 steps of 4 MiB"
    return 0


@case()
def debug_callback():
    seen = []

    @jax.jit
    def f(x):
        jax.debug.callback(lambda v: seen.append(float(v)), x.sum())
        return x * 2

    out = f(jnp.arange(4.0))
    jax.effects_barrier()
    return [out, numpy.asarray(seen)]


@case()
def pure_callback():
    f = lambda x: jax.pure_callback(lambda v: numpy.cumsum(v), jax.ShapeDtypeStruct((6,), "float32"), x)
    return jax.jit(lambda x: f(x) + 1)(jnp.arange(6.0))


@case(platform="cpu")
def dlpack():
    x = jnp.arange(12.0).reshape(3, 4)
    return [numpy.from_dlpack(x), jnp.from_dlpack(numpy.arange(5, dtype="float32"))]


@case()
def large_arrays():
    x = jnp.ones((64, 1024, 256))
    return [x.sum(), (x * 2).mean(axis=(1, 2)), jnp.arange(1 << 22).sum()]


@case()
def single_device_sharding():
    mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    x = jax.device_put(jnp.arange(16.0), sharding)
    f = jax.jit(lambda v: jax.lax.with_sharding_constraint(v * 2, sharding))
    mapped = jax.shard_map(lambda v: jax.lax.psum(v, "x"), mesh=mesh, in_specs=jax.sharding.PartitionSpec("x"),
                           out_specs=jax.sharding.PartitionSpec())
    return [f(x), mapped(x), jax.pmap(lambda v: v + 1)(jnp.ones((1, 3)))]


@case()
def device_layouts():
    """Arguments, results and imported arrays whose layout is not row-major."""
    from jax.experimental.layout import Format, Layout
    place = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    columns, permuted = Format(Layout((1, 0)), place), Format(Layout((1, 2, 0)), place)
    x = numpy.arange(12, dtype="float32").reshape(3, 4)
    y = jax.device_put(x, columns)
    assert y.format.layout.major_to_minor == (1, 0), y.format
    f = jax.jit(lambda a, b: (a @ b.T, (a + b)[:, :, None] * jnp.arange(5)),
                in_shardings=(columns, None), out_shardings=(columns, permuted))
    out = f(y, x)
    assert [v.format.layout.major_to_minor for v in out] == [(1, 0), (1, 2, 0)]
    imported = jax.dlpack.from_dlpack(numpy.asfortranarray(x))
    given_away = jax.jit(lambda a: a * 2, donate_argnums=0, in_shardings=columns, out_shardings=columns)(y)
    return out, out[0] + 1, jnp.sin(out[1]).sum(), imported, imported * 2, given_away, y.is_deleted()
