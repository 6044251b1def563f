#!/usr/bin/env python3
"""Checks of a wheel's contents, in the environment of wheel_requirements.txt:

    wheel_check.py WHEEL CHECK

symbols: every symbol of glibc that a library or program of the wheel needs has a version of at most 2.34 (MOST), so it is
    in glibc 2.34 and every later one; and each is in the glibc of this machine with that version.
metadata: METADATA is valid as Python's packaging library reads it, in version 2.4, with author, URLs, classifiers, extras
    and a valid SPDX expression; every link of the description is absolute.
licenses: every bundled library and every component has its texts, no text is there twice, and every license of the
    expression belongs to a component."""
import io
import os
import re
import sys
import zipfile

from elftools.elf.elffile import ELFFile
from packaging.licenses import canonicalize_license_expression
from packaging.metadata import Metadata

MOST = (2, 34)
SYSTEM = ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2")


def problem_unless(condition, text):
    if not condition:
        raise SystemExit(text)


def elf_files(wheel):
    for name in wheel.namelist():
        data = wheel.read(name)
        if data[:4] == b"\x7fELF":
            yield name, ELFFile(io.BytesIO(data))


def needed_symbols(elf):
    """(name, version, library) of the undefined symbols that have a version."""
    versions = {}
    section = elf.get_section_by_name(".gnu.version_r")
    for need, entries in section.iter_versions() if section else ():
        for entry in entries:
            versions[entry["vna_other"]] = (entry.name, need.name)
    table, indices = elf.get_section_by_name(".dynsym"), elf.get_section_by_name(".gnu.version")
    for i in range(table.num_symbols() if indices else 0):
        symbol, index = table.get_symbol(i), indices.get_symbol(i)["ndx"]
        if symbol["st_shndx"] == "SHN_UNDEF" and index in versions:
            yield (symbol.name, *versions[index])


def glibc_here():
    """{(symbol, version)} of this machine's glibc."""
    found = set()
    for library in SYSTEM:
        path = next((os.path.join(folder, library) for folder in ("/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64")
                     if os.path.exists(os.path.join(folder, library))), None)
        if path is None:
            continue
        with open(path, "rb") as file:
            elf = ELFFile(file)
            names = {}
            for definition, entries in elf.get_section_by_name(".gnu.version_d").iter_versions():
                names[definition["vd_ndx"]] = next(iter(entries)).name
            table, indices = elf.get_section_by_name(".dynsym"), elf.get_section_by_name(".gnu.version")
            for i in range(table.num_symbols()):
                index = indices.get_symbol(i)["ndx"]
                if isinstance(index, int):
                    found.add((table.get_symbol(i).name, names.get(index & 0x7FFF)))
    return found


def symbols(wheel):
    count, newest, here = 0, (0,), glibc_here()
    for name, elf in elf_files(wheel):
        for symbol, version, library in needed_symbols(elf):
            if not version.startswith("GLIBC_"):
                continue
            number = tuple(map(int, version.removeprefix("GLIBC_").split(".")))
            count, newest = count + 1, max(newest, number)
            problem_unless(number <= MOST, f"{name} needs {symbol} of {version} ({library}); at most {MOST} is allowed")
            problem_unless((symbol, version) in here, f"{name} needs {symbol} of {version}, which this glibc does not have")
    problem_unless(count > 100, f"only {count} symbols of glibc found")
    print(f"{count} symbols, the newest of glibc {'.'.join(map(str, newest))}")


def read_metadata(wheel):
    path = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return Metadata.from_email(wheel.read(path), validate=True), os.path.dirname(path)


def metadata(wheel):
    fields, _ = read_metadata(wheel)
    problem_unless(fields.metadata_version == "2.4", f"metadata of version {fields.metadata_version}")
    for name in ("author", "summary", "keywords", "classifiers", "project_urls", "license_expression", "license_files",
                 "provides_extra", "requires_dist", "description"):
        problem_unless(getattr(fields, name), f"METADATA has no {name}")
    problem_unless(canonicalize_license_expression(fields.license_expression) == fields.license_expression, "the expression")
    relative = [link for link in re.findall(r"\]\(([^)]+)\)", fields.description) if not re.match("[a-z]+:|#", link)]
    problem_unless(not relative, f"relative links: {relative}")


def licenses(wheel):
    fields, info = read_metadata(wheel)
    texts = {name: wheel.read(f"{info}/licenses/{name}").split() for name in fields.license_files}
    problem_unless(len({b" ".join(words) for words in texts.values()}) == len(texts), "a text is there twice")
    rows = [line.split("\t") for line in wheel.read(f"{info}/licenses/COMPONENTS.tsv").decode().splitlines()]
    for component, _, files in rows:
        for name in files.split():
            problem_unless(name in texts, f"{component}: no text {name}")
    used = {name for _, _, files in rows for name in files.split()} | {"COMPONENTS.tsv"}
    problem_unless(used == set(texts), f"texts of no component: {set(texts) - used}")
    parts = {part for _, expression, _ in rows for part in expression.split(" AND ")}
    problem_unless(parts == set(fields.license_expression.split(" AND ")), "the expression is not that of the components")
    for name in wheel.namelist():               # libhwloc-0ab12c34.so.15.5.2 is of the package libhwloc15
        if ".libs/" in name and ".so" in name:
            library = re.sub("[-.].*", "", os.path.basename(name))
            problem_unless(any(row[0].startswith(library) for row in rows), f"{name} is of no component")


if __name__ == "__main__":
    with zipfile.ZipFile(sys.argv[1]) as opened:
        {"symbols": symbols, "metadata": metadata, "licenses": licenses}[sys.argv[2]](opened)
