#!/usr/bin/env python3
"""JAX's own tests of Pallas for TPUs on Gantry's TPU model.

    pallas_suite.py --tests DIR [--plugin FILE] [--files tpu_ops_test,tpu_gmm_test] [--match REGEX] [--sample N] [--json OUT]
    pallas_suite.py --tests DIR --devices 4                 the files whose kernels communicate

DIR is the folder `tests/pallas` of a checkout of JAX at the tag of the client's version (git clone --depth 1 --branch
jax-v0.10.2 https://github.com/jax-ml/jax); modules of JAX that its tests need and its wheel lacks come from that
checkout. The parent process, its options and its table are those of jax_suite.py. Tests that Gantry does not pass must
be listed, with reasons, in conformance/expected/pallas_suite.txt (pallas_suite_4.txt); the exit status is 0 if all of
them are, and none of the listed ones passes."""
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [HERE]
import jax_suite                                                    # noqa: E402

FILES = ("tpu_ops_test,tpu_pallas_test,tpu_pallas_pipeline_test,tpu_pallas_memory_space_test,tpu_pallas_random_test,"
         "tpu_pallas_state_test,tpu_pallas_async_test,tpu_pallas_call_print_test,tpu_side_effects_test,"
         "tpu_trace_value_test,tpu_info_test,tpu_fusible_matmul_test,tpu_fusible_matmul_with_stateful_fusions_test,"
         "tpu_gmm_test,tpu_paged_attention_kernel_test,tpu_ragged_paged_attention_test,tpu_splash_attention_kernel_test,"
         "tpu_splash_attention_mask_test,pallas_test,pallas_vmap_test,pallas_error_handling_test,ops_test,indexing_test,"
         "einshape_test,pallas_shape_poly_test,pallas_lowering_determinism_test,pallas_cost_estimate_test")
FILES_OF_SEVERAL_DEVICES = ("tpu_pallas_distributed_test,tpu_all_gather_test,tpu_splash_attention_kernel_sharded_test,"
                            "tpu_pallas_mpmd_test,tpu_pallas_async_test,tpu_pallas_pipeline_test")
NOT_IN_WHEEL = ("jax._src", "jax._src.pallas")      # packages that hold modules for tests alone


def extend_packages(tests):
    """Lets JAX find modules that its wheel lacks in the checkout; those of the wheel come first."""
    for name in NOT_IN_WHEEL:
        package = importlib.import_module(name)
        package.__path__.append(os.path.join(tests, "..", "..", *name.split(".")))


class PallasSuite(jax_suite.Suite):
    def command(self, module):
        return [sys.executable, os.path.abspath(__file__), "--worker", module, self.plugin,
                os.path.abspath(self.arguments.tests)]


def main():
    arguments = jax_suite.options(__doc__)
    arguments.platform = "tpu"
    files = arguments.files or (FILES_OF_SEVERAL_DEVICES if arguments.devices > 1 else FILES)
    return jax_suite.run(PallasSuite(arguments), files, jax_suite.expected_file("pallas_suite", arguments))


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[1] == "--worker":
        extend_packages(sys.argv[4])
        jax_suite.worker(sys.argv[2], sys.argv[3])
    else:
        sys.exit(main())
