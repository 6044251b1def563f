"""data_file.py: programs drawn at random and libtpu's figures of them, as one text file: a JSON object a line, in the order of their seeds.
A program is not in it: its class, generation and seed draw it again, and `digest`, of its text, says whether it is still the same.

| key | meaning |
|---|---|
| seed, class, gen, devices, mesh | what draws the program, and the devices that it is for |
| digest | of the program's text, without locations |
| memory | bytes a device: argument, output, alias (results in arguments' memory), temp_assigned (the HBM arena of the buffer assignment) and vmem_temp_assigned; temp and peak of programs that were compiled to their end. Those that are 0 are left out |
| error | the compiler's, such as that of a program that does not fit |
| spmd | several devices: kind, operands, groups and count of each collective after partitioning |
| time | compiled to the end, one device: seconds by the compiler's schedule and its tier (cycles.py); reader: of the scripts that read it |
| none | instead of figures: why there are none |
"""
import hashlib
import json
import os

import topology

HERE = os.path.dirname(os.path.abspath(__file__))
READERS = ("cycles.py", "hlo.py")  # what a schedule's time depends on, beside the compiler
ERROR = 200  # characters


def reader():
    text = hashlib.sha256()
    for name in READERS:
        with open(os.path.join(HERE, name), "rb") as file:
            text.update(file.read())
    return text.hexdigest()[:8]


def merged(collectives):
    """Equal collectives as one, with their count."""
    found = {}
    for item in collectives:
        key = json.dumps({**item, "count": 1}, sort_keys=True)
        found.setdefault(key, {**item, "count": 0})["count"] += item.get("count", 1)
    return list(found.values())


def pack(row):
    """A row of draw_truth.py as an object of the file."""
    packed = {"seed": row["seed"], "class": row["category"], "gen": row["gen"], "devices": row["num_devices"], "mesh": row["mesh"], "digest": row["digest"],
              "memory": {key.removesuffix("_bytes"): value for key, value in row["memory"].items() if value}}
    if row.get("error"):
        packed["error"] = row["error"][:ERROR]
    if row.get("collectives"):
        packed["spmd"] = merged(row["collectives"]["spmd"])
    if row.get("time", {}).get("seconds"):
        packed["time"] = {"tier": row["time"]["tier"], "seconds": float(f"{row['time']['seconds']:.6g}"), "reader": reader()}
    return packed


BYTES = ("argument", "output", "alias", "temp_assigned")  # that every program has


def unpack(packed):
    """-> the row, without time if other scripts read it."""
    name = f"{packed['class']}_{packed['seed']}"
    where, options = topology.topology(packed["gen"], packed["devices"])
    row = {"name": name, "seed": packed["seed"], "gen": packed["gen"], "category": packed["class"], "program": f"programs/{name}_{packed['digest']}.mlirbc",
           "digest": packed["digest"], "num_devices": packed["devices"], "topology": where, "topology_kwargs": options, "mesh": packed["mesh"],
           "error": packed.get("error"), "memory": {f"{key}_bytes": value for key, value in (dict.fromkeys(BYTES, 0) | packed["memory"]).items()}}
    if "spmd" in packed:
        row["collectives"] = {"spmd": packed["spmd"]}
    if packed.get("time", {}).get("reader") == reader():
        row["time"] = packed["time"]
    return row


def load(path):
    """-> the file's objects; none if there is no file. A last line that was not written whole is left out."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def store(path, objects):
    """Replaces the file at once."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        for item in sorted(objects, key=lambda item: item["seed"]):
            file.write(json.dumps(item, separators=(",", ":")) + "\n")
    os.replace(path + ".new", path)
