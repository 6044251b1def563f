"""What this process compiled, executed and moved, from the plugin's own extension (pjrt_c_api_gantry_extension.h)."""
import ctypes
import json

import gantry_pjrt

_TYPE = 0x47414e54      # PJRT_EXTENSION_TYPE_GANTRY


class _Json(ctypes.Structure):
    """PJRT_Gantry_Json."""
    _fields_ = [("text", ctypes.c_void_p), ("size", ctypes.c_size_t), ("holder", ctypes.c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


class _Args(ctypes.Structure):
    """PJRT_Gantry_Metrics_Args."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("json", _Json)]


class _Extension(ctypes.Structure):
    """PJRT_Extension_Base, with the members of PJRT_Gantry_Extension after it."""


_Extension._fields_ = [
    ("struct_size", ctypes.c_size_t), ("type", ctypes.c_int), ("next", ctypes.POINTER(_Extension)), ("name", ctypes.c_char_p),
    ("version", ctypes.c_int), ("machine", ctypes.c_void_p), ("live_buffers", ctypes.c_void_p), ("plan", ctypes.c_void_p),
    ("signature", ctypes.c_void_p), ("metrics", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Args)))]


class _Api(ctypes.Structure):
    """The head of PJRT_Api."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.POINTER(_Extension))]


def _function():
    library = ctypes.CDLL(gantry_pjrt.library_path())
    library.GetPjrtApi.restype = ctypes.POINTER(_Api)
    extension = library.GetPjrtApi().contents.extension_start
    while extension and extension.contents.type != _TYPE:
        extension = extension.contents.next
    if not extension:
        raise RuntimeError(f"gantry_pjrt: {gantry_pjrt.library_path()} has no metrics; does it belong to another version?")
    return extension.contents.metrics


def read():
    args = _Args(struct_size=ctypes.sizeof(_Args))
    if _function()(ctypes.byref(args)):
        raise MemoryError("gantry_pjrt: no memory for the metrics")
    try:
        return json.loads(ctypes.string_at(args.json.text, args.json.size))
    finally:
        args.json.deleter(args.json.holder)
