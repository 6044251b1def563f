#!/usr/bin/env python3
"""readme_test.py: runs every command of the README's `sh` blocks as it is written, in order, as a new user would: with an empty
home folder, no variables of Gantry or its clients, and what the text promises to exist (train.py, step.mlir, old.mlir, an installed
library). Each block is a case; it fails with the first command that fails. Blocks that call make run in the project's
folder, others in a folder of their own."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 900  # a block

TRAIN = """\
import jax, jax.numpy as jnp
step = jax.jit(lambda w, x: w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w) ** 2))(w))
w, x = jnp.ones((4, 2)), jnp.ones((8, 4))
for _ in range(3):
    w = step(w, x)
print(jax.devices(), w.sum())
if __name__ == "__main__":
    assert len(jax.devices()) == 8, "the commands ask for eight devices"
"""
STEP = """\
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
"""


def blocks():
    return re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)


def prepare(folder):
    """What the text says is there: the user's program, its export, the library installed by `make install`."""
    (folder / "train.py").write_text(TRAIN, encoding="utf-8")
    for name in ("step.mlir", "old.mlir"):
        (folder / name).write_text(STEP, encoding="utf-8")
    (folder / "conformance").symlink_to(ROOT / "conformance")
    subprocess.run([ROOT / "scripts/install.sh", "install", ROOT / "build", folder / "usr"], check=True, stdout=subprocess.DEVNULL)


def environment(folder):
    ours = ("JAX_", "PJRT_", "GANTRY_", "TPU_", "XLA_", "PYTHON", "MAKE", "MFLAGS", "BUILT", "VIRTUAL_ENV")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours) or name == "GANTRY_CACHE"}
    cache = os.environ.get("GANTRY_CACHE") or os.path.expanduser("~/.cache/gantry")
    return clean | {"HOME": str(folder), "GANTRY_CACHE": cache, "PKG_CONFIG_PATH": str(folder / "usr/lib/pkgconfig"),
                    "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_QUIET": "1"}


def run(block, folder):
    """The output of a failed block, or None. An environment that an earlier block made is active, as in a user's shell."""
    active = folder / "gantry/bin/activate"
    script = f"set -eo pipefail\n[ ! -e {active} ] || . {active}\nset -x\n{block}"
    try:
        done = subprocess.run(["bash", "-c", script], cwd=ROOT if "make " in block else folder, env=environment(folder), timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except subprocess.TimeoutExpired as late:
        return f"not complete after {late.timeout} s"
    return done.stdout if done.returncode else None


def main():
    failed, found = 0, blocks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        for block in found:
            problem = run(block, folder)
            if problem is not None:
                failed += 1
                print(f"README.md: this block fails:\n{block}\n{problem[-3000:]}", flush=True)
    if not found:
        print("README.md has no commands")
    print(f"{len(found) - failed} passed, {failed or int(not found)} failed")
    return failed != 0 or not found


sys.exit(main())
