#!/usr/bin/env python3
"""Builds build/dist/gantry_pjrt-VERSION-py3-none-manylinux_2_XX_x86_64.whl from the built libraries and the packages
beside this file. The wheel does not depend on a Python version: clients open the libraries through their C ABI.
auditwheel adds the other libraries that they need, and names the wheel after the oldest glibc that all of them support."""
import argparse
import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

from wheel_metadata import ENTRY_POINTS, metadata

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "gantry_pjrt"
PARTS = 8  # files whose sizes are printed
SHARE = {"man/man1/gantry.1": ["help", "--man"], "bash-completion/completions/gantry": ["completion", "bash"],
         "zsh/site-functions/_gantry": ["completion", "zsh"], "fish/vendor_completions.d/gantry.fish": ["completion", "fish"]}
WHEEL = "Wheel-Version: 1.0\nGenerator: gantry\nRoot-Is-Purelib: false\nTag: py3-none-linux_x86_64\n"


def stage(root, arguments):
    """Writes the files that the wheel installs to `root`, with debug information and local symbols stripped."""
    for package in (NAME, "jax_plugins"):
        shutil.copytree(os.path.join(HERE, package), os.path.join(root, package),
                        ignore=shutil.ignore_patterns("__pycache__"))
    for folder, source in (("lib", arguments.lib), ("bin", arguments.bin)):
        target = os.path.join(root, NAME, folder)
        os.makedirs(target)
        for file in sorted(os.listdir(source)) if os.path.isdir(source) else []:
            if file.startswith(("libgantry", "libdnnl", "pjrt_c_api_")) and "_null" not in file or file == "gantry":
                shutil.copy(os.path.join(source, file), target)
                subprocess.run(["strip", "--strip-unneeded", os.path.join(target, file)], check=True)

    stage_shared(os.path.join(root, f"{NAME}-{arguments.version}.data", "data", "share"), os.path.join(arguments.bin, "gantry"))
    info = os.path.join(root, f"{NAME}-{arguments.version}.dist-info")
    os.makedirs(info)
    project = os.path.join(HERE, "..")
    with open(os.path.join(project, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    licenses = os.path.join(info, "licenses")
    subprocess.run([os.path.join(project, "scripts", "licenses.py"), licenses,
                    *system_libraries(os.path.join(root, NAME))], check=True)
    with open(os.path.join(licenses, "COMPONENTS.tsv"), encoding="utf-8") as file:
        components = file.read().splitlines()
    fields = metadata(arguments.version, readme, components, sorted(os.listdir(licenses)), arguments.url.rstrip("/"))
    for file, text in (("METADATA", fields), ("WHEEL", WHEEL),
                       ("entry_points.txt", ENTRY_POINTS)):
        with open(os.path.join(info, file), "w", encoding="utf-8") as out:
            out.write(text)
    return info


def stage_shared(folder, command):
    """Writes the man page and the completions, as the command prints them: pip puts them into the environment's share/."""
    for file, arguments in SHARE.items():
        os.makedirs(os.path.dirname(os.path.join(folder, file)))
        with open(os.path.join(folder, file), "wb") as out:
            subprocess.run([command, *arguments], check=True, stdout=out)


def print_parts(path):
    """The largest files of the wheel: packed, installed, name."""
    with zipfile.ZipFile(path) as wheel:
        rows = sorted(((entry.compress_size, entry.file_size, entry.filename) for entry in wheel.infolist()), reverse=True)
    for packed, size, name in rows[:PARTS]:
        print(f"{packed / 1e6:8.2f} MB {size / 1e6:8.2f} MB  {name}")
    rest = rows[PARTS:]
    print(f"{sum(row[0] for row in rest) / 1e6:8.2f} MB {sum(row[1] for row in rest) / 1e6:8.2f} MB  {len(rest)} others")


def system_libraries(folder):
    """The system libraries that those in `folder` need, except those that every system with the wheel's tag has: auditwheel
    adds them to the wheel, and each has a license."""
    files = [os.path.join(folder, part, file) for part in ("lib", "bin") for file in os.listdir(os.path.join(folder, part))]
    words = subprocess.run(["ldd", *files], check=True, capture_output=True, text=True).stdout.split()
    paths = {path for arrow, path in zip(words, words[1:]) if arrow == "=>" and not path.startswith(folder)}
    libc = ("libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libstdc++.so", "libgcc_s.so")
    return sorted(path for path in paths if not os.path.basename(path).startswith(libc))


def pack(root, info, path):
    """Writes the files of `root` and their RECORD to a wheel. The output is deterministic."""
    record_name = os.path.relpath(os.path.join(info, "RECORD"), root)
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(name, data, mode):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
        for folder, inside, files in os.walk(root):
            inside.sort()
            for file in sorted(files):
                full = os.path.join(folder, file)
                name = os.path.relpath(full, root)
                with open(full, "rb") as source:
                    data = source.read()
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                record.append(f"{name},sha256={digest},{len(data)}\n")
                add(name, data, 0o755 if os.access(full, os.X_OK) else 0o644)
        add(record_name, "".join(record) + f"{record_name},,\n", 0o644)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("version", "lib", "bin", "out"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--url", default="", help="where the project's files can be read, for links of the metadata")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        root = os.path.join(scratch, "root")
        os.makedirs(root)
        info = stage(root, arguments)
        raw = os.path.join(scratch, f"{NAME}-{arguments.version}-py3-none-linux_x86_64.whl")
        pack(root, info, raw)
        environment = dict(os.environ, PATH=os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
        for old in os.listdir(arguments.out):
            if old.startswith(NAME + "-"):
                os.remove(os.path.join(arguments.out, old))
        subprocess.run([sys.executable, "-m", "auditwheel", "repair", "--only-plat", "-w", arguments.out, raw],
                       env=environment, check=True)
    for wheel in sorted(os.listdir(arguments.out)):
        path = os.path.join(arguments.out, wheel)
        print_parts(path)
        print(f"{path}: {os.path.getsize(path) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
