#!/usr/bin/env python3
"""kernel_ir.py RUNNER PLUGIN [FOLDER...]: a line for each program of the corpora (build/corpus, or FOLDERs): a hash of the
LLVM IR of its kernels, of its steps, and its name. Changes that only move code print the same lines before and after:

    scripts/kernel_ir.py build/bin/gantry_corpus build/lib/pjrt_c_api_gantry_plugin.so > before
"""
import collections
import hashlib
import os
import subprocess
import sys
import tempfile


def hash_of(folder, file):
    path = os.path.join(folder, file)
    if not os.path.exists(path):
        return "-" * 16
    with open(path, "rb") as bytes_of:
        return hashlib.sha256(bytes_of.read()).hexdigest()[:16]


def main():
    runner, plugin, *corpora = sys.argv[1:]
    programs = collections.Counter()
    for corpus in corpora or ["build/corpus"]:
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, GANTRY_DUMP=f"llvm,steps:{folder}")
            subprocess.run([runner, plugin, corpus], stdout=subprocess.DEVNULL, check=False, env=environment)
            for entry in os.listdir(folder):
                at = os.path.join(folder, entry)
                programs[entry.partition(".")[2], hash_of(at, "kernels.ll"), hash_of(at, "steps.txt")] += 1
    for (name, code, steps), count in sorted(programs.items()):
        print(code, steps, name, *([f"x{count}"] if count > 1 else []))


main()
