#!/usr/bin/env bash
# tpu_data.sh COUNT OUT: compares `gantry plan --tpu` with the data file of programs drawn at random and libtpu's figures of them
# (tpu_truth/truth.jsonl). COUNT: compiles more programs before, until the file has figures of so many (1 to 5 s a program, no TPU); it can be
# ended at any time, and goes on where it ended. OUT keeps the programs.
# Variables: TPU_DATA_FLAGS (options of restore.py, such as --every 10 or --classes sort,gather), TPU_COLLECT_FLAGS (of collect.py),
# TPU_COMPARE_FLAGS (of compare.py, such as --detail).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
count=$1 out=$2 data=$here/tpu_truth/truth.jsonl
python=$("$here/python_env.sh" "$here/tpu_truth_requirements.txt")
# shellcheck disable=SC2086 # several options
"$python" "$here/tpu_truth/collect.py" "$data" "$count" --programs "$out/programs" ${TPU_COLLECT_FLAGS:-}
# shellcheck disable=SC2086
"$python" "$here/tpu_truth/restore.py" "$data" "$out" ${TPU_DATA_FLAGS:-}
# shellcheck disable=SC2086
"$python" "$here/tpu_truth/compare.py" "$out" ${TPU_COMPARE_FLAGS:-}
