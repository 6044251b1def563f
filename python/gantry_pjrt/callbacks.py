"""Python callbacks (jax.pure_callback, io_callback, debug.callback, debug.print) by a handler of our own.

JAX lowers each to a custom call whose handler, in jaxlib, takes objects of jaxlib's own from the execution. Programs for
Gantry call `gantry_python_callback` instead, with the number of the Python function as an attribute. Its handler is a
function of this module, called by XLA's FFI, a C interface: it needs no more of JAX than the place where the call is
lowered. Functions are held weakly here: the executable that calls them owns them, as JAX arranges."""
import ctypes
import itertools
import traceback
import weakref

import numpy

TARGET = "gantry_python_callback"
SHARD_TARGET = "gantry_python_callback_per_shard"      # each device of a partitioned program calls it with its shards
_JAX_TARGETS = ("xla_ffi_python_cpu_callback", "xla_ffi_partitioned_python_cpu_callback")
_TOKEN, _INTERNAL = 17, 13
_WHOLE = {1: "bool", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "uint8", 7: "uint16", 8: "uint32", 9: "uint64",
          10: "float16", 11: "float32", 12: "float64", 15: "complex64", 16: "bfloat16", 18: "complex128", 19: "float8_e5m2",
          20: "float8_e4m3fn", 23: "float8_e4m3b11fnuz", 24: "float8_e5m2fnuz", 25: "float8_e4m3fnuz", 28: "float8_e4m3",
          29: "float8_e3m4", 33: "float8_e8m0fnu"}
_PACKED = {21: ("int4", 4), 22: ("uint4", 4), 26: ("int2", 2), 27: ("uint2", 2), 32: ("float4_e2m1fn", 4)}  # and bits


class _Buffer(ctypes.Structure):
    """XLA_FFI_Buffer."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("dtype", ctypes.c_int),
                ("data", ctypes.c_void_p), ("rank", ctypes.c_int64), ("dims", ctypes.POINTER(ctypes.c_int64))]


class _Values(ctypes.Structure):
    """XLA_FFI_Args and XLA_FFI_Rets."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("size", ctypes.c_int64),
                ("types", ctypes.c_void_p), ("values", ctypes.POINTER(ctypes.POINTER(_Buffer)))]


class _Scalar(ctypes.Structure):
    """XLA_FFI_Scalar, of 64 bits."""
    _fields_ = [("dtype", ctypes.c_int), ("value", ctypes.POINTER(ctypes.c_uint64))]


class _Attributes(ctypes.Structure):
    """XLA_FFI_Attrs, whose only attribute is a scalar."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("size", ctypes.c_int64),
                ("types", ctypes.c_void_p), ("names", ctypes.c_void_p), ("values", ctypes.POINTER(ctypes.POINTER(_Scalar)))]


class _Frame(ctypes.Structure):
    """XLA_FFI_CallFrame."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("api", ctypes.c_void_p),
                ("context", ctypes.c_void_p), ("stage", ctypes.c_int), ("args", _Values), ("rets", _Values),
                ("attributes", _Attributes)]


class _Metadata(ctypes.Structure):
    """XLA_FFI_Metadata up to its version."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("version_size", ctypes.c_size_t), ("version_start", ctypes.c_void_p),
                ("major", ctypes.c_int), ("minor", ctypes.c_int)]


class _MetadataExtension(ctypes.Structure):
    """XLA_FFI_Metadata_Extension."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("type", ctypes.c_int), ("next", ctypes.c_void_p),
                ("metadata", ctypes.POINTER(_Metadata))]


class _ErrorCreateArgs(ctypes.Structure):
    """XLA_FFI_Error_Create_Args."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("message", ctypes.c_char_p),
                ("code", ctypes.c_int)]


table = None                                    # the address of XLA_FFI_Api, once the handler has been registered
_ERROR_CREATE = 48                              # where XLA_FFI_Api has XLA_FFI_Error_Create
_functions = weakref.WeakValueDictionary()      # by number; a call holds the function it found
_numbers = itertools.count(1)


def _dtype(name):
    if name.startswith(("bfloat", "float4", "float8", "int2", "int4", "uint2", "uint4")):
        import ml_dtypes
        return numpy.dtype(getattr(ml_dtypes, name))
    return numpy.dtype(name)


def _bytes(buffer, count):
    """The buffer's first `count` bytes, in place."""
    if not count:
        return numpy.empty(0, numpy.uint8)
    return numpy.frombuffer((ctypes.c_ubyte * count).from_address(buffer.data), numpy.uint8)


