#!/usr/bin/env python3
"""release.py VERSION [--sign KEY] [--check]: makes everything that a release uploads, and checks it; uploads nothing.

    build/release/gantry_pjrt-VERSION-py3-none-manylinux_2_34_x86_64.whl
    build/release/gantry_pjrt-VERSION.tar.gz        the sources, with pyproject.toml and PKG-INFO
    build/release/NOTES.md                          the version's section of CHANGELOG.md
    build/release/SHA256SUMS, and with --sign a signature (.asc) of every file by GnuPG's KEY

Before that it checks that the working tree is committed, that the Makefile has this version, and that CHANGELOG.md has its
section, with a date, whose entries are under Added, Fixed and Changed. --check: these checks only. Then the wheel's tests
run. The last lines are the commands that upload."""
import argparse
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
from wheel_metadata import metadata  # noqa: E402

OUT = ROOT / "build" / "release"
KINDS = ("Added", "Fixed", "Changed")
PYPROJECT = '[build-system]\nrequires = []\nbuild-backend = "sdist_backend"\nbackend-path = ["python"]\n'
YEAR_1980 = 315532800  # the earliest time that every archive format has


def run(*words):
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def notes_of(version, changelog):
    """(the version's section, the problems that it has)"""
    found = re.search(rf"^## {re.escape(version)} \(([^)]*)\)\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if not found:
        return "", [f"CHANGELOG.md has no section '## {version} (YYYY-MM-DD)'"]
    problems = [] if re.fullmatch(r"\d{4}-\d\d-\d\d", found[1]) else [f"CHANGELOG.md: ({found[1]}) is no date YYYY-MM-DD"]
    heads = re.findall(r"^### (.*)$", found[2], re.M)
    problems += [f"CHANGELOG.md: '### {head}'; allowed: {', '.join(KINDS)}" for head in heads if head not in KINDS]
    before = found[2].split("\n### ", 1)[0] if not found[2].startswith("### ") else ""
    if re.search(r"^- ", before, re.M):
        problems.append(f"CHANGELOG.md: entries of {version} are outside of {', '.join(KINDS)}")
    return found[2].strip() + "\n", problems


def problems_of(version, changelog, makefile, status):
    """What is wrong before anything is built."""
    problems = [] if re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version) else [f"version {version}; allowed: like 1.2.3 or 1.2.3rc1"]
    built = re.search(r"^VERSION *= *(\S+)", makefile, re.M)[1]
    if built != version:
        problems.append(f"Makefile: VERSION = {built}, not {version}")
    if status:
        problems.append(f"the working tree has changes that are not committed: {status.splitlines()[0].strip()}")
    return problems + notes_of(version, changelog)[1]


def write_sdist(version, readme):
    """The committed files under gantry_pjrt-VERSION/; equal sources give equal bytes."""
    name = f"gantry_pjrt-{version}"
    files = run("git", "ls-files").splitlines()
    extra = {"pyproject.toml": PYPROJECT.encode(), "PKG-INFO": metadata(version, readme).encode()}
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted([*files, *extra]):
            path = ROOT / file
            entry = tarfile.TarInfo(f"{name}/{file}")
            data = extra[file] if file in extra else path.read_bytes()
            entry.size, entry.mtime = len(data), YEAR_1980
            entry.mode = 0o755 if file not in extra and os.access(path, os.X_OK) else 0o644
            archive.addfile(entry, io.BytesIO(data))
    target = OUT / f"{name}.tar.gz"
    target.write_bytes(gzip.compress(raw.getvalue(), 6, mtime=YEAR_1980))
    return target


def sign(files, key):
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (OUT / "SHA256SUMS").write_text(sums, encoding="utf-8")
    for file in [*files, OUT / "SHA256SUMS"] if key else []:
        run("gpg", "--batch", "--yes", "--local-user", key, "--armor", "--detach-sign", str(file))
        run("gpg", "--batch", "--verify", f"{file}.asc", str(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--sign", metavar="KEY", help="the key of GnuPG that signs; without it nothing is signed")
    parser.add_argument("--check", action="store_true", help="only the checks before the build")
    arguments = parser.parse_args()
    read = lambda name: (ROOT / name).read_text(encoding="utf-8")
    problems = problems_of(arguments.version, read("CHANGELOG.md"), read("Makefile"), run("git", "status", "--porcelain"))
    if problems:
        sys.exit("\n".join(f"release: {problem}" for problem in problems))
    if arguments.check:
        return
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    subprocess.run(["make", "--no-print-directory", "wheel", "wheel_test"], cwd=ROOT, check=True)
    wheel, = (ROOT / "build" / "dist").glob(f"gantry_pjrt-{arguments.version}-*.whl")
    files = [pathlib.Path(shutil.copy(wheel, OUT)), write_sdist(arguments.version, read("README.md"))]
    (OUT / "NOTES.md").write_text(notes_of(arguments.version, read("CHANGELOG.md"))[0], encoding="utf-8")
    sign(files, arguments.sign)
    print(f"{'signed' if arguments.sign else 'not signed'}; to upload:\n  git tag v{arguments.version} && git push origin v{arguments.version}\n"
          f"  twine upload {' '.join(str(file.relative_to(ROOT)) for file in files)}")


if __name__ == "__main__":
    main()
