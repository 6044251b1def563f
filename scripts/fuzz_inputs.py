#!/usr/bin/env python3
"""fuzz_inputs.py pack FILE FOLDER [LARGEST]: writes the inputs that a fuzzer left in a folder, each of at most LARGEST bytes
(2048), to one file, in the order of their sizes: a size of four bytes, the lowest first, and the bytes.
fuzz_inputs.py unpack FILE FOLDER: the reverse; an input's name is its number.
scripts/fuzz_replay.c runs a target on all inputs of such a file, and scripts/fuzz.sh begins with them."""
import os
import sys


def pack(path, folder, largest=2048):
    inputs = set()
    for entry in os.scandir(folder):
        if entry.stat().st_size <= int(largest):
            with open(entry.path, "rb") as file:
                inputs.add(file.read())
    with open(path, "wb") as file:
        for data in sorted(inputs, key=lambda data: (len(data), data)):
            file.write(len(data).to_bytes(4, "little") + data)
    print(f"{path}: {len(inputs)} inputs")


def unpack(path, folder):
    os.makedirs(folder, exist_ok=True)
    with open(path, "rb") as packed:
        number = 0
        while size := packed.read(4):
            with open(os.path.join(folder, f"{number:06}"), "wb") as file:
                file.write(packed.read(int.from_bytes(size, "little")))
            number += 1


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(__doc__)
    {"pack": pack, "unpack": unpack}[sys.argv[1]](*sys.argv[2:])
