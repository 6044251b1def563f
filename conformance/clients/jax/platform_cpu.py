#!/usr/bin/env python3
"""Who the platform `cpu` is, in processes of their own:

    PYTHONPATH=python platform_cpu.py PLUGIN.so

With GANTRY_JAX_CPU=1 it is Gantry, however it is selected. Otherwise it is JAX's own CPU backend, and the first use is
logged. A plugin that the user registers under Gantry's name is used in place of the wheel's."""
import os
import subprocess
import sys

WARNING = "selects JAX's own CPU backend, not Gantry"
DEVICES = "import jax; print(jax.devices(%s), jax.jit(lambda x: x + 1)(1.0).devices())"
BY_NAME = "import jax; jax.config.update('jax_platform_name', 'cpu'); print(jax.devices(), jax.devices())"
BY_PLATFORMS = "import jax; jax.config.update('jax_platforms', 'cpu'); print(jax.devices(), jax.devices('cpu'))"
CALLBACK = """
import jax, jax.numpy as jnp
f = lambda x: jax.pure_callback(lambda v: 2 * v, jax.ShapeDtypeStruct((), jnp.float32), x)
print(float(f(jnp.float32(2))) + float(jax.jit(f)(jnp.float32(3))))"""
NAME = "import jax; n = jax.default_backend(); print(n, n == 'cpu', f'{n}.txt')"
ORDERED = """
import jax, jax.numpy as jnp
from jax.experimental import io_callback
fails, seen = [True], []
def note(v):
    if fails[0]: raise ValueError("as intended")
    seen.append(int(v))
f = jax.jit(lambda x: (io_callback(note, None, x, ordered=True), x + 1)[1])
try:
    f(jnp.int32(1))
except Exception as error:
    print("raised", "as intended" in str(error))
fails[0] = False
f(jnp.int32(2)); print(seen); jax.debug.print("{}", jnp.int32(7), ordered=True); jax.effects_barrier()"""
DONE = """
import jax, jax.numpy as jnp
seen = []
def body(i, x):
    jax.debug.callback(lambda i: seen.append(int(i)), i)
    return jnp.tanh(x @ x)
f = jax.jit(lambda x: jax.lax.fori_loop(0, 10, body, x))
x = jnp.ones((256, 256))
for _ in range(3):
    seen.clear(); f(x); print(len(seen), end=" ")"""
EARLY = """
import ctypes, subprocess, tempfile, jax, jax.numpy as jnp, numpy as np
SOURCE = r'''
#include "xla/ffi/api/ffi.h"
namespace ffi = xla::ffi;
using Floats = ffi::Buffer<ffi::F32>;
struct Factor { static ffi::TypeId id; float factor; };
ffi::TypeId Factor::id = {};
static ffi::TypeInfo info = ffi::MakeTypeInfo<Factor>();
extern "C" void *type_id() { return &Factor::id; }
extern "C" void *type_info() { return &info; }
static ffi::ErrorOr<std::unique_ptr<Factor>> make(float factor) { return std::make_unique<Factor>(Factor{factor}); }
static ffi::Error scale(Factor *state, Floats x, ffi::Result<Floats> y)
{
    for (size_t i = 0; i < x.element_count(); i++)
        y->typed_data()[i] = x.typed_data()[i] * state->factor;
    return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(Make, make, ffi::Ffi::BindInstantiate().Attr<float>("factor"));
XLA_FFI_DEFINE_HANDLER_SYMBOL(Scale, scale, ffi::Ffi::Bind().Ctx<ffi::State<Factor>>().Arg<Floats>().Ret<Floats>());
'''
with tempfile.TemporaryDirectory() as folder:
    path = folder + "/handler.so"
    subprocess.run(["g++", "-w", "-shared", "-fPIC", "-std=c++17", "-I", jax.ffi.include_dir(), "-x", "c++", "-", "-o", path],
                   input=SOURCE, text=True, check=True)
    library = ctypes.CDLL(path)
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
library.type_id.restype = library.type_info.restype = ctypes.c_void_p
jax.ffi.register_ffi_type("Factor", {"type_id": capsule(library.type_id(), None, None),
                                     "type_info": capsule(library.type_info(), None, None)}, platform="cpu")
jax.ffi.register_ffi_target("scale", {"instantiate": jax.ffi.pycapsule(library.Make),
                                      "execute": jax.ffi.pycapsule(library.Scale)}, platform="cpu")
f = jax.jit(lambda x: jax.ffi.ffi_call("scale", jax.ShapeDtypeStruct((3,), jnp.float32))(x, factor=np.float32(3)))
print(f(jnp.arange(3.0)).tolist())"""


