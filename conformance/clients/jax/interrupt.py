"""Ctrl-C: a Python program that waits for an execution, for the capacity to start one, for a callback, or for a compilation, gets its
KeyboardInterrupt while the work continues. And what would wait for ever ends, or says what it waits for. Usage: interrupt.py (with the plugin selected by PYTHONPATH or
PJRT_NAMES_AND_LIBRARY_PATHS). Each case is a process that receives SIGINT once it reports that it is ready. The time
limit is generous, since the machine may be busy; without an interrupt, the first three cases never end."""
import os
import signal
import subprocess
import sys
import threading
import time

LIMIT = 60
ENDLESS = """
import jax, jax.numpy as jnp
f = jax.jit(lambda x: jax.lax.while_loop(lambda c: c >= 0, lambda c: c & 127, x))
x = jnp.int32(5)
y = [f(x)]
try:
    print("ready", flush=True)
    %s
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
CASES = {
    "await": ENDLESS % "y[0].block_until_ready()",
    "execute": ENDLESS % "while True: y.append(f(x))",
    "callback": """
import threading
import jax, jax.numpy as jnp
stop = threading.Event()
f = jax.jit(lambda x: jax.pure_callback(lambda v: (stop.wait(), v)[1], x, x))
threading.Timer(0, lambda: print("ready", flush=True)).start()
try:
    f(jnp.int32(5))
    print("returned before the signal", flush=True)
except KeyboardInterrupt:
    stop.set()
    print("interrupted", flush=True)
""",
    "compile": """
import os
import jax, jax.numpy as jnp
def f(x):               # each step has a shape, and so a kernel, of its own: ten seconds of compilation
    for i in range(1500):
        x = jnp.sort(jnp.sin(x[1:]) * 2)
    return x
lowered = jax.jit(f).lower(jnp.ones(1564))
try:
    print("ready", flush=True)
    lowered.compile()
    print("compiled before the signal", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)         # jaxlib's thread still waits for the compile
""",
}
SHARDED = """
import time
import jax, jax.numpy as jnp, numpy
from jax.sharding import PartitionSpec as P
mesh = jax.sharding.Mesh(jax.devices(), ("x",))
def sharded(f):
    return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P(), check_vma=False))
x = jnp.arange(8, dtype=jnp.float32)
"""
# Code, whether it is interrupted once it is ready, and what it says before it ends by itself.
STUCK = {
    "one device loops": (SHARDED + """
def f(x):
    alone = jax.lax.axis_index("x") == 3
    y = jax.lax.while_loop(lambda c: (c >= 0) & alone, lambda c: c & 127, x[0].astype(int))
    return jax.lax.psum(x + y, "x")
try:
    sharded(f)(x).block_until_ready()
except jax.errors.JaxRuntimeError as error:
    print(error)
print(sharded(lambda x: jax.lax.psum(x, "x"))(x))
""", False, ["DEADLINE_EXCEEDED: all_reduce: psum (<string>:13:11): 'jit_f': participant ",
           "missing participants: 3 of", "participant 3 is at", "while", "[28.]"]),
    "callbacks on all devices": (SHARDED + """
inner = sharded(lambda x: jax.lax.psum(x, "x"))
def f(x):
    call = lambda v: v + numpy.asarray(inner(jnp.arange(8, dtype=jnp.float32)))
    return jax.lax.psum(jax.pure_callback(call, jax.ShapeDtypeStruct(x.shape, x.dtype), x), "x")
print(sharded(f)(x))
""", False, ["[252.]"]),
    "a callback on one device": (SHARDED + """
inner = sharded(lambda x: jax.lax.psum(x, "x"))
call = lambda v: v + numpy.asarray(inner(jnp.arange(8, dtype=jnp.float32)))[0]
print(jax.jit(lambda x: jax.pure_callback(call, x, x))(jnp.float32(1)))
""", False, ["29.0"]),
    "a callback that never returns": ("""
import time
import jax, jax.numpy as jnp
f = jax.jit(lambda x: jax.pure_callback(lambda v: (print("ready", flush=True), time.sleep(1e6), v)[2], x, x))
try:
    f(jnp.int32(5))
except KeyboardInterrupt:
    print("interrupted", flush=True)
""", True, ["interrupted", "still waiting: 'jit__lambda'", "pure_callback", "(<string>:4:", "the client is destroyed"]),
}


def ended(code, interrupts, expected):
    """What is missing in the output of a child, which has to end by itself; or None."""
    env = dict(os.environ, GANTRY_CPU_DEVICES="8", GANTRY_COLLECTIVE_TIMEOUT="2")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=env) as child:
        said = ""
        watchdog = threading.Timer(LIMIT, child.kill)
        watchdog.start()
        if interrupts:
            for line in child.stdout:
                said += line
                if line == "ready\n":
                    break
            time.sleep(1)
            child.send_signal(signal.SIGINT)
        said += child.stdout.read()
        status = child.wait()
        watchdog.cancel()
        missing = [part for part in expected if part not in said]
        return f"status {status}, without {missing}: {said}" if status or missing else None


def interrupted(code):
    """What the child says after the signal, and how many seconds later."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        try:
            if child.stdout.readline() != "ready\n":
                return "never ready", 0
            time.sleep(1)           # let the call begin; Python itself handles an earlier signal
            begin = time.monotonic()
            child.send_signal(signal.SIGINT)
            watchdog = threading.Timer(LIMIT, child.kill)
            watchdog.start()
            said = child.stdout.readline().strip() or f"no answer within {LIMIT} s"
            watchdog.cancel()
            taken = time.monotonic() - begin
            child.wait(LIMIT)
            return said, taken
        finally:
            child.kill()


def main():
    failed = 0
    for name, code in CASES.items():
        said, taken = interrupted(code)
        print(f"{name}: {'' if said == 'interrupted' else 'FAIL: '}{said} after {taken:.2f} s")
        failed += said != "interrupted"
    for name, (code, interrupts, expected) in STUCK.items():
        problem = ended(code, interrupts, expected)
        print(f"{name}: {'FAIL: ' + problem if problem else 'ends'}")
        failed += problem is not None
    print(f"{len(CASES) + len(STUCK) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
