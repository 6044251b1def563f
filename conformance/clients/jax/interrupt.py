"""Ctrl-C: a Python program that waits for an execution, for the capacity to start one, for a callback, or for a compilation, gets its
KeyboardInterrupt while the work continues. Usage: interrupt.py (with the plugin selected by PYTHONPATH or
PJRT_NAMES_AND_LIBRARY_PATHS). Each case is a process that receives SIGINT once it reports that it is ready. The time
limit is generous, since the machine may be busy; without an interrupt, the first three cases never end."""
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
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
