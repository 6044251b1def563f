"""corpus_random.py: random bits: the same state gives the same bits everywhere."""
import numpy as np

from corpus_program import NUMPY, case, tensor


def programs():
    for algorithm, words in (("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3)):
        for kind in ("ui8", "ui16", "ui32", "ui64"):
            for shape in ([3, 5], [7], []) if kind == "ui32" else ([3, 5],):
                state = tensor([words], "ui64")
                name = "x".join(map(str, shape)) or "scalar"
                case(f"random/{algorithm.lower()}_{words}.{kind}.{name}", [np.arange(5, 5 + words).astype(np.uint64) * np.uint64(0x123456789)],
                     f"%r:2 = stablehlo.rng_bit_generator %0, algorithm = {algorithm} : ({state}) -> ({state}, {tensor(shape, kind)})", [("%r#0", state), ("%r#1", tensor(shape, kind))])
    for kind in ("f32", "f64", "i32"):  # an interval of one value, so that the result is deterministic
        one, t = np.asarray(2).astype(NUMPY[kind]), tensor([], kind)
        if kind == "i32":
            body = "%h = stablehlo.constant dense<3> : tensor<i32>\n    "
        else:
            body = f"%h = stablehlo.constant dense<2.0> : {t}\n    "
        case(f"random/uniform_of_one_value.{kind}", [one], body + f"%s = stablehlo.constant dense<[3, 4]> : tensor<2xi64>\n    %r = stablehlo.rng %0, %h, %s, distribution = UNIFORM : "
             f"({t}, {t}, tensor<2xi64>) -> {tensor([3, 4], kind)}", [("%r", tensor([3, 4], kind))], [np.full((3, 4), 2).astype(NUMPY[kind])])
