"""loggp.py: base/loggp.h in Python, for scripts: the formulas themselves, compiled as a library."""
import ctypes
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WAYS = ("direct", "parts", "doubling", "halving", "ring")


class Link(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("latency", "overhead", "gap", "byte", "combine")]


def load():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "loggp.so")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-I{ROOT}", f"{ROOT}/base/loggp.c", "-lm", "-o", path], check=True)
        library = ctypes.CDLL(path)
    library.loggp_all_reduce.restype = ctypes.c_double
    library.loggp_all_reduce.argtypes = [ctypes.POINTER(Link), ctypes.c_int, ctypes.c_int, ctypes.c_double]
    library.loggp_of_link.restype = Link
    library.loggp_of_link.argtypes = [ctypes.c_double, ctypes.c_double]
    return library


LIBRARY = load()


def link_of(bytes_per_second, latency):
    return LIBRARY.loggp_of_link(bytes_per_second, latency)


def all_reduce(link, way, hosts, size):
    """Seconds."""
    return LIBRARY.loggp_all_reduce(ctypes.byref(link), WAYS.index(way), hosts, size)
