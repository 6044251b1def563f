"""Looks up functions that a loaded shared object does not export but has in its symbol table."""
import ctypes
import mmap
import struct

_SYMBOL = 24            # bytes of an Elf64_Sym: name, info, other, section (16 bits), value, size
_SYMTAB = 2


class _Info(ctypes.Structure):
    """Dl_info."""
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]


def _sections(data):
    """The sections of a 64-bit little-endian ELF file, as (type, link, offset, size)."""
    if data[:6] != b"\x7fELF\x02\x01":
        return []
    table, = struct.unpack_from("<Q", data, 40)
    each, count = struct.unpack_from("<HH", data, 58)
    found = []
    for i in range(count):
        _, kind, _, _, offset, size, link = struct.unpack_from("<IIQQQQI", data, table + i * each)
        found.append((kind, link, offset, size))
    return found


def _values(data, names):
    import numpy
    sections = _sections(data)
    values = {}
    for kind, link, offset, size in sections:
        if kind != _SYMTAB:
            continue
        symbols = numpy.frombuffer(data, "<u4", size // 4, offset).reshape(-1, _SYMBOL // 4)
        text, end = sections[link][2], sections[link][2] + sections[link][3]
        for name in names:
            at = data.find(b"\0" + name + b"\0", text, end)
            rows = symbols[symbols[:, 0] == at + 1 - text] if at >= 0 else ()
            if len(rows) == 1:
                values[name] = int(rows[0][2]) | int(rows[0][3]) << 32
        del symbols
    return values


def beside(address, names):
    """A dictionary from name (bytes) to address, for those `names` that are in the library that contains `address`."""
    info = _Info()
    find = ctypes.CDLL(None).dladdr
    find.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Info)]
    if not find(address, ctypes.byref(info)) or not info.file:
        return {}
    with open(info.file, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return {name: info.base + value for name, value in _values(data, names).items()}
