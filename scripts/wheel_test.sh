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
is "40 MB at most" test "$(stat -c %s "$wheel")" -le 40000000
for file in man/man1/gantry.1 bash-completion/completions/gantry zsh/site-functions/_gantry fish/vendor_completions.d/gantry.fish; do
    is "the wheel's share/$file" test -s "$folder/share/$file"
done
is "135 MB at most when installed" test "$(du -sk --exclude=log "$folder" | cut -f1)" -le 135000
is "the release script" scripts/release_test.py
is "auditwheel's tag" bash -c "'$auditwheel' -m auditwheel show '$wheel' | tr '\n' ' ' | grep -q 'tag: \"$tag\"'"
is "the tag of glibc 2.34" test "$tag" = manylinux_2_34_x86_64
for check in symbols metadata licenses; do
    is "the wheel's $check" "$auditwheel" scripts/wheel_check.py "$wheel" $check
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
try "a message for older clients" cpu "import warnings, jax, gantry_pjrt as g
assert g.version_problem('jax', jax.__version__, (0, 6)) is None and g.version_problem('jax', '0.6.0rc1', (0, 6)) is None
assert 'pip install' in g.version_problem('jax', '0.5.3', (0, 6)) and '0.5.3' in g.version_problem('jax', '0.5.3', (0, 6))
import jax_plugins.gantry as plugin
plugin.OLDEST_JAX = (99,)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter('always')
    plugin.initialize()
assert any('supports jax 99 and newer' in str(w.message) for w in seen), [str(w.message) for w in seen]"
try "refused handlers are logged" gantry "import os, subprocess, sys
done = subprocess.run([sys.executable, '-c', 'import jax; jax.devices()'], env=dict(os.environ, GANTRY_LOG='debug'), capture_output=True, text=True, check=True)
assert 'the custom-call handler lapack' in done.stderr and 'is refused' in done.stderr, done.stderr"
try "JAX's own CPU" cpu "$use; $version; assert 'gantry' not in v, v"
try "paths" cpu "import os, gantry_pjrt as g; assert all(os.path.exists(g.library_path(d)) for d in ('cpu', 'tpu'))"
if [ -e "$folder/gantry_pjrt/bin/gantry" ]; then
    try "the command" cpu "import subprocess, sys
subprocess.run([sys.executable, '-c', 'import gantry_pjrt; gantry_pjrt.command()', '--version'], check=True)"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