def cases(plugin):
    """Name, settings, program, what is printed, what is not."""
    own, ours = "[CpuDevice(id=0)]", "[GantryCpuDevice(id=0)]"
    for setting in ({}, {"JAX_PLATFORMS": "gantry"}, {"JAX_PLATFORMS": "cpu"}, {"JAX_PLATFORMS": "gantry,cpu"}):
        setting = setting | {"GANTRY_JAX_CPU": "1"}
        yield "Gantry is the platform cpu", setting, DEVICES % "'cpu'", [ours, "{GantryCpuDevice(id=0)}"], [own, WARNING]
        yield "Gantry is the platform cpu by its name", setting, BY_NAME, [f"{ours} {ours}"], [own, WARNING]
    yield "callbacks where Gantry is the platform cpu", {"GANTRY_JAX_CPU": "1"}, CALLBACK, ["10.0"], []
    yield "JAX's own CPU is named", {"JAX_PLATFORMS": "gantry"}, DEVICES % "'cpu'", [own, WARNING], []
    yield "JAX's own CPU is named once", {"JAX_PLATFORMS": "gantry"}, BY_NAME, [f"{own} {own}", WARNING], []
    for setting in ({}, {"JAX_PLATFORMS": "gantry"}):
        yield "JAX's own CPU is named where the program selects it", setting, BY_PLATFORMS, [f"{own} {own}", WARNING], []
    yield "JAX's own CPU is selected twice", {"JAX_PLATFORMS": "cpu"}, BY_PLATFORMS, [f"{own} {own}"], [WARNING]
    yield "Gantry is the platform cpu that the program selects", {"GANTRY_JAX_CPU": "1"}, BY_PLATFORMS, [f"{ours} {ours}"], [own, WARNING]
    yield "Gantry is the default", {}, DEVICES % "", [ours], [WARNING]
    yield "JAX's own CPU is selected", {"JAX_PLATFORMS": "cpu"}, DEVICES % "'cpu'", [own], [WARNING]
    yield "handlers with a state, registered before there is a backend", {}, EARLY, ["[0.0, 3.0, 6.0]"], []
    yield "the default backend's name", {}, NAME, ["cpu (Gantry) True cpu.txt"], []
    yield "the own backend's name", {"JAX_PLATFORMS": "cpu"}, NAME, ["cpu True cpu.txt"], []
    for name in "gantry", "cpu":
        path = {"PJRT_NAMES_AND_LIBRARY_PATHS": f"{name}:{plugin}", "JAX_PLATFORMS": name}
        yield f"the user's plugin named {name}", path, DEVICES % "", [ours], ["ALREADY_EXISTS"]
        yield f"the user's plugin named {name}, as cpu", path | {"GANTRY_JAX_CPU": "1"}, DEVICES % "'cpu'", [ours], ["ALREADY_EXISTS"]
    yield "ordered callbacks after one that raised", {"JAX_PLATFORMS": "gantry"}, ORDERED, ["raised True", "[2]", "\n7\n"], []
    yield "callbacks are done when the call returns", {"JAX_PLATFORMS": "gantry"}, DONE, ["10 10 10"], []


def problem(settings, program, expected, excluded):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_", "GANTRY_JAX"))}
    done = subprocess.run([sys.executable, "-c", program], env=clean | settings, timeout=300, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    wrong = [f"missing: {text!r}" for text in expected if text not in done.stdout]
    wrong += [f"there: {text!r}" for text in excluded if text in done.stdout]
    wrong += [f"printed {done.stdout.count(WARNING)} times: the warning"] if done.stdout.count(WARNING) > 1 else []
    wrong += [f"it ended with {done.returncode}"] if done.returncode else []
    return "; ".join(wrong) + "\n" + done.stdout[-2000:] if wrong else None


def main():
    passed = failed = 0
    for name, settings, program, expected, excluded in cases(os.path.abspath(sys.argv[1])):
        wrong = problem(settings, program, expected, excluded)
        passed, failed = passed + (wrong is None), failed + (wrong is not None)
        if wrong:
            print(f"FAILED  {name}: {settings}: {wrong}", flush=True)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
