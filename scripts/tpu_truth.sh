#!/usr/bin/env bash
# tpu_truth.sh COUNT OUT: draws COUNT programs by a new seed, compiles each with libtpu up to its buffer
# assignment (about 2 s a program, no TPU), and half as many small ones of one device to their end (5 to 60 s), for
# their times. Compares what `gantry plan --tpu` says of them. OUT keeps programs and figures, those with times in OUT/times.
# Variables: TPU_SEED (the first seed), TPU_TRUTH_FLAGS (more options of draw_truth.py, such as --classes sort,gather), TPU_TIMES
# (how many have times).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
count=$1 out=$2
times=${TPU_TIMES:-$((count / 2))}
timed=matmul,quantized,attention,decode,convolution,norm,elementwise,reduction,layout,movement,sort,gather,rng,loop
first=${TPU_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
python=$("$here/python_env.sh" "$here/tpu_truth_requirements.txt")
rm -rf "$out"
echo "seeds $first to $((first + count - 1)), with times $((first + count)) to $((first + count + times - 1))"
# shellcheck disable=SC2086 # several options
"$python" "$here/tpu_truth/draw_truth.py" "$out" --memory --seeds "$first:$((first + count - 1))" ${TPU_TRUTH_FLAGS:-}
if [ "$times" -gt 0 ]; then
    # shellcheck disable=SC2086
    "$python" "$here/tpu_truth/draw_truth.py" "$out/times" --classes "$timed" \
        --seeds "$((first + count)):$((first + count + times - 1))" ${TPU_TRUTH_FLAGS:-}
fi
"$python" "$here/tpu_truth/compare.py" "$out"
if [ "$times" -gt 0 ]; then "$python" "$here/tpu_truth/compare.py" "$out/times"; fi
