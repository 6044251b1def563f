"""Custom calls of the user: Python callbacks, and handlers registered with jax.ffi (written here with ctypes)."""
import ctypes
import gc
import subprocess
import tempfile
import threading

import jax
import jax.numpy as jnp
import numpy
from jax.experimental import io_callback

from jax_case import case


def result(*shape, dtype="float32"):
    return jax.ShapeDtypeStruct(shape, dtype)


@case()
def callbacks_of_every_type():
    out = []
    for name in ("bool", "int8", "uint16", "int32", "float16", "bfloat16", "float32", "complex64", "int4",
                 "uint4", "float8_e4m3fn", "float4_e2m1fn"):
        x = jnp.asarray(numpy.arange(6).reshape(2, 3) % 2).astype(name)
        f = lambda v: (numpy.asarray(v)[::-1], numpy.asarray(v).T)
        out.append(jax.jit(lambda v: jax.pure_callback(f, (result(2, 3, dtype=x.dtype), result(3, 2, dtype=x.dtype)), v))(x))
    return out


@case()
def callbacks_without_elements_or_operands():
    f = lambda: (numpy.zeros((0, 3), "float32"), numpy.float32(4))
    return jax.jit(lambda: jax.pure_callback(f, (result(0, 3), result())))()


@case(compare=False)
def callbacks_of_shards():
    """JAX gives a callback without results the sharding of a mesh without axes."""
    seen, part = [], jax.sharding.PartitionSpec("x")
    mesh = jax.make_mesh((len(jax.devices()),), ("x",), axis_types=(jax.sharding.AxisType.Auto,))

    @jax.jit
    @jax.shard_map(mesh=mesh, in_specs=part, out_specs=part)
    def f(x):
        jax.debug.callback(lambda v: seen.append(float(v)), x[0])
        return x + 1
    f(jnp.arange(float(len(jax.devices())))).block_until_ready()
    jax.effects_barrier()
    assert sorted(seen) == list(range(len(jax.devices()))), seen


@case(compare=False)
def callbacks_keep_their_order():
    seen = []

    @jax.jit
    def f(x):
        for i in range(4):
            io_callback(lambda v, i=i: seen.append((i, float(v))), None, x + i, ordered=True)

        def body(i, v):
            io_callback(lambda k: seen.append(("loop", int(k))), None, i, ordered=True)
            return v * 2
        x = jax.lax.fori_loop(0, 3, body, x)
        jax.lax.cond(x > 0, lambda v: io_callback(lambda k: seen.append(("yes", float(k))), None, v, ordered=True),
                     lambda v: None, x)
        return x

    for _ in range(3):
        jax.block_until_ready(f(jnp.float32(1)))
    jax.effects_barrier()
    once = [(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0), ("loop", 0), ("loop", 1), ("loop", 2), ("yes", 8.0)]
    assert seen == once * 3, seen


@case(compare=False)
def callbacks_where_nothing_else_happens():
    """In loops and branches with unused results, in conditions, and in loops with few or no iterations."""
    seen = []
    say = lambda v: jax.debug.callback(lambda k: seen.append(int(k)), v)

    @jax.jit
    def f(x):
        jax.lax.fori_loop(0, 3, lambda i, v: (say(i), v)[1], x)
        jax.lax.while_loop(lambda v: (say(v), v < 12)[1], lambda v: v + 1, 10)
        jax.lax.while_loop(lambda v: (say(v), v < 0)[1], lambda v: v + 1, 20)
        jax.lax.cond(x > 0, lambda: say(30), lambda: say(31))
        jax.lax.while_loop(lambda v: (say(v), False)[1], lambda v: v + 1, 40)
        return x

    jax.block_until_ready(f(jnp.float32(1)))
    jax.effects_barrier()
    assert sorted(seen) == [0, 1, 2, 10, 11, 12, 20, 30, 40], seen


@case(compare=False)
def callbacks_may_run_programs():
    """Runs a program on the same device while the calling program runs."""
    def inside(v):
        return numpy.asarray(jax.jit(lambda a: (a @ a).sum())(jnp.ones((200, 200)))) + numpy.asarray(v)
    f = jax.jit(lambda x: jax.pure_callback(inside, result(), x * 2))
    assert float(f(jnp.float32(1))) == 200.0 ** 3 + 2


