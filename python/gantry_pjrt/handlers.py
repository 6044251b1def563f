"""Registers JAX's custom-call handlers with the plugin.

JAX registers the handlers of its CPU backend (including Python callbacks, and those that users register with
jax.ffi.register_ffi_target) only with its own CPU client. They use XLA's FFI, a C interface, so any plugin can call
them; the plugin registers them through the FFI extension of the PJRT C API. JAX's own CPU client keeps its handlers.

The extension accepts one function per handler. A handler with several stages is registered with
XLA_FFI_Handler_Register instead, a member of the XLA_FFI_Api table that handlers receive. The handler of Python
callbacks, which is registered first, stores the address of this table.

Python callbacks have a handler of our own (callbacks.py). Programs that JAX lowered without a backend still name
jaxlib's. That one needs a state since jaxlib 0.8, which does not export the function that creates it: its address is
looked up in jaxlib's symbol table when such a callback is first used."""
import ctypes

from gantry_pjrt import callbacks, log, symbols

_EXTENSION_TYPE_FFI = 5
_TYPED_FFI = 1          # the only supported calling convention
_PLATFORM = b"cpu"
_STAGES = ("instantiate", "prepare", "initialize", "execute")
_CALLBACKS = (b"xla_ffi_python_cpu_callback", b"xla_ffi_partitioned_python_cpu_callback")
_CREATE_STATE = b"kCpuTransposePlanCacheInstantiate"
_DELETE_STATE = b"_ZZN3xla3ffi12MakeTypeInfoIN3jax21CpuTransposePlanCacheEEE16XLA_FFI_TypeInfovENUlPvE_8__invokeES5_"


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


class _TypeInfo(ctypes.Structure):
    """PJRT_FFI_Type_Info."""
    _fields_ = [("deleter", ctypes.c_void_p), ("serialize", ctypes.c_void_p), ("deserialize", ctypes.c_void_p)]


class _TypeRegisterArgs(ctypes.Structure):
    """PJRT_FFI_Type_Register_Args."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("type_name", ctypes.c_char_p),
                ("type_name_size", ctypes.c_size_t), ("type_id", ctypes.c_int64), ("type_info", ctypes.POINTER(_TypeInfo))]


class _FfiTypeInfo(ctypes.Structure):
    """XLA_FFI_TypeInfo."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _CallFrame(ctypes.Structure):
    """The head of XLA_FFI_CallFrame."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("api", ctypes.c_void_p)]


_FRAME = 168            # XLA_FFI_CallFrame up to its attributes' end


class _Frame(ctypes.Structure):
    """XLA_FFI_CallFrame without operands, results or attributes."""
    _fields_ = _CallFrame._fields_ + [("rest", ctypes.c_size_t * 19)]


class _Metadata(ctypes.Structure):
    """XLA_FFI_Metadata."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("version_size", ctypes.c_size_t), ("version_start", ctypes.c_void_p),
                ("version", ctypes.c_int * 2), ("traits", ctypes.c_uint32), ("state_type", ctypes.c_int64)]


class _MetadataExtension(ctypes.Structure):
    """XLA_FFI_Metadata_Extension."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("type", ctypes.c_int), ("next", ctypes.c_void_p),
                ("metadata", ctypes.POINTER(_Metadata))]


class _FfiApi(ctypes.Structure):
    """The head of XLA_FFI_Api."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("version", ctypes.c_size_t * 3),
                ("internal_api", ctypes.c_void_p), ("error_create", ctypes.c_void_p), ("error_get_message", ctypes.c_void_p),
                ("error_destroy", ctypes.c_void_p), ("handler_register", ctypes.c_void_p)]


