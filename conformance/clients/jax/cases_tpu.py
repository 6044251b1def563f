"""Features that JAX lowers differently if the platform is called "tpu": callbacks with send and recv, and its custom
calls."""
import os
import subprocess
import sys

import jax
import jax.export
import jax.numpy as jnp
import numpy
from jax import lax
from jax.experimental import io_callback

from jax_case import case


def result(*shape, dtype="float32"):
    return jax.ShapeDtypeStruct(shape, dtype)


@case(compare=False, platform="tpu")
def names():
    device = jax.devices()[0]
    assert device.platform == "tpu" and device.gantry_version, device
    assert "TFRT TPU v5 lite" in device.client.platform_version and device.device_kind == "TPU v5 lite", device
    assert list(device.coords) == [0, 0, 0] and device.core_on_chip == 0
    text = jax.jit(lambda x: jax.pure_callback(lambda v: v, result(2), x)).lower(jnp.ones(2)).as_text()
    assert "stablehlo.send" in text and "stablehlo.recv" in text


@case(compare=False, platform="tpu")
def compiles_for_a_pod_without_its_devices():
    from jax.experimental import topologies
    from jax.sharding import NamedSharding, PartitionSpec
    description = topologies.get_topology_desc("v5e:4x8", platform="tpu")
    assert len(description.devices) == 32 and {d.process_index for d in description.devices} == set(range(8))
    assert [m.kind for m in description.devices[0].addressable_memories()] == ["device", "pinned_host", "unpinned_host"]
    mesh = topologies.make_mesh(description, (4, 8), ("d", "t"))
    rows, columns = (NamedSharding(mesh, PartitionSpec(*s)) for s in (("d", None), (None, "t")))
    step = jax.jit(jax.value_and_grad(lambda w, x: jnp.tanh(x @ w).sum()), in_shardings=(columns, rows))
    compiled = step.lower(result(256, 512), result(1024, 256)).compile()
    assert compiled.memory_analysis().argument_size_in_bytes == 4 * (256 * 512 // 8 + 1024 * 256 // 4)
    assert "num_partitions=32" in compiled.as_text()
    for name, options, words in (("v5e:3x3", {}, "v5e:2x2, v5e:2x4"), ("v9:2x2", {}, "v5e, v5p"),
                                 ("tpu7x:2x2x1", {"chip_config_name": "megacore"}, "chip config")):
        try:
            topologies.get_topology_desc(name, platform="tpu", **options)
        except jax.errors.JaxRuntimeError as error:
            assert words in str(error), error
        else:
            raise AssertionError(f"{name} {options} is accepted")


PRECISIONS = """
import jax, jax.numpy as jnp, numpy
from jax import lax
random, error = numpy.random.RandomState(0), lambda y, wanted: numpy.linalg.norm(y - wanted) / numpy.linalg.norm(wanted)
a, b = random.standard_normal((128, 300)).astype("float32"), random.standard_normal((300, 70)).astype("float32")
exact, rounded = a.astype("float64") @ b, (x.astype(jnp.bfloat16).astype("float64") for x in (a, b))
x, k = random.standard_normal((2, 9, 9, 8)).astype("float32"), random.standard_normal((3, 3, 8, 16)).astype("float32")
convolve = jax.jit(lambda x, k, p: lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                                            precision=p), static_argnums=2)
with jax.default_device(jax.devices("cpu")[0]):
    image = numpy.asarray(convolve(x, k, lax.Precision.HIGHEST))
dot = jax.jit(lambda a, b, p: lax.dot(a, b, precision=p), static_argnums=2)
for precision, most, least in ((lax.Precision.DEFAULT, 4e-3, 1e-3), (lax.Precision.HIGH, 2e-5, 1e-6), (lax.Precision.HIGHEST, 1e-6, 0)):
    for got, wanted in ((dot(a, b, precision), exact), (dot(a, b[:, 0], precision), exact[:, 0]), (convolve(x, k, precision), image)):
        assert least <= error(numpy.asarray(got), wanted) <= most, (precision, error(numpy.asarray(got), wanted))
    odd = a.copy()
    odd[3, 4], odd[5, 5] = numpy.inf, numpy.nan
    assert numpy.array_equal(numpy.isinf(dot(odd, b, precision)), numpy.isinf(odd @ b)), precision
    assert numpy.array_equal(numpy.isnan(dot(odd, b, precision)), numpy.isnan(odd @ b)), precision
assert error(numpy.asarray(dot(a, b, lax.Precision.DEFAULT)), next(rounded) @ next(rounded)) < 1e-6
three = lax.DotAlgorithmPreset.BF16_BF16_F32_X3
assert numpy.array_equal(dot(a, b, three), dot(a, b, lax.Precision.HIGH))
"""


def elsewhere(program, **settings):
    """Runs a program in a process with these settings; returns what it writes to standard error."""
    done = subprocess.run([sys.executable, "-c", program], env=dict(os.environ, **settings), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1500:]
    return done.stderr


@case(compare=False, platform="tpu")
def precisions_are_passes_of_bf16():
    """1, 3 or 6 of them; the other cases compute in plain f32."""
    elsewhere(PRECISIONS, GANTRY_TPU_NUMERICS="tpu")


ALL_CHIPS = """
import jax, jax.numpy as jnp, os
from jax.sharding import AxisType, NamedSharding, PartitionSpec
kind, count, last = os.environ["EXPECTED"].split("|")
devices = jax.devices("gantry_tpu") if "gantry_tpu" in os.environ["JAX_PLATFORMS"] else jax.devices()
assert len(devices) == int(count) and devices[0].device_kind == kind, devices
assert str([*devices[-1].coords, devices[-1].core_on_chip]) == last, devices[-1].coords
mesh = jax.make_mesh((len(devices),), ("d",), axis_types=(AxisType.Auto,), devices=devices)
x = jax.device_put(jnp.arange(len(devices) * 4.0).reshape(-1, 4), NamedSharding(mesh, PartitionSpec("d")))
assert float(jax.jit(lambda x: (x.T @ x).sum())(x)) == float((x.sum(axis=1) ** 2).sum())
"""


@case(compare=False, platform="tpu")
def every_chip_of_a_slice_runs():
    elsewhere(ALL_CHIPS, GANTRY_TPU_TOPOLOGY="v5p:4x4x4", EXPECTED="TPU v5|64|[3, 3, 3, 0]")
    elsewhere(ALL_CHIPS, GANTRY_TPU_TOPOLOGY="tpu7x:2x2x1", EXPECTED="TPU7x|8|[1, 1, 0, 1]")
    elsewhere(ALL_CHIPS, TPU_ACCELERATOR_TYPE="v4-8", EXPECTED="TPU v4|4|[1, 1, 0, 0]")


@case(compare=False, platform="tpu")
def a_slice_beside_the_cpu():
    elsewhere(ALL_CHIPS, JAX_PLATFORMS="cpu,gantry_tpu", PJRT_NAMES_AND_LIBRARY_PATHS=f"gantry_tpu:{os.environ['TPU_LIBRARY_PATH']}",
              GANTRY_TPU_TOPOLOGY="v5e:2x2", EXPECTED="TPU v5 lite|4|[1, 1, 0, 0]")


@case(compare=False, platform="tpu")
def a_contradiction_of_variables_is_said():
    said = elsewhere(ALL_CHIPS, GANTRY_TPU_TOPOLOGY="v5e:2x2", TPU_ACCELERATOR_TYPE="v5litepod-8", EXPECTED="TPU v5 lite|4|[1, 1, 0, 0]")
    assert "GANTRY_TPU_TOPOLOGY=v5e:2x2 wins over TPU_ACCELERATOR_TYPE=v5litepod-8" in said, said


@case(compare=False, platform="tpu")
def a_callback_in_a_function_that_is_called_twice():
    seen = []
    inner = jax.jit(lambda v: jax.pure_callback(lambda w: seen.append(float(w)) or numpy.asarray(w) + 1, result(), v))
    y = jax.jit(lambda x: inner(inner(x) * 2))(jnp.float32(1))
    assert float(y) == 5 and sorted(seen) == [1.0, 4.0], (y, seen)


@case(compare=False, platform="tpu")
def many_operands_and_results():
    many = [jnp.full((k % 3 + 1, k % 5), k, "float32") for k in range(40)]
    f = jax.jit(lambda *v: jax.pure_callback(lambda *w: [numpy.asarray(x).T * 2 for x in w], [result(*x.shape[::-1]) for x in v], *v))
    for x, y in zip(many, f(*many)):
        assert numpy.array_equal(numpy.asarray(x).T * 2, y)


@case(compare=False, platform="tpu")
def callbacks_in_maps_and_scans():
    f = lambda x: jax.pure_callback(lambda v: numpy.asarray(v) * 2, result(3), x, vmap_method="sequential")
    x = jnp.arange(12.0).reshape(4, 3)
    assert numpy.array_equal(jax.jit(jax.vmap(f))(x), x * 2)
    last, rows = jax.jit(lambda v: lax.scan(lambda c, r: (f(c) + r, f(r)), v[0], v))(x)
    assert numpy.array_equal(rows, x * 2) and last.shape == (3,)
    assert float(jax.jit(lambda n: lax.while_loop(lambda c: c.sum() < 1000, f, n))(x[1])[0]) == 128 * 3


@case(compare=False, platform="tpu")
def executes_after_an_error():
    def sometimes(v):
        if v > 0:
            raise ValueError("error of a callback")
        return numpy.asarray(v)
    f = jax.jit(lambda x: jax.pure_callback(sometimes, result(), io_callback(lambda v: numpy.asarray(v), result(), x)) * 2)
    for i in range(6):
        try:
            assert float(f(jnp.float32(i % 2))) == 0 and i % 2 == 0
        except jax.errors.JaxRuntimeError as error:
            assert i % 2 and "error of a callback" in str(error), error
    assert float(jax.jit(lambda x: x + 1)(jnp.float32(1))) == 2


@case(platform="tpu")
def approximate_top_k():
    x = jnp.asarray(numpy.random.RandomState(0).permutation(6 * 1000).reshape(6, 1000).astype("float32"))
    out = []
    for dtype in ("float32", "bfloat16", "float16"):
        v = (x / 6000 if dtype != "float32" else x).astype(dtype)
        out += [lax.approx_max_k(v, 5)[0], lax.approx_min_k(v, 7, recall_target=0.99)[0],
                jax.jit(lambda w: lax.approx_max_k(w, 3, reduction_dimension=0, aggregate_to_topk=True)[0])(v)]
    return [jnp.sort(v.astype("float32"), axis=-1) for v in out[0:1] + out[1:2]] + [out[2]]


@case(compare=False, platform="tpu")
def feeds_are_refused():
    text = """module { func.func @main() -> tensor<2xf32> {
        %t = stablehlo.create_token : !stablehlo.token
        %x:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
        return %x#0 : tensor<2xf32> } }"""
    client, options = jax.devices()[0].client, jax._src.compiler.get_compile_options(1, 1)
    try:
        client.compile_and_load(text, jax._src.lib.xla_client.DeviceList(tuple(jax.devices()[:1])), options)
    except jax.errors.JaxRuntimeError as error:
        assert "UNIMPLEMENTED" in str(error) and "infeed" in str(error), error
    else:
        raise AssertionError("a program with infeed was compiled")


@case(compare=False, platform="tpu")
def arrays_are_not_the_hosts_memory():
    """JAX copies what it reads, and has no pointer for DLPack."""
    x = jnp.arange(4.0)
    first = numpy.asarray(x)
    assert first.ctypes.data != x.unsafe_buffer_pointer() and numpy.array_equal(first, [0, 1, 2, 3])


@case(compare=False, platform="tpu")
def memory_without_contents():
    assert "AllocateBuffer" in jax.jit(lambda: lax.empty((3, 2), jnp.float32)).lower().as_text()
    for dtype in ("float32", "int8", "bool", "complex64", "bfloat16"):
        assert jax.jit(lambda: lax.empty((3, 2), jnp.dtype(dtype)).at[:].set(1))().all()


@case(rtol=1e-4, atol=1e-4, platform="tpu")
def ragged_products():
    random = numpy.random.RandomState(1)
    a, b = (random.standard_normal(shape).astype("float32") for shape in ((10, 4), (3, 4, 5)))
    sizes = [numpy.array(rows, "int32") for rows in ((2, 5, 3), (0, 0, 3), (10, 0, 0))]
    loss = lambda s: jax.jit(jax.grad(lambda x, y: (lax.ragged_dot(x, y, s) ** 2).sum(), (0, 1)))(a, b)
    return [jax.jit(lax.ragged_dot)(a, b, s) for s in sizes], loss(sizes[0])


@case(rtol=1e-3, atol=1e-3, platform="tpu")
def eigenvalues_by_halves():
    """Matrices larger than 256 are split, and the custom call receives zero-padded blocks."""
    a = jnp.asarray(numpy.random.RandomState(4).uniform(size=(270, 270)), jnp.float32)
    w, v = jnp.linalg.eigh(a + a.T)
    u, s, vt = jnp.linalg.svd(a)
    return w, v @ v.T, (v * w) @ v.T, s, (u * s) @ vt


@case(compare=False, platform="tpu")
def products_of_four_bits():
    random = numpy.random.RandomState(2)
    a, b = random.randint(-8, 8, (5, 9)), random.randint(-8, 8, (9, 6))
    dot = jax.jit(lambda x, y: lax.dot(x.astype("int4"), y.astype("int4"), preferred_element_type=jnp.int32))
    assert numpy.array_equal(dot(a, b), a @ b)


@case(compare=False, platform="tpu")
def exported_with_symbolic_shapes():
    rows, columns = jax.export.symbolic_shape("a,b", constraints=["a>=2", "mod(b,2)==0"])
    f = jax.jit(lambda x: (x @ x.T).reshape(-1) + x.shape[0])
    exported = jax.export.export(f)(jax.ShapeDtypeStruct((rows, columns), "float32"))
    assert "shape_assertion" in str(exported.mlir_module())
    for shape in ((3, 4), (2, 6)):
        x = jnp.arange(float(numpy.prod(shape))).reshape(shape)
        assert numpy.allclose(exported.call(x), f(x))


@case(compare=False, platform="tpu")
def modeled_time_in_profiles():
    """A trace has a plane with the time that the modeled device would have needed, as the cost analysis says it."""
    import glob
    import tempfile
    step = jax.jit(lambda w, x: lax.scan(lambda c, _: (jnp.tanh(c @ w), None), x, None, length=3)[0])
    w = jnp.ones((512, 512))
    seconds = step.lower(w, w).compile().cost_analysis()["optimal_seconds"]
    step(w, w).block_until_ready()
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            step(w, w).block_until_ready()
        (path,) = glob.glob(os.path.join(folder, "**", "*.xplane.pb"), recursive=True)
        planes = [plane for plane in jax.profiler.ProfileData.from_file(path).planes if plane.name == "/device:TPU:0"]
    (plane,) = planes
    lines = {line.name: list(line.events) for line in plane.lines}
    (module,) = lines["XLA Modules"]
    assert abs(module.duration_ns - seconds * 1e9) < 1, (module.duration_ns, seconds)
    assert [event.name[:4] for event in lines["Matrix units"]] == ["tanh"] * 3, lines  # a kernel is named after its last operation
    slack = 1000  # start_ns is a double
    assert all(module.start_ns - slack <= event.start_ns and event.end_ns <= module.end_ns + slack for event in lines["XLA Ops"]), lines
