"""Arrays shared with NumPy in place (DLPack): layouts, strides, alignment, types and lifetimes."""
import jax
import jax.numpy as jnp
import numpy
from jax.experimental.layout import Format, Layout

from jax_case import case


def aligned(shape, dtype, offset=0):
    """A row-major array whose address is `offset` bytes after a multiple of 64."""
    size = int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize
    raw = numpy.zeros(size + 128, numpy.uint8)
    start = -raw.ctypes.data % 64 + offset
    return raw[start:start + size].view(dtype).reshape(shape)


def numbers(*shape, offset=0):
    array = aligned(shape, "float32", offset)
    array[...] = numpy.arange(array.size).reshape(shape)
    return array


def imported(array, copy):
    """The array and whether it uses the given memory; or -1 if the import is rejected."""
    try:
        out = jax.dlpack.from_dlpack(array, copy=copy)
    except (ValueError, BufferError, RuntimeError):
        return -1
    numpy.testing.assert_array_equal(numpy.asarray(out), array)
    return out + 1, int(out.unsafe_buffer_pointer() == array.ctypes.data)


@case(platform="cpu")
def dlpack_strides():
    """Dense arrays with any layout are used in place or copied; others are rejected before they reach a plugin."""
    x = numbers(6, 8)
    arrays = [x, x.T, numbers(2, 3, 4).transpose(1, 2, 0), x[:0], x[::2], x[:, ::2], x[::-1], x.T[:, ::-1],
              numpy.broadcast_to(x[0], (3, 8)), numbers(4, 6, offset=4), numbers(4, 6, offset=32).T]
    return [imported(array, copy) for array in arrays for copy in (None, True, False)]


@case(platform="cpu")
def strided_arrays():
    """The same arrays as arguments, which are copied."""
    x = numbers(6, 8)
    return [jnp.asarray(array) + 1 for array in
            (x, x.T, x[::2], x[:, ::3], x[::-1], x.T[:, ::-1], numpy.broadcast_to(x[0], (3, 8)), x[1:, 1:], x[:0])]


@case(x64=True, platform="cpu")
def dlpack_types():
    out = []
    for name in "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128".split():
        array = aligned((5,), name)
        array[...] = numpy.arange(5) % 2
        back = jax.dlpack.from_dlpack(array)
        assert back.dtype == array.dtype and back.unsafe_buffer_pointer() == array.ctypes.data, name
        out += [back, numpy.from_dlpack(back)]
    return out


@case(compare=False, platform="cpu")
def dlpack_exports_in_place():
    """A NumPy view uses the array's memory and layout, and keeps the contents after the array is deleted."""
    place = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    x = jax.device_put(numbers(3, 4), Format(Layout((1, 0)), place))
    view = numpy.from_dlpack(x)
    assert view.ctypes.data == x.unsafe_buffer_pointer() and view.strides == (4, 12), view.strides
    x.delete()
    others = [jnp.full((3, 4), i) for i in range(20)]   # would reuse freed memory
    numpy.testing.assert_array_equal(view, numbers(3, 4))
    return len(others)


@case(compare=False, platform="cpu")
def dlpack_memory_is_not_written():
    """Donating an imported array does not change its memory, which belongs to NumPy."""
    x = numbers(1 << 16)
    given = jax.dlpack.from_dlpack(x)
    out = jax.jit(lambda a: a * 2, donate_argnums=0)(given)
    assert given.is_deleted()
    numpy.testing.assert_array_equal(numpy.asarray(out), x * 2)
    numpy.testing.assert_array_equal(x, numbers(1 << 16))
    del given, out
    return 0