class _FfiRegisterArgs(ctypes.Structure):
    """XLA_FFI_Handler_Register_Args."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p), ("name", ctypes.c_char_p),
                ("name_size", ctypes.c_size_t), ("platform", ctypes.c_char_p), ("platform_size", ctypes.c_size_t),
                ("bundle", ctypes.c_void_p * 4), ("traits", ctypes.c_uint32)]


def _capsule(capsule):
    get_name, get_pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get_pointer(capsule, get_name(capsule))


def _function(address, args, result=ctypes.c_void_p):
    return ctypes.CFUNCTYPE(result, ctypes.POINTER(args))(address)


class _Plugin:
    """The plugin's functions for handlers. Handlers that it rejects (a built-in name, another version) are not
    registered; the plugin logs them (GANTRY_LOG=info, debug)."""

    def __init__(self, api, extension):
        self._destroy = _function(api.error_destroy, _ErrorDestroyArgs, None)
        self._register = _function(extension.register_handler, _RegisterArgs)
        self._register_type = _function(extension.type_register, _TypeRegisterArgs)
        self._references = []                 # functions that the plugin may call until the process ends
        self._ffi = self._find_table()

    def _dispose(self, error):
        if error:
            self._destroy(ctypes.byref(_ErrorDestroyArgs(ctypes.sizeof(_ErrorDestroyArgs), None, error)))

    def _register_one(self, name, address):
        self._dispose(self._register(ctypes.byref(_RegisterArgs(
            ctypes.sizeof(_RegisterArgs), name, len(name), address, _PLATFORM, len(_PLATFORM), 0))))

    def _find_table(self):
        """Registers the handler of Python callbacks, which receives the table when its metadata are queried."""
        for target in (callbacks.TARGET, callbacks.SHARD_TARGET):
            self._register_one(target.encode(), callbacks.address())
        return ctypes.cast(callbacks.table, ctypes.POINTER(_FfiApi)).contents if callbacks.table else None

    def _register_stages(self, name, addresses):
        size = _FfiRegisterArgs.traits.offset + _FfiRegisterArgs.traits.size
        args = _FfiRegisterArgs(size, None, name, len(name), _PLATFORM, len(_PLATFORM), (ctypes.c_void_p * 4)(*addresses), 0)
        error = _function(self._ffi.handler_register, _FfiRegisterArgs)(ctypes.byref(args))
        if error:
            destroy = _ErrorDestroyArgs(ctypes.sizeof(_ErrorDestroyArgs), None, error)
            _function(self._ffi.error_destroy, _ErrorDestroyArgs, None)(ctypes.byref(destroy))

    def handler(self, name, handler):
        """Registers `handler`: a capsule, or a dictionary of capsules by stage."""
        stages = handler if isinstance(handler, dict) else {"execute": handler}
        name = name if isinstance(name, bytes) else name.encode()
        if name in _CALLBACKS and "instantiate" not in stages and "execute" in stages:
            return self._callbacks(name, _capsule(stages["execute"]))
        addresses = [_capsule(stages[stage]) if stage in stages else None for stage in _STAGES]
        if addresses[3] and not any(addresses[:3]):
            self._register_one(name, addresses[3])
        elif addresses[3] and self._ffi is not None:
            self._register_stages(name, addresses)

    def _callbacks(self, name, execute):
        """Registers the handler of Python callbacks. The function that creates its state is looked up at the first use."""
        run, found = _function(execute, _CallFrame), []

        def make(frame):
            if frame.contents.extension_start:          # a metadata query: returns the version of the execute stage
                return run(frame)
            if not found:
                found.append(self._state_creator(execute, frame.contents.api))
            return found[0](frame) if found[0] else None

        make = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_CallFrame))(make)
        self._references.append(make)
        if self._ffi is not None:
            self._register_stages(name, [ctypes.cast(make, ctypes.c_void_p).value, None, None, execute])

    def _state_creator(self, execute, api):
        known = symbols.beside(execute, (_CREATE_STATE, _DELETE_STATE))
        if _CREATE_STATE not in known:
            return None
        make = _function(known[_CREATE_STATE], _CallFrame)
        metadata = _Metadata(struct_size=ctypes.sizeof(_Metadata), version_size=24)
        extension = _MetadataExtension(ctypes.sizeof(_MetadataExtension), 1, None, ctypes.pointer(metadata))
        frame = _Frame(struct_size=_FRAME, extension_start=ctypes.addressof(extension), api=api)
        error = make(ctypes.cast(ctypes.byref(frame), ctypes.POINTER(_CallFrame)))
        if error:
            _function(self._ffi.error_destroy, _ErrorDestroyArgs, None)(ctypes.byref(
                _ErrorDestroyArgs(ctypes.sizeof(_ErrorDestroyArgs), None, error)))
        elif metadata.state_type and _DELETE_STATE in known:
            self._register_type_id(b"CpuTransposePlanCache", metadata.state_type, known[_DELETE_STATE])
        return make

    def _register_type_id(self, name, number, deleter):
        info = _TypeInfo(deleter=deleter)
        self._dispose(self._register_type(ctypes.byref(_TypeRegisterArgs(
            ctypes.sizeof(_TypeRegisterArgs), None, name, len(name), number, ctypes.pointer(info)))))

    def type(self, name, registration):
        """`registration`: {"type_id": capsule of an XLA_FFI_TypeId, "type_info": capsule of an XLA_FFI_TypeInfo, or None};
        the first capsule alone before JAX 0.8."""
        if not isinstance(registration, dict):
            registration = {"type_id": registration}
        number = ctypes.cast(_capsule(registration["type_id"]), ctypes.POINTER(ctypes.c_int64)).contents.value
        deleter = None
        if registration.get("type_info") is not None:
            deleter = ctypes.cast(_capsule(registration["type_info"]), ctypes.POINTER(_FfiTypeInfo)).contents.deleter
        self._register_type_id(name if isinstance(name, bytes) else name.encode(), number, deleter)


def _open(library_path):
    """The plugin's functions, or None when it has no FFI extension."""
    library = ctypes.CDLL(library_path)
    library.GetPjrtApi.restype = ctypes.POINTER(_Api)
    api = library.GetPjrtApi().contents
    extension = api.extension_start
    while extension and extension.contents.type != _EXTENSION_TYPE_FFI:
        extension = extension.contents.next
    if not extension or extension.contents.struct_size < ctypes.sizeof(_Extension):
        return None
    return _Plugin(api, extension.contents)


