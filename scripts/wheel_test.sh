#!/usr/bin/env bash
# wheel_test.sh DIST: checks the contents and dependencies of the wheel in DIST, that it runs with only the C and C++
# libraries, and that JAX discovers it when both are installed, without the build tree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$(scripts/python_env.sh)
wheel=$(ls "$1"/gantry_pjrt-*.whl)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0 skipped=0
try() {     # try NAME PLATFORMS CODE
    if env -u PJRT_NAMES_AND_LIBRARY_PATHS -u PJRT_DEVICE JAX_PLATFORMS="$2" PYTHONPATH="$folder" \
            "$python" -c "$3" >"$folder/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1 failed:"
        tail -n 15 "$folder/log"
    fi
}
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder" "$wheel"

# ---- what it is ----
is() {      # is NAME COMMAND...
    if "${@:2}" >"$folder/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1 failed:"
        tail -n 15 "$folder/log"
    fi
}
auditwheel=$(scripts/python_env.sh scripts/wheel_requirements.txt)
tag=$(basename "$wheel" .whl | sed 's/.*-none-//')
licenses=$(echo "$folder"/gantry_pjrt-*.dist-info/licenses)
is "50 MB at most" test "$(stat -c %s "$wheel")" -le 50000000
is "135 MB at most when installed" test "$(du -sk --exclude=log "$folder" | cut -f1)" -le 135000
is "auditwheel's tag" bash -c "'$auditwheel' -m auditwheel show '$wheel' | tr '\n' ' ' | grep -q 'tag: \"$tag\"'"
is "its own licenses" ls "$licenses"/{Gantry,llvm-19-dev,libopenblas-serial-dev,libprotobuf-c-dev,zlib1g-dev,libzstd-dev}.txt "$licenses/oneDNN-LICENSE"
for library in "$folder"/gantry_pjrt.libs/*; do
    # libhwloc-0ab12c34.so.15.5.2 is of the package libhwloc15
    is "the license of $(basename "$library")" bash -c "ls '$licenses' | grep -q '^$(basename "$library" | sed 's/[-.].*//')'"
done

# ---- a machine with only the libraries that the wheel's platform tag guarantees ------------
bare() {    # bare COMMAND...: in a separate root
    unshare -rm sh -c 'mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"' "$folder/bare" "$@"
}
libc='ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s'
if unshare -rm true 2>/dev/null; then
    mkdir -p "$folder/bare"/{lib64,wheel,tmp,proc,dev} && mkdir -p "$folder/bare/lib/x86_64-linux-gnu"
    cp -L $(ldconfig -p | sed -nE "s/^\s*($libc)\.so\.[0-9]+ .*x86-64.* => //p") "$folder/bare/lib/x86_64-linux-gnu"
    cp -L /lib64/ld-linux-x86-64.so.2 "$folder/bare/lib64"
    cp -r "$folder"/gantry_pjrt* "$folder/bare/wheel"
    cat >"$folder/bare/program.mlir" <<'END'
func.func @main() -> tensor<512x512xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<512x512xf32>
  %1 = stablehlo.cosine %0 : tensor<512x512xf32>
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}
END
    is "the command on a bare machine" bare /wheel/gantry_pjrt/bin/gantry info
    is "a program on a bare machine" bare /wheel/gantry_pjrt/bin/gantry run /program.mlir
else
    skipped=1
    echo "skipped: no namespaces here for a bare machine"
fi

# ---- JAX ----
use='import jax, jax.numpy as jnp; assert float(jax.jit(lambda x: (x @ x).sum())(jnp.ones((64, 64)))) == 64.0 ** 3'
version='v = jax.devices()[0].client.platform_version.lower()'
try "as JAX's default" "" "$use; $version; assert 'gantry' in v, v"
try "by name" gantry "$use; $version; assert 'gantry' in v, v"
try "callbacks outside and inside of jit" gantry "import jax, jax.numpy as jnp, numpy as np
double = lambda x: jax.pure_callback(lambda x: 2 * np.asarray(x), jax.ShapeDtypeStruct((3,), np.float32), x)
jax.debug.print('{}', jnp.ones(2))
assert 'gantry' in jax.devices()[0].client.platform_version.lower()
assert float(double(jnp.ones(3)).sum()) == float(jax.jit(double)(jnp.ones(3)).sum()) == 6.0"
try "JAX's own CPU" cpu "$use; $version; assert 'gantry' not in v, v"
try "paths" cpu "import os, gantry_pjrt as g; assert all(os.path.exists(g.library_path(d)) for d in ('cpu', 'tpu'))"
if [ -e "$folder/gantry_pjrt/bin/gantry" ]; then
    try "the command" cpu "import subprocess, sys
subprocess.run([sys.executable, '-c', 'import gantry_pjrt; gantry_pjrt.command()', '--version'], check=True)"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