def _unpacked(buffer, shape, size):
    name, bits = _PACKED[buffer.dtype]
    raw = _bytes(buffer, -(-size * bits // 8))
    fields = (raw[:, None] >> numpy.arange(0, 8, bits, dtype=numpy.uint8)).reshape(-1)[:size] & (1 << bits) - 1
    if name.startswith("int"):                  # the sign: 4 bits 0b1000 and more are negative
        fields = (fields.astype(numpy.int8) ^ (1 << bits - 1)) - (1 << bits - 1)
    typed = fields.view(_dtype(name)) if name.startswith("float") else fields.astype(_dtype(name))
    return typed.reshape(shape)


def _packed(value, shape, name, bits):
    whole = numpy.broadcast_to(numpy.asarray(value, _dtype(name)), shape)
    integers = numpy.ascontiguousarray(whole) if name.startswith("float") else whole.astype(numpy.int8)
    fields = integers.view(numpy.uint8).reshape(-1) & (1 << bits) - 1
    each = 8 // bits
    fields = numpy.concatenate([fields, numpy.zeros(-fields.size % each, numpy.uint8)]).reshape(-1, each)
    return numpy.bitwise_or.reduce(fields << numpy.arange(0, 8, bits, dtype=numpy.uint8), axis=1)


def _operand(buffer):
    """A copy: the function may keep it, the program's memory is used again."""
    if buffer.dtype == _TOKEN:
        return None
    shape = tuple(buffer.dims[:buffer.rank])
    size = int(numpy.prod(shape, dtype=numpy.int64))
    if buffer.dtype in _PACKED:
        return _unpacked(buffer, shape, size)
    dtype = _dtype(_WHOLE[buffer.dtype])
    return _bytes(buffer, size * dtype.itemsize).copy().view(dtype).reshape(shape)


def _store(buffer, value):
    if buffer.dtype == _TOKEN:
        return
    shape = tuple(buffer.dims[:buffer.rank])
    size = int(numpy.prod(shape, dtype=numpy.int64))
    if buffer.dtype in _PACKED:
        name, bits = _PACKED[buffer.dtype]
        _bytes(buffer, -(-size * bits // 8))[:] = _packed(value, shape, name, bits)
        return
    dtype = _dtype(_WHOLE[buffer.dtype])
    _bytes(buffer, size * dtype.itemsize).view(dtype).reshape(shape)[...] = value


def _call(frame):
    number = frame.attributes.values[0].contents.value[0]
    function = _functions.get(number)
    if function is None:
        raise RuntimeError(f"the Python function {number} of a callback is gone: its executable was deleted, or this "
                           "program was compiled in another process")
    results = function(*[_operand(frame.args.values[i].contents) for i in range(frame.args.size)])
    if len(results) != frame.rets.size:
        raise RuntimeError(f"the callback returned {len(results)} values; the program expects {frame.rets.size}")
    for i, value in enumerate(results):
        _store(frame.rets.values[i].contents, value)


def _error(api, message):
    create = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_ErrorCreateArgs))(
        ctypes.c_void_p.from_address(api + _ERROR_CREATE).value)
    size = _ErrorCreateArgs.code.offset + _ErrorCreateArgs.code.size
    return create(ctypes.byref(_ErrorCreateArgs(size, None, message.encode(errors="replace").replace(b"\0", b"?"), _INTERNAL)))


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Frame))
def _handler(frame):
    global table
    frame = frame.contents
    if frame.extension_start:                   # queries the metadata: built for version 0.1 of XLA's FFI
        table = frame.api
        metadata = _MetadataExtension.from_address(frame.extension_start).metadata.contents
        metadata.major, metadata.minor = 0, 1
        return None
    try:
        _call(frame)
    except BaseException as problem:            # a KeyboardInterrupt, too, ends the execution and not the thread
        return _error(frame.api, "a Python callback failed: " + "".join(traceback.format_exception(problem)))
    return None


def address():
    """The handler, to be registered as TARGET and as SHARD_TARGET; it lives until the process ends."""
    return ctypes.cast(_handler, ctypes.c_void_p).value


def lower_to_own(is_for_gantry):
    """Lowers JAX's Python callbacks to these targets where is_for_gantry(module context) holds. Call it once, when the handler is
    registered, before a function with callbacks is lowered."""
    from jax._src import callback, ffi
    if callback.ffi is not ffi:
        raise RuntimeError("this JAX lowers callbacks elsewhere")
    build = ffi.build_ffi_lowering_function

    def build_for_either(call_target_name, **options):
        lower = build(call_target_name, **options)
        if call_target_name not in _JAX_TARGETS:
            return lower

        def lower_callback(context, *operands, index):
            if not is_for_gantry(context.module_context):
                return lower(context, *operands, index=index)
            function = context.module_context.host_callbacks[int(index)]
            number = next(_numbers)
            _functions[number] = function
            target = SHARD_TARGET if "partitioned" in call_target_name else TARGET
            return build(target, **options)(context, *operands, function=numpy.uint64(number))
        return lower_callback

    ffi.build_ffi_lowering_function = build_for_either