@case(compare=False, platform="cpu")
def callbacks_have_run_when_the_call_returns():
    """Also when the arguments are still being computed by queued programs."""
    seen = []

    @jax.jit
    def f(x):
        def body(i, x):
            jax.debug.callback(lambda k: seen.append(int(k)), i)
            return jnp.tanh(x @ x)
        return jax.lax.fori_loop(0, 10, body, x)

    x = jax.jit(lambda x: jax.lax.fori_loop(0, 20, lambda i, v: jnp.tanh(v @ v), x))(jnp.ones((200, 200)))
    for i in range(5):
        x = f(x)
        assert len(seen) == 10 * (i + 1), len(seen)


@case(compare=False)
def callbacks_outlive_their_function():
    """Nothing holds the Python function but the execution that is calling it."""
    running, ready, answers = threading.Event(), threading.Event(), []

    def waits(v):
        running.set()
        return numpy.float32(ready.wait(60)) + numpy.asarray(v)

    def call(f):
        answers.append(float(f(jnp.float32(1))))
    thread = threading.Thread(target=call, args=(jax.jit(lambda x: jax.pure_callback(waits, result(), x)),))
    thread.start()
    assert running.wait(60)
    jax.clear_caches()
    gc.collect()
    ready.set()
    thread.join()
    assert answers == [2.0], answers


@case(compare=False)
def callbacks_keep_their_operands():
    """What a callback receives is its own: it stays after the program's memory is used again."""
    kept = []
    f = jax.jit(lambda x: jax.pure_callback(lambda v: (kept.append(v), numpy.float32(0))[1], result(), x * 2))
    for i in range(20):
        jax.block_until_ready(f(jnp.full(4096, i, "float32")))
    assert all((numpy.asarray(v) == 2 * i).all() for i, v in enumerate(kept)), "an operand changed"


@case(compare=False)
def callbacks_raise():
    def fails(_):
        raise ValueError("said by a callback")
    try:
        jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(fails, result(), x))(jnp.float32(0)))
    except jax.errors.JaxRuntimeError as error:
        assert "said by a callback" in str(error)
    else:
        raise AssertionError("the error is lost")


@case(compare=False, platform="cpu")
def callbacks_that_raised_leave_nothing_behind():
    """Neither later ordered effects nor the barrier, which JAX also passes at exit, meet the old error."""
    raises, seen = [True], []

    def call(v):
        if raises[0]:
            raise ValueError("said by a callback")
        seen.append(int(v))
    programs = [jax.jit(lambda x, k=k: (io_callback(call, None, x + k, ordered=True), x)[1]) for k in range(2)]
    for program in programs:
        try:
            program(jnp.int32(1))
        except jax.errors.JaxRuntimeError as error:
            assert "said by a callback" in str(error)
        else:
            raise AssertionError("the call returns before the callback has failed")
    jax.effects_barrier()
    raises[0] = False
    for program in programs:
        jax.block_until_ready(program(jnp.int32(1)))
    jax.effects_barrier()
    assert seen == [1, 2], seen


@case(compare=False)
def callbacks_in_many_threads():
    f = jax.jit(lambda x: jax.pure_callback(lambda v: numpy.asarray(v) + 1, result(64), x) * 2)
    answers = [None] * 8

    def work(i):
        answers[i] = all(numpy.array_equal(f(jnp.full(64, k, "float32")), numpy.full(64, 2 * k + 2)) for k in range(20))
    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answers), answers


@case()
def vmapped_and_differentiated():
    f = lambda x: jax.pure_callback(lambda v: numpy.sin(v), result(), x, vmap_method="sequential")
    g = jax.custom_jvp(f)
    g.defjvp(lambda p, t: (f(p[0]), jnp.cos(p[0]) * t[0]))
    return [jax.jit(jax.vmap(f))(jnp.arange(4.0)), jax.jit(jax.grad(g))(jnp.float32(1))]


