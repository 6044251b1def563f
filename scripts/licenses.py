#!/usr/bin/env python3
"""Writes the licenses of Gantry and of all components of its libraries (statically linked code, oneDNN, and each bundled
system LIBRARY) to a folder, each text once:

    licenses.py FOLDER [LIBRARY...]

The table COMPONENTS.tsv has a row for each component: its name, its license as an SPDX expression, its files in the
folder. Fails if a license is not found, or a component is not in the table below. Variables: ONEDNN_DIR (as the
Makefile's)."""
import fnmatch
import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COMMON = "/usr/share/common-licenses"
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"
# By Debian's package: the license of the parts that are in our libraries, the file to write, and which common text the
# package's copyright file refers to for these parts. GCC's packages have one copyright file.
PACKAGES = (
    ("llvm-*-dev", "Apache-2.0 WITH LLVM-exception AND BSD-3-Clause", "LLVM.txt", "Apache-2.0"),
    ("libopenblas*", "BSD-2-Clause AND BSD-3-Clause", "OpenBLAS.txt", None),
    ("libquadmath*", "LGPL-2.0-or-later", "GCC.txt", "LGPL-2"),
    ("libgcc-*", GCC, "GCC.txt", "GPL-3"),
    ("libstdc++*", GCC, "GCC.txt", "GPL-3"),
    ("libgfortran*", GCC, "GCC.txt", "GPL-3"),
    ("libgomp*", GCC, "GCC.txt", "GPL-3"),
    ("libprotobuf-c*", "BSD-2-Clause AND BSD-3-Clause", "protobuf-c.txt", None),
    ("zlib1g*", "Zlib", "zlib.txt", None),
    ("libzstd*", "BSD-3-Clause", "Zstandard.txt", None),
    ("libcjson*", "MIT", "cJSON.txt", None),
    ("libhwloc*", "BSD-3-Clause", "hwloc.txt", None),
    ("libucx*", "BSD-3-Clause", "UCX.txt", None),
    ("libudev*", "LGPL-2.1-or-later", "udev.txt", "LGPL-2.1"),
)


def words(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().split()


def put(source, target):
    """Copies a text; where the target is there it must be the same text."""
    if not os.path.exists(target):
        shutil.copyfile(source, target)
        os.chmod(target, 0o644)
    elif words(source) != words(target):
        raise SystemExit(f"licenses.py: {source} is not the text that is in {os.path.basename(target)} already")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def package_of(library):
    """Debian lists a library under the folder it was packaged for, which may since have moved to /usr."""
    path = os.path.realpath(library)
    for name in (path, path.removeprefix("/usr")):
        done = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    raise SystemExit(f"licenses.py: no package owns {library}")


def linked():
    """Archives that are linked into our libraries, one of each package."""
    libraries = [os.path.join(output("llvm-config-19", "--libdir"), "libLLVMCore.a")]
    libraries += glob.glob("/usr/lib/*/openblas-serial/libopenblas.a")
    return libraries + [output("gcc", f"-print-file-name=lib{name}.a") for name in ("stdc++", "gcc", "protobuf-c", "z", "zstd", "ucp")]


def add_package(package, folder):
    """The row of the table COMPONENTS.tsv."""
    row = next((row for row in PACKAGES if fnmatch.fnmatchcase(package, row[0])), None)
    copyright = f"/usr/share/doc/{package}/copyright"
    if row is None or not os.path.exists(copyright):
        raise SystemExit(f"licenses.py: {package} has no {'copyright file' if row else 'row in the table of licenses here'}")
    files = [row[2]]
    put(copyright, os.path.join(folder, row[2]))
    if row[3]:
        files.append(row[3] + ".txt")
        put(os.path.join(COMMON, row[3]), os.path.join(folder, files[1]))
    return package, row[1], " ".join(files)


def add_onednn(folder):
    """oneDNN's license is the Apache License followed by its own notice; the licenses of what it includes are one file."""
    source = os.path.join(os.environ.get("ONEDNN_DIR") or output(os.path.join(HERE, "onednn.sh")), "licenses")
    with open(os.path.join(source, "LICENSE"), encoding="utf-8") as file:
        before, end, notice = file.read().partition("END OF TERMS AND CONDITIONS\n")
    if not end:
        raise SystemExit(f"licenses.py: {source}/LICENSE is not the Apache License")
    with open(os.path.join(folder, "oneDNN.txt"), "w", encoding="utf-8") as file:
        file.write("oneDNN is licensed under the Apache License, Version 2.0 (Apache-2.0.txt), with this notice:\n\n"
                   + notice.strip("\n") + "\n")
    put(os.path.join(source, "THIRD-PARTY-PROGRAMS"), os.path.join(folder, "oneDNN-THIRD-PARTY-PROGRAMS.txt"))
    return "oneDNN", "Apache-2.0 AND BSD-3-Clause AND BSL-1.0", "oneDNN.txt Apache-2.0.txt oneDNN-THIRD-PARTY-PROGRAMS.txt"


def main():
    folder, *bundled = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    put(os.path.join(HERE, "..", "LICENSE"), os.path.join(folder, "Apache-2.0.txt"))
    rows = [("Gantry", "Apache-2.0", "Apache-2.0.txt"), add_onednn(folder)]
    packages = sorted({package_of(library) for library in linked() + bundled})
    rows += [add_package(package, folder) for package in packages]
    with open(os.path.join(folder, "COMPONENTS.tsv"), "w", encoding="utf-8") as file:
        file.writelines("\t".join(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
