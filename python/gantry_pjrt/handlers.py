"""Hands JAX's custom-call handlers to the plugin.

JAX gives the handlers of its CPU backend (Python callbacks among them, and what users register with
jax.ffi.register_ffi_target) to its own CPU client only. They follow XLA's FFI, a C interface, so any plugin can call
them; the plugin takes them in through the FFI extension of the PJRT C API. JAX's own CPU keeps all of its handlers."""
import ctypes

_EXTENSION_TYPE_FFI = 5
_TYPED_FFI = 1          # the only calling convention handed over


class _Extension(ctypes.Structure):
    """PJRT_Extension_Base, with the members of PJRT_FFI_Extension after it."""


_Extension._fields_ = [
    ("struct_size", ctypes.c_size_t), ("type", ctypes.c_int), ("next", ctypes.POINTER(_Extension)),
    ("type_register", ctypes.c_void_p), ("user_data_add", ctypes.c_void_p), ("register_handler", ctypes.c_void_p)]


class _Api(ctypes.Structure):
    """The head of PJRT_Api."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.POINTER(_Extension)),
                ("version", ctypes.c_size_t * 3), ("error_destroy", ctypes.c_void_p)]


class _ErrorDestroyArgs(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("error", ctypes.c_void_p)]


class _RegisterArgs(ctypes.Structure):
    """PJRT_FFI_Register_Handler_Args."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("target_name", ctypes.c_char_p), ("target_name_size", ctypes.c_size_t),
                ("handler", ctypes.c_void_p), ("platform_name", ctypes.c_char_p), ("platform_name_size", ctypes.c_size_t),
                ("traits", ctypes.c_int)]


def _register_function(library_path):
    """A function (name, address) that registers one handler, or None when the plugin has no FFI extension."""
    library = ctypes.CDLL(library_path)
    library.GetPjrtApi.restype = ctypes.POINTER(_Api)
    api = library.GetPjrtApi().contents
    extension = api.extension_start
    while extension and extension.contents.type != _EXTENSION_TYPE_FFI:
        extension = extension.contents.next
    if not extension or extension.contents.struct_size < ctypes.sizeof(_Extension) or not extension.contents.register_handler:
        return None
    call = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_RegisterArgs))(extension.contents.register_handler)
    destroy = ctypes.CFUNCTYPE(None, ctypes.POINTER(_ErrorDestroyArgs))(api.error_destroy)

    def register(name, address):
        args = _RegisterArgs(ctypes.sizeof(_RegisterArgs), name, len(name), address, b"cpu", 3, 0)
        error = call(ctypes.byref(args))
        if error:                           # the plugin has a handler of its own by that name: it stays
            destroy(ctypes.byref(_ErrorDestroyArgs(ctypes.sizeof(_ErrorDestroyArgs), None, error)))
    return register


def _address(capsule):
    get_name, get_pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get_pointer(capsule, get_name(capsule))


def hand_over(library_path):
    """Registers every handler that JAX's CPU backend knows with the plugin, and those that come later too."""
    from jax._src.lib import xla_client
    register = _register_function(library_path)
    if register is None:
        return

    def hand(name, handler):
        stages = handler if isinstance(handler, dict) else {"execute": handler}
        name = name if isinstance(name, bytes) else name.encode()
        if "execute" in stages:
            register(name, _address(stages["execute"]))

    for name, handler in xla_client.custom_call_targets("Host").items():
        if isinstance(handler, dict):       # a bare capsule is of the untyped convention
            hand(name, handler)

    handlers = xla_client._custom_callback_handler
    for platform in [name for name in ("cpu", "Host") if name in handlers]:
        def both(name, function, xla_platform, api_version=0, traits=0, own=handlers[platform]):
            own(name, function, xla_platform, api_version, traits)
            if int(api_version) == _TYPED_FFI:
                hand(name, function)
        handlers[platform] = both
