#!/usr/bin/env python3
"""PyTorch/XLA's own test suite on Gantry, with PyTorch/XLA's own CPU client as the yardstick.

    torch_suite.py --tests DIR [--plugin FILE] [--files test_operations,scan/test_scan] [--match REGEX] [--devices N]

DIR is the folder `test` of a checkout of PyTorch/XLA at the tag of the client's version (git clone --depth 1 --branch
v2.9.0 https://github.com/pytorch/xla); the suite is not part of this project. A file runs as its own `__main__` would,
but each test is reported, and a test that kills or hangs its process fails (see jax_suite.py, whose parent process is
used). Tests that Gantry does not pass run again on PyTorch/XLA's own CPU client: those that pass there count as
`ours`, and must be listed, with reasons, in conformance/expected/torch_suite.txt. The exit status is 0 if all of them
are."""
import argparse
import json
import os
import runpy
import sys
import tempfile
import traceback
import unittest
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [HERE, os.path.join(HERE, "..", "jax")]
import jax_suite                                                    # noqa: E402
import torch_runner                                                 # noqa: E402

KNOWN = os.path.join(jax_suite.ROOT, "conformance", "expected", "torch_suite.txt")
FILES = ("test_operations,test_operations_hlo,test_core_aten_ops,test_ops,test_python_ops,test_xla_graph_execution,"
         "test_input_output_aliases,test_inplace_update,test_metrics,test_while_loop,test_data_type,test_fp8,test_gru,"
         "test_mat_mul_precision_get_and_set,test_persistent_cache,test_profiler,test_profiler_session,test_callback,"
         "test_async_closures,test_autocast,test_autocast_xla,test_as_stride_use_slice,test_assume_pure_torch,test_gmm,"
         "test_compilation_cache_utils,test_deprecation,test_devices,test_dynamic_shapes_detector,test_fsdp_auto_wrap,"
         "test_grad_checkpoint,test_gradient_accumulation,test_hlo_metadata,test_manual_xla_registration,"
         "test_mp_all_gather,test_mp_all_to_all,test_mp_collective_permute,test_mp_mesh_reduce,test_mp_reduce_scatter,"
         "test_mp_rendezvous,test_mp_replication,test_mp_save,test_mp_sync_batch_norm,test_ops_error_message,"
         "test_placeholder,test_syncfree_optimizers,test_torch_distributed_xla_backend,test_user_computation_debug_cache,"
         "test_zero1,dynamo/test_bridge,dynamo/test_dynamo,dynamo/test_dynamo_aliasing,dynamo/test_dynamo_config,"
         "dynamo/test_dynamo_dynamic_shape,dynamo/test_dynamo_integrations_util,dynamo/test_graph_input_matcher,"
         "dynamo/test_none_remover,dynamo/test_num_output,scan/test_scan,scan/test_scan_debug,scan/test_scan_layers,"
         "scan/test_scan_spmd,eager/test_eager,eager/test_eager_spmd,eager/test_eager_with_torch_compile,"
         "eager/test_eager_with_xla_compile,ds/test_dynamic_shapes,stablehlo/test_composite,"
         "stablehlo/test_export_fx_passes,stablehlo/test_export_llama,stablehlo/test_exports,"
         "stablehlo/test_implicit_broadcasting,stablehlo/test_pt2e_qdq,stablehlo/test_stablehlo_compile,"
         "stablehlo/test_stablehlo_custom_call,stablehlo/test_stablehlo_inference,stablehlo/test_stablehlo_save_load,"
         "stablehlo/test_unbounded_dynamism,stablehlo/test_xla_export_interpreter,pjrt/test_runtime,pjrt/test_dtypes,"
         "pjrt/test_ddp,pjrt/test_mesh_service,pjrt/test_metrics,quantized_ops/test_dot_general,"
         "quantized_ops/test_quantized_matmul,spmd/test_dtensor_integration,spmd/test_dtensor_integration2,"
         "spmd/test_dynamo_spmd,spmd/test_fsdp_v2,spmd/test_mp_input_sharding,spmd/test_spmd_debugging,"
         "spmd/test_spmd_parameter_wrapping,spmd/test_train_spmd_linear_model,"
         "spmd/test_xla_auto_sharding,spmd/test_xla_distributed_checkpoint,spmd/test_xla_sharding,"
         "spmd/test_xla_sharding_hlo,spmd/test_xla_spmd_python_api_interaction,spmd/test_xla_virtual_device,"
         "torch_distributed/test_ddp,torch_distributed/test_torch_distributed_fsdp_meta")
# What the suite's own script sets for a file.
SETTINGS = {
    "ds/test_dynamic_shapes": {"XLA_EXPERIMENTAL": "nonzero:masked_select:masked_scatter:nms"},
    "scan/test_scan_debug": {"XLA_HLO_DEBUG": "1"},
    "stablehlo/test_stablehlo_inference": {"XLA_HLO_DEBUG": "1"},
    "stablehlo/test_stablehlo_save_load": {"XLA_HLO_DEBUG": "1"},
    "test_user_computation_debug_cache": {"XLA_IR_DEBUG": "1", "XLA_HLO_DEBUG": "1"},
}
# Files that skip what they test unless the device is called CPU or TPU: they see Gantry's called CPU.
CALLED_CPU = ("spmd/test_xla_auto_sharding", "spmd/test_dtensor_integration2")
SCRIPT = "(the script)"