@case(compare=False)
def prints():
    lines = []
    jax.jit(lambda x: jax.debug.callback(lambda v: lines.append(int(v)), x))(jnp.int32(3))
    jax.effects_barrier()
    assert lines == [3]
    jax.jit(lambda x: jax.debug.print("{x}", x=x, ordered=True))(jnp.arange(3))
    jax.effects_barrier()


# ---- handlers by jax.ffi --------------------------------------------------------------------------
class Buffer(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("start", ctypes.c_void_p), ("dtype", ctypes.c_int),
                ("data", ctypes.c_void_p), ("rank", ctypes.c_int64), ("dims", ctypes.POINTER(ctypes.c_int64))]


class Span(ctypes.Structure):
    _fields_ = [("text", ctypes.POINTER(ctypes.c_char)), ("size", ctypes.c_size_t)]


class Scalar(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("value", ctypes.c_void_p)]


class Array(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("size", ctypes.c_size_t), ("data", ctypes.c_void_p)]


class Values(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("start", ctypes.c_void_p), ("size", ctypes.c_int64),
                ("types", ctypes.POINTER(ctypes.c_int)), ("at", ctypes.POINTER(ctypes.POINTER(Buffer)))]


class Attributes(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("start", ctypes.c_void_p), ("size", ctypes.c_int64),
                ("types", ctypes.POINTER(ctypes.c_int)), ("names", ctypes.POINTER(ctypes.POINTER(Span))),
                ("at", ctypes.POINTER(ctypes.c_void_p))]


class Frame(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension", ctypes.c_void_p), ("api", ctypes.c_void_p),
                ("context", ctypes.c_void_p), ("stage", ctypes.c_int), ("operands", Values), ("results", Values),
                ("attributes", Attributes)]


HANDLER = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Frame))
KEPT = []


def say_version(frame):
    """Answers the metadata query: version 0.1."""
    metadata = ctypes.cast(frame.extension + 24, ctypes.POINTER(ctypes.c_void_p)).contents.value
    ctypes.cast(metadata + 24, ctypes.POINTER(ctypes.c_int * 2)).contents[:] = [0, 1]


def capsule(function):
    def handler(frame):
        if frame.contents.extension:
            say_version(frame.contents)
        else:
            function(frame.contents)
        return None
    handler = HANDLER(handler)
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    KEPT.append(handler)
    return make(ctypes.cast(handler, ctypes.c_void_p), None, None)


def array(buffer, kind=ctypes.c_float):
    buffer = buffer.contents
    shape = tuple(buffer.dims[i] for i in range(buffer.rank))
    count = int(numpy.prod(shape))
    return numpy.ctypeslib.as_array(ctypes.cast(buffer.data, ctypes.POINTER(kind)), (count,)), shape


def read(attributes):
    """Attributes as a dictionary: scalars (s64, f32, pred), arrays of s64, strings and dictionaries."""
    kinds, out = {1: ctypes.c_bool, 4: ctypes.c_int32, 5: ctypes.c_int64, 11: ctypes.c_float, 12: ctypes.c_double}, {}
    for i in range(attributes.size):
        span, at = attributes.names[i].contents, attributes.at[i]
        if attributes.types[i] == 1:
            value = ctypes.cast(at, ctypes.POINTER(Array)).contents
            value = list(ctypes.cast(value.data, ctypes.POINTER(kinds[value.dtype]))[:value.size])
        elif attributes.types[i] == 2:
            value = read(ctypes.cast(at, ctypes.POINTER(Attributes)).contents)
        elif attributes.types[i] == 3:
            value = ctypes.cast(at, ctypes.POINTER(Scalar)).contents
            value = ctypes.cast(value.value, ctypes.POINTER(kinds[value.dtype])).contents.value
        else:
            value = ctypes.cast(at, ctypes.POINTER(Span)).contents
            value = value.text[:value.size].decode()
        out[span.text[:span.size].decode()] = value
    return out


