"""Ctrl-C: a Python program that waits for an execution, for the capacity to start one, or for a compilation, gets its
KeyboardInterrupt while the work continues. Usage: interrupt.py (with the plugin selected by PYTHONPATH or
PJRT_NAMES_AND_LIBRARY_PATHS). Each case is a process that receives SIGINT once it reports that it is ready. The time
limit is generous, since the machine may be busy; without an interrupt, a case never ends."""
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
    "compile": """
import os
import jax, jax.numpy as jnp
def f(x):
    for i in range(3000):
        x = jnp.sort(jnp.sin(x) * 2 + i) if i % 3 == 0 else x @ x
    return x
lowered = jax.jit(f).lower(jnp.ones((64, 64)))
try:
    print("ready", flush=True)
    lowered.compile()
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)         # jaxlib's thread still waits for the compile
""",
}


def interrupted(code):
    """Seconds from the signal to the handler, or None."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        try:
            if child.stdout.readline() != "ready\n":
                return None
            time.sleep(1)           # let the call begin; Python itself handles an earlier signal
            begin = time.monotonic()
            child.send_signal(signal.SIGINT)
            watchdog = threading.Timer(LIMIT, child.kill)
            watchdog.start()
            said = child.stdout.readline()
            watchdog.cancel()
            taken = time.monotonic() - begin
            child.wait(LIMIT)
            return taken if said == "interrupted\n" else None
        finally:
            child.kill()


def main():
    failed = 0
    for name, code in CASES.items():
        taken = interrupted(code)
        print(f"{name}: {'FAIL' if taken is None else f'KeyboardInterrupt after {taken:.2f} s'}")
        failed += taken is None
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