# ---- the worker: one file, whose call of a test runner is answered here

def is_script(text):
    """Files that start processes of their own, or have no tests: they pass when they end well."""
    main = text.partition("__main__")[2]
    return "torch_xla.launch(" in main or not any(word in main for word in ("unittest.", "absltest.", "run_tests("))


def run_script(path, reporter):
    reporter.say(begin=SCRIPT)
    state, message = "passed", ""
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        state, message = ("failed", f"exit status {end.code}") if end.code else (state, message)
    except BaseException:                                           # how the script reports that it failed
        state, message = "failed", traceback.format_exc()[-3000:]
    reporter.say(end=SCRIPT, state=state, message=message, seconds=0)


def call_device_cpu(path):
    if path.removesuffix(".py").endswith(CALLED_CPU):
        import torch_xla.runtime
        torch_xla.runtime.device_type = lambda: "CPU"


def worker(path):
    """Runs the tests that standard input names (JSON); lists the file's tests when it names none."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    wanted, reporter = json.load(sys.stdin), jax_suite.Reporter(out)
    sys.argv, sys.path[0] = [path], os.path.dirname(path)

    def finish(message):
        print(json.dumps(message), file=out, flush=True)
        os._exit(0)                                                 # torch_xla's own teardown is not what is tested

    def run(*_, **__):
        from absl import flags
        if not flags.FLAGS.is_parsed():
            flags.FLAGS([path], known_only=True)
        loaded = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
        named = {jax_suite.name_of(test): test for test in jax_suite.each_test(loaded)}
        if not wanted:
            finish(list(named))
        unittest.TestSuite(named[name] for name in wanted if name in named).run(reporter)
        finish({"done": True})

    with open(path, encoding="utf-8") as file:
        if is_script(file.read()):
            if wanted:
                run_script(path, reporter)
            finish({"done": True} if wanted else [SCRIPT])
    import torch._dynamo.test_case
    import torch.testing._internal.common_utils
    from absl.testing import absltest
    for module, name in ((unittest, "main"), (absltest, "main"), (torch._dynamo.test_case, "run_tests"),
                         (torch.testing._internal.common_utils, "run_tests"), (unittest.TextTestRunner, "run")):
        setattr(module, name, run)
    call_device_cpu(path)
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:                                       # it has found that it cannot run
        if end.code:
            raise
    finish({"done": True} if wanted else [])


# ---- the parent

class Suite(jax_suite.Suite):
    """One pass over the files: with the wheel installed in `root`, or (None) on torch_xla's own CPU client."""

    def __init__(self, arguments, root=None):
        self.root = root
        super().__init__(arguments)

    def settings(self):
        tests = os.path.abspath(self.arguments.tests)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PJRT_", "XLA_", "TPU_"))}
        path = [self.root, tests, os.environ.get("PYTHONPATH")]
        return kept | {"PJRT_DEVICE": "GANTRY" if self.root else "CPU", "TF_CPP_MIN_LOG_LEVEL": "2",
                       "CPU_NUM_DEVICES": str(self.arguments.devices),
                       "TORCH_TEST_DEVICES": os.path.join(tests, "pytorch_test_base.py"),
                       "PYTHONPATH": os.pathsep.join(filter(None, path))}

    def command(self, module):
        settings = [f"{name}={value}" for name, value in SETTINGS.get(module, {}).items()]
        path = os.path.join(os.path.abspath(self.arguments.tests), f"{module}.py")
        return ["env", *settings, sys.executable, os.path.abspath(__file__), "--worker", path]

    def run_files(self, names):
        """names: a list of tests by file; None: all of it."""
        with ThreadPoolExecutor(self.arguments.jobs) as pool:
            list(pool.map(lambda module: self.run_tests(module, names[module] or self.names(module)), names))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", required=True, help="the folder of PyTorch/XLA's tests")
    parser.add_argument("--files", default=FILES, help="their names without .py, by commas")
    parser.add_argument("--plugin", default=os.path.join(jax_suite.ROOT, "build", "lib", "pjrt_c_api_gantry_plugin.so"))
    parser.add_argument("--match", default="", help="only tests whose name this regular expression finds")
    parser.add_argument("--sample", type=int, default=1, help="only every Nth test")
    parser.add_argument("--offset", type=int, default=0, help="the first test of the sample")
    parser.add_argument("--jobs", type=int, default=1, help="files run side by side")
    parser.add_argument("--devices", type=int, default=1, help="of either client")
    parser.add_argument("--timeout", type=int, default=300, help="seconds a test may take")
    parser.add_argument("--json", help="where a line a test goes: name, state, seconds, message")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        torch_runner.stage(os.path.dirname(os.path.abspath(arguments.plugin)), root)
        gantry = Suite(arguments, root)
        gantry.run_files(dict.fromkeys(arguments.files.split(",")))
    arguments.json = None
    own, again = Suite(arguments), {}
    for module, tests in gantry.results.items():
        again[module] = [name for name, state in tests.items() if state != "passed"]
    own.run_files({module: names for module, names in again.items() if names})
    return 1 if jax_suite.table_beside(gantry.results, own.results, jax_suite.read_known(KNOWN),
                                       "torch_xla's own CPU client") else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2])
    sys.exit(main())