def _follow(handlers, also):
    """Calls `also` after each later registration with JAX's own CPU client."""
    for platform in [name for name in ("cpu", "Host") if name in handlers]:
        def both(*args, own=handlers[platform], **named):
            own(*args, **named)
            also(*args, **named)
        handlers[platform] = both


def _pending(registrations):
    """A copy of what is registered for JAX's CPU client while there is none."""
    return [entry for platform in ("cpu", "Host") for entry in registrations.get(platform, ())]


def _process_pending(xla_client):
    """JAX does this when it creates its CPU client, which may be later or never. This processes pending registrations: types
    first, since a handler whose state has a type that is not registered yet is rejected, and one that is rejected does not
    keep the others from being registered."""
    own = xla_client._xla

    def tolerant(name, *rest, **named):
        try:
            own.register_custom_call_target(name, *rest, **named)
        except Exception as error:
            log(f"JAX rejects the custom-call handler {name}: {error}")

    if hasattr(xla_client, "register_custom_type_handler"):
        xla_client.register_custom_type_handler("cpu", own.register_custom_type)
    else:                                   # before JAX 0.8
        xla_client.register_custom_type_id_handler("cpu", own.register_custom_type_id)
    xla_client.register_custom_call_handler("cpu", tolerant)
    for platform, handler in xla_client._custom_callback_handler.items():
        if handler is tolerant:             # later registrations report their errors to those who make them
            xla_client._custom_callback_handler[platform] = own.register_custom_call_target


def _text(name):
    return name.decode() if isinstance(name, bytes) else name


def register(library_path):
    """Registers all current and future handlers and types of JAX's CPU backend with the plugin."""
    from jax._src.lib import xla_client
    plugin = _open(library_path)
    if plugin is None:
        return

    def also_handler(name, function, xla_platform, api_version=0, traits=0):
        if int(api_version) == _TYPED_FFI:
            plugin.handler(name, function)
        else:
            log(f"the custom-call handler {name} is not registered with Gantry: its calling convention is "
                f"{int(api_version)}; only {_TYPED_FFI}, XLA's typed FFI, is supported")

    types, handlers = _pending(xla_client._custom_type_id), _pending(xla_client._custom_callback)
    _process_pending(xla_client)
    for name, registration in types:
        plugin.type(name, registration)
    for name, function, *rest in handlers:  # whole: JAX's list of targets has the execute stage alone
        also_handler(name, function, "Host", *rest)
    known = {_text(name) for name, *_ in handlers}
    for name, handler in xla_client.custom_call_targets("Host").items():
        if isinstance(handler, dict) and _text(name) not in known:    # a single capsule: the untyped calling convention
            plugin.handler(name, handler)
    _follow(xla_client._custom_callback_handler, also_handler)
    _follow(xla_client._custom_type_id_handler, plugin.type)
