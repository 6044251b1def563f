"""corpus_versions.py: programs that clients of older versions send: cases of other groups in older versions of the portable artifact."""
from jaxlib.mlir.dialects import stablehlo

from corpus_program import CASES, add

OLD = ("0.14.0", "0.20.0", "1.0.0", "1.4.0", "1.9.0")
OF = ("elementwise/compare_LT.total_order", "elementwise/reduce_precision.f32.4_3", "elementwise/is_finite", "elementwise/real.complex", "shapes/broadcast", "shapes/gather.windows", "shapes/pad.interior", "reductions/sum_of.middle",
      "reductions/scatter_form.windows", "products/dot_form.two_batches", "products/convolution.grouped", "products/fft.RFFT_8.f32", "control/while.nested", "control/case.second",
      "control/call", "random/philox_2.ui32.7", "models/mlp_forward", "models/lstm_forward")


def programs():
    for version in OLD:
        for name in OF:
            case = CASES[name]
            try:
                stablehlo.serialize_portable_artifact_str(case.text, version)
            except ValueError:  # that version has no form for it
                continue
            add(f"versions/{name.replace('/', '.')}.{version}", case.text, case.arrays, case.expected, case.tolerance, version=version)
