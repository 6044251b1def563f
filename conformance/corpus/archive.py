#!/usr/bin/env python3
"""archive.py list [GROUP...] | extract FOLDER [GROUP...] | pack FOLDER [GROUP...]: the corpus's archives, GROUP.tar.gz beside
this file. `list` prints the bytes and the name of each file; `extract` writes FOLDER/GROUP/FILE; `pack` makes archives of
FOLDER/GROUP, the same bytes from the same files. `make` extracts to build/corpus what has changed."""
import glob
import gzip
import io
import os
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
SUFFIX = ".tar.gz"


def path_of(group):
    return os.path.join(HERE, group + SUFFIX)


def groups_here():
    return [os.path.basename(path).removesuffix(SUFFIX) for path in sorted(glob.glob(path_of("*")))]


def pack(folder, group):
    """Files in the order of their names, without times, owners and modes, which differ from machine to machine."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(os.listdir(os.path.join(folder, group))):
            with open(os.path.join(folder, group, name), "rb") as file:
                data = file.read()
            entry = tarfile.TarInfo(f"{group}/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    with open(path_of(group), "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as compressed:
        compressed.write(content.getvalue())


def extract(folder, group):
    os.makedirs(os.path.join(folder, group), exist_ok=True)
    with tarfile.open(path_of(group)) as archive:
        for entry in archive:
            with open(os.path.join(folder, group, os.path.basename(entry.name)), "wb") as file:
                file.write(archive.extractfile(entry).read())


def list_files(group):
    with tarfile.open(path_of(group)) as archive:
        for entry in archive:
            print(f"{entry.size:9d} {entry.name}")


def main():
    command, *words = sys.argv[1:] or [""]
    if command == "list":
        for group in words or groups_here():
            list_files(group)
    elif command in ("extract", "pack") and words:
        folder, *groups = words
        for group in groups or (groups_here() if command == "extract" else sorted(os.listdir(folder))):
            (extract if command == "extract" else pack)(folder, group)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
