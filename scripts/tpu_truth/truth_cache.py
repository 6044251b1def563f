"""truth_cache.py: compiled programs and the compiler's figures of them, kept on disk, so that a draw of the same seeds compiles nothing.
In $GANTRY_CACHE/tpu_truth (default ~/.cache/gantry), by what decides the figures: these scripts, and the versions of JAX and libtpu."""
import glob
import hashlib
import importlib.metadata
import json
import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
AFTER = ("compare.py", "truth_cache.py", "collect.py", "data_file.py", "restore.py")  # what does not change a program or its figures


def digest():
    text = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(HERE, "*.py"))):
        if os.path.basename(path) not in AFTER:
            with open(path, "rb") as file:
                text.update(file.read())
    for package in ("jax", "jaxlib", "libtpu"):
        text.update(importlib.metadata.version(package).encode())
    return text.hexdigest()[:16]


def folder():
    home = os.environ.get("GANTRY_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "gantry")
    return os.path.join(home, "tpu_truth", digest())


class Cache:
    """Programs by class, seed, generation, and whether they were compiled whole. A row is written last, and at once."""

    def __init__(self):
        self.folder = folder()
        os.makedirs(self.folder, exist_ok=True)

    def path(self, name, seed, generation, whole, suffix):
        return os.path.join(self.folder, f"{name}_{seed}_{generation}_{'whole' if whole else 'memory'}{suffix}")

    def get(self, name, seed, generation, whole, program):
        """-> the row, and its program copied to the path `program`; None: not here."""
        row = self.path(name, seed, generation, whole, ".json")
        if not os.path.exists(row):
            return None
        shutil.copy(self.path(name, seed, generation, whole, ".mlirbc"), program)
        with open(row, encoding="utf-8") as file:
            return json.load(file)

    def put(self, name, seed, generation, whole, program, row):
        shutil.copy(program, self.path(name, seed, generation, whole, ".mlirbc"))
        path = self.path(name, seed, generation, whole, ".json")
        with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as file:
            json.dump(row, file)
        os.replace(f"{path}.{os.getpid()}", path)
