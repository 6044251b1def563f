#!/usr/bin/env bash
# tpu_truth.sh COUNT OUT: draws COUNT programs by a new seed, compiles each with libtpu up to its buffer
# assignment (about 2 s a program, no TPU), and compares what `gantry plan --tpu` says of them. OUT keeps programs and figures.
# Variables: TPU_SEED (the first seed), TPU_TRUTH_FLAGS (more options of draw_truth.py, such as --classes sort,gather).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
count=$1 out=$2
first=${TPU_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
python=$("$here/python_env.sh" "$here/tpu_truth_requirements.txt")
rm -rf "$out"
echo "seeds $first to $((first + count - 1))"
# shellcheck disable=SC2086 # several options
"$python" "$here/tpu_truth/draw_truth.py" "$out" --memory --seeds "$first:$((first + count - 1))" ${TPU_TRUTH_FLAGS:-}
"$python" "$here/tpu_truth/compare.py" "$out"