@case(platform="cpu")
def ffi_attributes_and_layouts():
    seen = []

    def handler(frame):
        (x, shape), (y, _) = array(frame.operands.at[0]), array(frame.results.at[0])
        seen.append((read(frame.attributes), shape, x[:3].tolist()))
        y[:] = x * 2

    jax.ffi.register_ffi_target("gantry_case_attributes", capsule(handler), platform="cpu")
    x = jnp.arange(12.0).reshape(3, 4)
    call = lambda v, layout: jax.ffi.ffi_call("gantry_case_attributes", result(3, 4), input_layouts=[layout],
                                              output_layouts=layout)(
        v, whole=3, real=numpy.float32(2.5), yes=True, text="abc", list=numpy.array([1, 2, 3]), inner={"a": 1, "b": "c"})
    out = [jax.jit(lambda v: call(v, (0, 1)))(x), jax.jit(lambda v: call(v, (1, 0)))(x)]
    jax.block_until_ready(out)
    wanted = {"whole": 3, "real": 2.5, "yes": True, "text": "abc", "list": [1, 2, 3], "inner": {"a": 1, "b": "c"}}
    for attributes, shape, first in seen:
        assert attributes == wanted and shape == (3, 4), (attributes, shape)
    assert [first for _, _, first in seen] == [[0.0, 1.0, 2.0], [0.0, 4.0, 8.0]], seen
    return out


@case(platform="cpu")
def ffi_aliases():
    """The result reuses the operand's memory, and other users of the operand still see its value."""
    def handler(frame):
        assert frame.operands.at[0].contents.data == frame.results.at[0].contents.data
        array(frame.results.at[0])[0][:] += 1

    jax.ffi.register_ffi_target("gantry_case_aliases", capsule(handler), platform="cpu")
    call = lambda v: jax.ffi.ffi_call("gantry_case_aliases", result(5), input_output_aliases={0: 0})(v)
    return [jax.jit(lambda v: (call(v), v * 3))(jnp.arange(5.0)), jax.jit(lambda v: call(call(v * 2)))(jnp.arange(5.0)),
            jax.jit(lambda v: jax.lax.fori_loop(0, 4, lambda _, w: call(w), v))(jnp.arange(5.0))]


HANDLER_SOURCE = """
#include "xla/ffi/api/ffi.h"
namespace ffi = xla::ffi;
static ffi::Error twice(ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y, float limit)
{
    for (size_t i = 0; i < x.element_count(); i++) {
        if (x.typed_data()[i] > limit)
            return ffi::Error(ffi::ErrorCode::kOutOfRange, "said by a handler");
        y->typed_data()[i] = 2 * x.typed_data()[i];
    }
    return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(Twice, twice, ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F32>>().Attr<float>("limit"));
"""


@case(compare=False, platform="cpu")
def ffi_handler_of_the_installed_headers():
    """Built for the version of XLA's FFI that this JAX has."""
    with tempfile.TemporaryDirectory() as folder:
        library = folder + "/handler.so"
        subprocess.run(["g++", "-w", "-shared", "-fPIC", "-std=c++17", "-I", jax.ffi.include_dir(), "-x", "c++", "-", "-o", library],
                       input=HANDLER_SOURCE, text=True, check=True)
        handler = jax.ffi.pycapsule(ctypes.cdll.LoadLibrary(library).Twice)
    jax.ffi.register_ffi_target("gantry_case_twice", handler, platform="cpu")
    f = jax.jit(lambda x: jax.ffi.ffi_call("gantry_case_twice", result(4))(x, limit=numpy.float32(5)))
    assert numpy.array_equal(f(jnp.arange(4.0)), [0, 2, 4, 6])
    try:
        jax.block_until_ready(f(jnp.full(4, 6.0)))
    except jax.errors.JaxRuntimeError as error:
        assert "said by a handler" in str(error), error
    else:
        raise AssertionError("the error is lost")


@case(platform="cpu")
def buffer_callbacks():
    from jax.experimental.buffer_callback import buffer_callback

    def call(_, out, x):
        numpy.asarray(out)[...] = numpy.asarray(x)[::-1]
    return jax.jit(buffer_callback(call, result(3)))(jnp.arange(3.0))


@case(compare=False)
def unknown_target():
    try:
        jax.block_until_ready(jax.jit(lambda v: jax.ffi.ffi_call("gantry_case_unknown", result(2))(v))(jnp.ones(2)))
    except jax.errors.JaxRuntimeError as error:
        assert "UNIMPLEMENTED" in str(error) and "gantry_case_unknown" in str(error), error
    else:
        raise AssertionError("the unknown target was accepted")
