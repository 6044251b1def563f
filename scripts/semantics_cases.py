"""semantics_cases.py: what StableHLO's operations compute, as cases of one small program each: its inputs, its results
as NumPy has them, and the bound in ULP. scripts/make_semantics_programs.py makes files and rules of them."""
import dataclasses
import re

import ml_dtypes
import numpy as np

bf16 = ml_dtypes.bfloat16
f16, f32, f64 = np.float16, np.float32, np.float64
i8, i16, i32, i64 = np.int8, np.int16, np.int32, np.int64
u8, u16, u32, u64 = np.uint8, np.uint16, np.uint32, np.uint64
NAMES = {"bool": "i1", "bfloat16": "bf16", "complex64": "complex<f32>", "complex128": "complex<f64>"}
SHORT = {"complex<f32>": "c64", "complex<f64>": "c128", "i1": "pred"}
SPEC, PRACTICE = "StableHLO", "practice"
SECTIONS = []
inf, nan = np.inf, np.nan


def name_of(array):
    """The type of the elements, as StableHLO writes it."""
    name = array.dtype.name
    return NAMES.get(name) or name.replace("uint", "ui").replace("int", "i").replace("float", "f")


def tensor(array):
    return "tensor<" + "".join(f"{d}x" for d in array.shape) + name_of(array) + ">"


@dataclasses.dataclass
class Case:
    name: str
    sentence: str
    inputs: list
    results: list
    body: str  # %a0, %a1 ... are the inputs, %r0, %r1 ... the results; {a0}, {r0} ... their types
    bound: object = 0
    level: str = "MUST"
    source: str = SPEC

    def text(self):
        types = {f"a{i}": tensor(a) for i, a in enumerate(self.inputs)} | {f"r{i}": tensor(r) for i, r in enumerate(self.results)}
        body = re.sub(r"\{([ar]\d)\}", lambda m: types[m.group(1)], self.body)
        arguments = ", ".join(f"%a{i}: {tensor(a)}" for i, a in enumerate(self.inputs))
        results = ", ".join(map(tensor, self.results))
        values = ", ".join(f"%r{i}" for i in range(len(self.results)))
        lines = "\n".join("  " + line.strip() for line in body.strip().split("\n"))
        return (f"module {{\nfunc.func public @main({arguments}) -> ({results}) {{\n{lines}\n"
                f"  \"func.return\"({values}) : ({results}) -> ()\n}}\n}}\n")


def section(title):
    SECTIONS.append((title, []))


def case(name, sentence, inputs, results, body, **more):
    inputs = [np.ascontiguousarray(i) if np.ndim(i) else np.asarray(i) for i in inputs]
    results = [np.ascontiguousarray(r) if np.ndim(r) else np.asarray(r) for r in results]
    SECTIONS[-1][1].append(Case(name, sentence, inputs, results, body, **more))


def operation(op, count=1, attributes="", results=1):
    """An operation on all inputs."""
    args = ", ".join(f"%a{i}" for i in range(count))
    types = ", ".join(f"{{a{i}}}" for i in range(count))
    attributes = f" {{{attributes}}}" if attributes else ""
    return f'%r0 = "stablehlo.{op}"({args}){attributes} : ({types}) -> {{r0}}'


def short(dtype):
    name = name_of(np.zeros(1, dtype))
    return SHORT.get(name, name.replace("ui", "u").replace("i", "s") if name[0] in "iu" else name)


def level_of(dtype):
    """Types that every accelerator has; the others are for those that need them."""
    return "MUST" if np.dtype(dtype).name in ("float32", "int32", "bool", "bfloat16", "uint32") else "SHOULD"


def random(seed):
    return np.random.default_rng(seed)


def floats(dtype, count=24, scale=8):
    """Numbers of both signs, some of which are integers."""
    r = random(count)
    values = r.uniform(-scale, scale, count)
    values[::5] = np.round(values[::5])
    return values.astype(dtype)


def integers(dtype, count=24):
    info = np.iinfo(dtype)
    values = random(7).integers(info.min, info.max, count, dtype=dtype, endpoint=True)
    values[:4] = [info.min, info.max, 0, 1]
    return values


# ---- Arithmetic -------------------------------------------------------------------------------------------------------
section("Arithmetic")
SPECIAL = [0.0, -0.0, 1, -1, inf, -inf, nan, 3.5]
FLOATS, INTEGERS = (f32, bf16, f16, f64), (i32, u32, i8, u8, i64)
BINARY = {"add": (np.add, "rounds once"), "subtract": (np.subtract, "rounds once"), "multiply": (np.multiply, "rounds once")}


def pairs(dtype):
    a, b = np.meshgrid(np.array(SPECIAL, dtype), np.array(SPECIAL, dtype))
    return np.concatenate([a.ravel(), floats(dtype, 31)]), np.concatenate([b.ravel(), floats(dtype, 33)[:31]])


with np.errstate(all="ignore"):
    for op, (function, what) in BINARY.items():
        for dtype in FLOATS:
            a, b = pairs(dtype)
            result = function(a.astype(f64), b.astype(f64)).astype(dtype) if dtype in (bf16, f16) else function(a, b)
            case(f"{op}_{short(dtype)}", f"stablehlo.{op} of {short(dtype)} {what} to nearest even, with infinities, NaN and signed zeros as IEEE 754 has them.",
                 [a, b], [result], operation(op, 2), level=level_of(dtype))
        for dtype in INTEGERS:
            a, b = integers(dtype), integers(dtype)[::-1]
            case(f"{op}_{short(dtype)}", f"stablehlo.{op} of {short(dtype)} wraps around.", [a, b], [function(a, b)], operation(op, 2), level=level_of(dtype))
    for dtype in FLOATS:
        a, b = pairs(dtype)
        result = np.divide(a.astype(f64), b.astype(f64)).astype(dtype) if dtype in (bf16, f16) else np.divide(a, b)
        case(f"divide_{short(dtype)}", f"stablehlo.divide of {short(dtype)} is within 2 ULP; x / 0 is an infinity, and 0 / 0 is NaN.",
             [a, b], [result], operation("divide", 2), bound=2, level=level_of(dtype))
    for dtype in (i32, i8, i64, u32):
        a, b = integers(dtype)[4:], np.where(integers(dtype)[::-1][4:] == 0, 3, integers(dtype)[::-1][4:]).astype(dtype) // np.array(16, dtype)
        b = np.where(b == 0, 5, b).astype(dtype)
        quotient = (np.sign(a.astype(object)) * np.sign(b.astype(object)) * (abs(a.astype(object)) // abs(b.astype(object)))).astype(dtype)
        case(f"divide_{short(dtype)}", f"stablehlo.divide of {short(dtype)} rounds toward zero.", [a, b], [quotient], operation("divide", 2), level=level_of(dtype))
        case(f"remainder_{short(dtype)}", f"stablehlo.remainder of {short(dtype)} has the sign of the dividend.", [a, b],
             [(a.astype(object) - quotient.astype(object) * b.astype(object)).astype(dtype)], operation("remainder", 2), level=level_of(dtype))
    a, b = floats(f32, 32, 100), floats(f32, 37, 9)[:32]
    case("remainder_f32", "stablehlo.remainder of f32 is exact, with the sign of the dividend.", [a, np.where(b == 0, f32(2), b)],
         [np.fmod(a, np.where(b == 0, f32(2), b))], operation("remainder", 2), bound=2)
    for op, function in {"maximum": np.maximum, "minimum": np.minimum}.items():
        for dtype in (f32, bf16):
            a, b = pairs(dtype)
            case(f"{op}_{short(dtype)}", f"stablehlo.{op} of {short(dtype)} is NaN if one operand is.", [a, b], [function(a.astype(f64), b.astype(f64)).astype(dtype)],
                 operation(op, 2), bound=1)
        for dtype in (i32, u32):
            a, b = integers(dtype), integers(dtype)[::-1]
            case(f"{op}_{short(dtype)}", f"stablehlo.{op} of {short(dtype)} compares {'signed' if dtype == i32 else 'unsigned'} numbers.", [a, b], [function(a, b)],
                 operation(op, 2))
    a = np.array(SPECIAL + [0.5, -2.5], f32)
    case("negate_f32", "stablehlo.negate of f32 changes the sign, of zeros and infinities as well.", [a], [-a], operation("negate"))
    case("abs_f32", "stablehlo.abs of f32 clears the sign, of -0 as well.", [a], [np.abs(a)], operation("abs"))
    case("sign_f32", "stablehlo.sign of f32 is -1, 1, a zero of the same sign, or NaN.", [a], [np.where(a == 0, a, np.sign(a))], operation("sign"))
    a = integers(i32)
    case("negate_s32", "stablehlo.negate of s32 wraps around: the least number is its own negative.", [a], [np.negative(a)], operation("negate"))
    case("abs_s32", "stablehlo.abs of s32 wraps around: the least number is its own.", [a], [np.abs(a)], operation("abs"))
    case("sign_s32", "stablehlo.sign of s32 is -1, 0 or 1.", [a], [np.sign(a)], operation("sign"))
    a = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4, -2.6, 8388609, -inf, inf, nan], f32)
    case("floor_f32", "stablehlo.floor rounds toward minus infinity.", [a], [np.floor(a)], operation("floor"))
    case("ceil_f32", "stablehlo.ceil rounds toward infinity.", [a], [np.ceil(a)], operation("ceil"))
    case("round_nearest_even_f32", "stablehlo.round_nearest_even rounds halves to even numbers.", [a], [np.rint(a)], operation("round_nearest_even"))
    case("round_nearest_afz_f32", "stablehlo.round_nearest_afz rounds halves away from zero.", [a], [np.copysign(np.floor(np.abs(a.astype(f64)) + 0.5), a).astype(f32)], operation("round_nearest_afz"))
    case("is_finite_f32", "stablehlo.is_finite is false for infinities and NaN.", [a], [np.isfinite(a)], operation("is_finite"))
    tiny = np.array([1e-39, -1e-39, 1e-44, 1e-38, 0], f32)
    case("denormals_f32", "A denormal result is that number, or zero where the device flushes denormal numbers.", [tiny, np.full(5, 0.5, f32)], [tiny * f32(0.5)],
         operation("multiply", 2), bound="flush")
    a = (random(1).integers(-8, 8, 16) + 1j * random(2).integers(-8, 8, 16)).astype(np.complex64)
    b = (random(3).integers(1, 8, 16) + 1j * random(4).integers(-8, 8, 16)).astype(np.complex64)
    for op, function in (("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply)):
        case(f"{op}_c64", f"stablehlo.{op} of complex numbers with small integers as parts is exact.", [a, b], [function(a, b)], operation(op, 2), level="SHOULD")
    case("complex_parts", "stablehlo.complex makes a number of two parts, which stablehlo.real and stablehlo.imag give back.", [a.real.copy(), a.imag.copy()],
         [a.real.copy(), a.imag.copy()], '''%z = "stablehlo.complex"(%a0, %a1) : ({a0}, {a1}) -> tensor<16xcomplex<f32>>
         %r0 = "stablehlo.real"(%z) : (tensor<16xcomplex<f32>>) -> {r0}
         %r1 = "stablehlo.imag"(%z) : (tensor<16xcomplex<f32>>) -> {r1}''', level="SHOULD")

# ---- Functions --------------------------------------------------------------------------------------------------------
section("Functions")
longs = np.longdouble


def logistic(x):
    return 1 / (1 + np.exp(-x))


FUNCTIONS = {  # NumPy's, bound, range, values at special points
    "exponential": (np.exp, 4, (-80, 80), "exp(-inf) is 0 and exp(inf) is inf"),
    "exponential_minus_one": (np.expm1, 4, (-20, 20), "near zero as well"),
    "log": (np.log, 4, (1e-30, 1e30), "log(0) is -inf, and that of a negative number is NaN"),
    "log_plus_one": (np.log1p, 4, (-0.9, 50), "near zero as well"),
    "logistic": (logistic, 6, (-30, 30), "0 at -inf and 1 at inf"),
    "tanh": (np.tanh, 6, (-12, 12), "-1 at -inf and 1 at inf"),
    "sine": (np.sin, 4, (-3, 3), "NaN at infinities"),
    "cosine": (np.cos, 4, (-1.5, 1.5), "NaN at infinities"),
    "tan": (np.tan, 6, (-1.5, 1.5), "NaN at infinities"),
    "sqrt": (np.sqrt, 2, (0, 1e6), "NaN for negative numbers"),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 4, (1e-6, 1e6), "rsqrt(0) is inf, and rsqrt(inf) is 0"),
    "cbrt": (np.cbrt, 4, (-1e6, 1e6), "of negative numbers as well"),
}
with np.errstate(all="ignore"):
    for op, (function, bound, (low, high), words) in FUNCTIONS.items():
        for dtype in FLOATS:
            small = dtype in (bf16, f16)
            low_, high_ = (max(low, -9), min(high, 9)) if small else (low, high)
            low_ = max(low_, 0.01) if small and low >= 0 else low_
            x = random(len(op)).uniform(low_, high_, 40)
            if high > 1e5 and not small and low > 0:
                x = np.exp(random(5).uniform(np.log(low), np.log(high), 40))
            x[:2] = [low_, high_]
            special = [inf, nan, 1.0, 0.5] + ([-inf] if low < 0 and op != "log_plus_one" else []) + [0.0]
            x = np.concatenate([x, special, [-1.0] if op in ("log", "sqrt") else []]).astype(dtype)
            wide = x.astype(longs) if not small else x.astype(f32).astype(longs)
            result = function(wide).astype(dtype) if not small else function(wide).astype(f64).astype(dtype)
            bound_ = 2 if small else bound
            case(f"{op}_{short(dtype)}", f"stablehlo.{op} of {short(dtype)} is within {bound_} ULP; {words}.", [x], [result], operation(op), bound=bound_,
                 level=level_of(dtype), source=PRACTICE)
    x, y = random(8).uniform(0.01, 20, 40).astype(f32), random(9).uniform(-6, 6, 40).astype(f32)
    case("power_f32", "stablehlo.power of f32 is within 16 ULP for positive bases.", [x, y], [np.power(x.astype(longs), y.astype(longs)).astype(f32)],
         operation("power", 2), bound=16, source=PRACTICE)
    x, y = np.array([0, 1, -2, -2, 2, inf, 0, nan, nan, 1], f32), np.array([0, nan, 3, 2, 0.5, 0, 2, 0, 1, inf], f32)
    case("power_special_f32", "stablehlo.power of f32: x^0 and 1^y are 1, a negative base with an integral exponent has the sign that the exponent gives.",
         [x, y], [np.power(x.astype(f64), y.astype(f64)).astype(f32)], operation("power", 2), bound=4, source=PRACTICE)
    x, y = np.array([-3, 2, 5, -1, 0, 7], i32), np.array([3, 10, 0, 7, 4, 2], i32)
    case("power_s32", "stablehlo.power of s32 with exponents that are not negative is exact.", [x, y], [x ** y], operation("power", 2))
    x, y = floats(f32, 40), np.where(floats(f32, 41)[:40] == 0, f32(1), floats(f32, 41)[:40])
    case("atan2_f32", "stablehlo.atan2 of f32 is within 6 ULP in all quadrants.", [x, y], [np.arctan2(x.astype(longs), y.astype(longs)).astype(f32)],
         operation("atan2", 2), bound=6, source=PRACTICE)

# ---- Bits -------------------------------------------------------------------------------------------------------------
section("Bits and truth values")
for dtype in (i32, u8):
    a, b = integers(dtype), integers(dtype)[::-1]
    for op, function in (("and", np.bitwise_and), ("or", np.bitwise_or), ("xor", np.bitwise_xor)):
        case(f"{op}_{short(dtype)}", f"stablehlo.{op} of {short(dtype)} is bitwise.", [a, b], [function(a, b)], operation(op, 2), level=level_of(dtype))
    case(f"not_{short(dtype)}", f"stablehlo.not of {short(dtype)} inverts each bit.", [a], [~a], operation("not"), level=level_of(dtype))
a, b = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
for op, function in (("and", np.logical_and), ("or", np.logical_or), ("xor", np.logical_xor)):
    case(f"{op}_pred", f"stablehlo.{op} of truth values is logical.", [a, b], [function(a, b)], operation(op, 2))
case("not_pred", "stablehlo.not of truth values is logical.", [a], [~a], operation("not"))
for dtype in (i32, u32):
    bits = 32
    a = np.repeat(integers(dtype, 8), 5)
    s = np.tile(np.array([0, 1, 7, 31, 16], dtype), 8)
    u = a.view(u32)
    case(f"shift_left_{short(dtype)}", f"stablehlo.shift_left of {short(dtype)} shifts zeros in.", [a, s], [(u << s.view(u32)).view(dtype)], operation("shift_left", 2))
    case(f"shift_right_logical_{short(dtype)}", f"stablehlo.shift_right_logical of {short(dtype)} shifts zeros in.", [a, s], [(u >> s.view(u32)).view(dtype)],
         operation("shift_right_logical", 2))
    case(f"shift_right_arithmetic_{short(dtype)}", f"stablehlo.shift_right_arithmetic of {short(dtype)} shifts copies of the top bit in.", [a, s],
         [(a.view(i32) >> s.view(i32)).view(dtype)], operation("shift_right_arithmetic", 2))
a, s = np.array([-5, 5, -5, 5], i32), np.array([32, 32, 100, 100], i32)
case("shift_too_far_s32", "Shifting by the width of the type or more gives 0, or -1 for an arithmetic shift of a negative number.", [a, s],
     [np.zeros(4, i32), np.zeros(4, i32), np.where(a < 0, -1, 0).astype(i32)], '''%r0 = "stablehlo.shift_left"(%a0, %a1) : ({a0}, {a1}) -> {r0}
     %r1 = "stablehlo.shift_right_logical"(%a0, %a1) : ({a0}, {a1}) -> {r1}
     %r2 = "stablehlo.shift_right_arithmetic"(%a0, %a1) : ({a0}, {a1}) -> {r2}''', source=PRACTICE)
a = np.array([0, 1, 2, 255, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000], u32)
case("popcnt_u32", "stablehlo.popcnt counts the bits that are set.", [a], [np.array([bin(x).count("1") for x in a], u32)], operation("popcnt"))
case("count_leading_zeros_u32", "stablehlo.count_leading_zeros of 0 is the width of the type.", [a], [np.array([32 - int(x).bit_length() for x in a], u32)],
     operation("count_leading_zeros"))

# ---- Comparisons ------------------------------------------------------------------------------------------------------
section("Comparisons and choices")
COMPARE = {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal}


def comparison(direction, kind):
    return f"comparison_direction = #stablehlo<comparison_direction {direction}>, compare_type = #stablehlo<comparison_type {kind}>"


for direction, function in COMPARE.items():
    a, b = pairs(f32)
    case(f"compare_{direction.lower()}_f32", f"stablehlo.compare {direction} of f32: NaN is {'different from everything' if direction == 'NE' else 'in no relation'}, and zeros are equal.",
         [a, b], [function(a, b)], operation("compare", 2, comparison(direction, "FLOAT")))
for dtype, kind in ((i32, "SIGNED"), (u32, "UNSIGNED"), (bool, "UNSIGNED")):
    a, b = (integers(dtype), integers(dtype)[::-1]) if dtype != bool else (np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool))
    case(f"compare_lt_{short(dtype)}", f"stablehlo.compare LT of {short(dtype)} orders {'false before true' if dtype == bool else kind.lower() + ' numbers'}.", [a, b],
         [np.less(a, b)], operation("compare", 2, comparison("LT", kind)))
a = np.array([-nan, -inf, -1, -0.0, 0.0, 1, inf, nan], f32)
a.view(u32)[0] |= 0x80000000
x, y = np.repeat(a, 8), np.tile(a, 8)
case("compare_totalorder_f32", "stablehlo.compare LT TOTALORDER orders -NaN, -inf, numbers, -0, 0, numbers, inf, NaN.", [x, y],
     [np.repeat(np.arange(8), 8) < np.tile(np.arange(8), 8)], operation("compare", 2, comparison("LT", "TOTALORDER")))
p, a, b = np.array([1, 0, 1, 0], bool), np.array([1, 2, nan, 4], f32), np.array([5, nan, 7, 8], f32)
case("select_f32", "stablehlo.select takes elements of the second operand where the predicate is true.", [p, a, b], [np.where(p, a, b)], operation("select", 3))
case("select_scalar_predicate", "stablehlo.select with one predicate takes a whole operand.", [np.array(False), a, b], [b], operation("select", 3))
a = np.array([-5, -1, 0, 0.5, 3, inf, -inf, nan], f32)
case("clamp_f32", "stablehlo.clamp limits to scalar bounds; NaN stays.", [f32(-1), a, f32(1)], [np.minimum(np.maximum(a, f32(-1)), f32(1))], operation("clamp", 3))

# ---- Conversions ------------------------------------------------------------------------------------------------------
section("Conversions")


def convert(name, sentence, a, b, **more):
    case(name, sentence, [a], [b], operation("convert"), **more)


a = np.array([0, 0.9, -0.9, 1.5, -1.5, 2147483520, -2147483648, 100.99], f32)
convert("convert_f32_s32", "stablehlo.convert from f32 to s32 rounds toward zero.", a, a.astype(i32))
a = np.array([1 << 24, (1 << 24) + 1, (1 << 24) + 2, (1 << 24) + 3, -16777217, 2147483647, -2147483648], i32)
convert("convert_s32_f32", "stablehlo.convert from s32 to f32 rounds to nearest even.", a, a.astype(f32))
a = np.array([0, 1, 4294967295, 2147483648, 4294967040], u32)
convert("convert_u32_f32", "stablehlo.convert from u32 to f32 rounds to nearest even.", a, a.astype(f32))
a = np.array([1, 1.00390625, 1.01171875, 1.005, 3.3895e38, inf, -inf, nan, -0.0, 1e-3], f32)
with np.errstate(all="ignore"):
    convert("convert_f32_bf16", "stablehlo.convert from f32 to bf16 rounds to nearest even.", a, a.astype(bf16))
    b = a.astype(bf16)
    convert("convert_bf16_f32", "stablehlo.convert from bf16 to f32 is exact.", b, b.astype(f32))
    a = np.array([1, 1.00048828125, 1.00146484375, 65504, 65519, 65520, 1e-3, inf, nan, -0.0], f32)
    convert("convert_f32_f16", "stablehlo.convert from f32 to f16 rounds to nearest even; from 65520 on that is inf.", a, a.astype(f16), level="SHOULD")
    a = np.array([1, 1 + 2.0**-24, 1 + 3 * 2.0**-24, 1e300, -1e300, 0.1, nan], f64)
    convert("convert_f64_f32", "stablehlo.convert from f64 to f32 rounds to nearest even; too large numbers become infinities.", a, a.astype(f32), level="SHOULD")
    a = np.array([0, -0.0, 0.5, -3, nan, inf], f32)
convert("convert_f32_pred", "stablehlo.convert to truth values is false for zeros only.", a, a != 0)
convert("convert_pred_f32", "stablehlo.convert of truth values gives 0 and 1.", np.array([0, 1], bool), np.array([0, 1], f32))
a = np.array([0, 127, 128, 255, -1, 256, 511, -129], i32)
convert("convert_s32_s8", "stablehlo.convert to a narrower integer keeps the low bits.", a, a.astype(i8), source=PRACTICE)
convert("convert_s8_s32", "stablehlo.convert of s8 extends the sign.", np.array([-128, -1, 0, 127], i8), np.array([-128, -1, 0, 127], i32))
convert("convert_u8_s32", "stablehlo.convert of u8 extends with zeros.", np.array([0, 127, 128, 255], u8), np.array([0, 127, 128, 255], i32))
a = np.array([1, -1, 0, nan, inf], f32)
case("bitcast_f32_u32", "stablehlo.bitcast_convert between types of one width keeps the bits.", [np.array([1, -1, -0.0, inf], f32)],
     [np.array([1, -1, -0.0, inf], f32).view(u32)], operation("bitcast_convert"))
a = np.array([0x01020304, 0x7f80ff01], u32)
case("bitcast_u32_u8", "stablehlo.bitcast_convert to a narrower type adds a dimension, the lowest bits first.", [a], [a.view(u8).reshape(2, 4)],
     operation("bitcast_convert"), level="SHOULD")
a = np.array([1, 1.0078125, 1.01171875, 3.25, 1e30, nan, inf], f32)
with np.errstate(all="ignore"):
    case("reduce_precision_f32", "stablehlo.reduce_precision to 8 exponent and 7 mantissa bits equals rounding to bf16.", [a],
         [a.astype(bf16).astype(f32)], operation("reduce_precision", 1, "exponent_bits = 8 : i32, mantissa_bits = 7 : i32"))
    for name, dtype in (("f8E4M3FN", ml_dtypes.float8_e4m3fn), ("f8E5M2", ml_dtypes.float8_e5m2)):
        a = np.array([0, -0.0, 1, 1.0625, 1.1875, 3.3, -100, 0.02, nan], f32)
        case(f"round_trip_{name.lower()}", f"stablehlo.convert to {name} rounds to nearest even, and back to f32 is exact.", [a], [a.astype(dtype).astype(f32)],
             f'''%x = "stablehlo.convert"(%a0) : ({{a0}}) -> tensor<9x{name}>
             %r0 = "stablehlo.convert"(%x) : (tensor<9x{name}>) -> {{r0}}''', level="OPTIONAL")

# ---- Shapes -----------------------------------------------------------------------------------------------------------
section("Shapes")
m = np.arange(24, dtype=f32).reshape(2, 3, 4)
case("broadcast_in_dim", "stablehlo.broadcast_in_dim repeats the operand along dimensions that it does not name, and along those of size 1.",
     [np.array([[1], [2], [3]], f32)], [np.broadcast_to(np.array([[1], [2], [3]], f32)[None], (2, 3, 4))],
     operation("broadcast_in_dim", 1, "broadcast_dimensions = array<i64: 1, 2>"))
case("reshape", "stablehlo.reshape keeps the row-major order of elements.", [m], [m.reshape(4, 6)], operation("reshape"))
case("transpose", "stablehlo.transpose permutes dimensions: result dimension i is operand dimension permutation[i].", [m], [m.transpose(2, 0, 1)],
     operation("transpose", 1, "permutation = array<i64: 2, 0, 1>"))
case("slice_strided", "stablehlo.slice takes elements from start on, before limit, by strides.", [m], [m[0:2:1, 1:3:1, 0:4:3]],
     operation("slice", 1, "start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 2, 3, 4>, strides = array<i64: 1, 1, 3>"))
case("concatenate", "stablehlo.concatenate joins operands along a dimension, also those without elements.", [m, np.zeros((2, 0, 4), f32), m[:, :1] + 100],
     [np.concatenate([m, m[:, :1] + 100], 1)], operation("concatenate", 3, "dimension = 1 : i64"))
x = np.arange(6, dtype=f32).reshape(2, 3)
padded = np.full((3, 6), -1, f32)
padded[1:3, 1::2] = x
case("pad_interior", "stablehlo.pad adds elements at the edges, and between elements.", [x, f32(-1)], [padded],
     operation("pad", 2, "edge_padding_low = array<i64: 1, 1>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 1>"))
case("pad_negative", "stablehlo.pad with negative amounts takes elements away.", [x, f32(-1)], [x[:, 1:2]],
     operation("pad", 2, "edge_padding_low = array<i64: 0, -1>, edge_padding_high = array<i64: 0, -1>, interior_padding = array<i64: 0, 0>"))
case("reverse", "stablehlo.reverse turns the named dimensions around.", [m], [m[::-1, :, ::-1]], operation("reverse", 1, "dimensions = array<i64: 0, 2>"))
case("iota", "stablehlo.iota counts along its dimension.", [], [np.broadcast_to(np.arange(3, dtype=i32)[:, None], (3, 4))],
     '%r0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> {r0}')
case("empty_arrays", "Operations on arrays without elements give arrays without elements.", [np.zeros((0, 3), f32)], [np.zeros((3, 0), f32)],
     '''%x = "stablehlo.add"(%a0, %a0) : ({a0}, {a0}) -> {a0}
     %r0 = "stablehlo.transpose"(%x) {permutation = array<i64: 1, 0>} : ({a0}) -> {r0}''')
case("constant_splat", "stablehlo.constant with one value has it in each element.", [], [np.full((2, 3), 7, i32)],
     '%r0 = "stablehlo.constant"() {value = dense<7> : {r0}} : () -> {r0}')

# ---- Indexing ---------------------------------------------------------------------------------------------------------
section("Indexing")
v = np.arange(10, dtype=f32)
for name, start in (("inside", 3), ("too_large", 9), ("negative", -4)):
    at = min(max(start, 0), 6)
    words = {"inside": "starts at its index", "too_large": "with an index that is too large takes the last elements", "negative": "with a negative index takes the first elements"}[name]
    case(f"dynamic_slice_{name}", f"stablehlo.dynamic_slice {words}.", [v, i32(start)], [v[at:at + 4]], operation("dynamic_slice", 2, "slice_sizes = array<i64: 4>"))
    r = v.copy()
    r[at:at + 4] = 100
    words = {"inside": "writes at its index", "too_large": "with an index that is too large writes the last elements", "negative": "with a negative index writes the first elements"}[name]
    case(f"dynamic_update_slice_{name}", f"stablehlo.dynamic_update_slice {words}.", [v, np.full(4, 100, f32), i32(start)], [r], operation("dynamic_update_slice", 3))
GATHER = ("dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
          "indices_are_sorted = false, slice_sizes = array<i64: 1, 3>")
t, index = np.arange(12, dtype=f32).reshape(4, 3), np.array([[2], [0], [99], [-7], [3]], i32)
case("gather_rows", "stablehlo.gather takes slices at indices; indices outside are clamped.", [t, index], [t[np.clip(index[:, 0], 0, 3)]], operation("gather", 2, GATHER))


def scatter(body, unique="false"):
    return f'''%r0 = "stablehlo.scatter"(%a0, %a1, %a2) ({{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        {body}
        "stablehlo.return"(%z) : (tensor<f32>) -> ()
      }}) {{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = {unique}}} : ({{a0}}, {{a1}}, {{a2}}) -> {{r0}}'''


updates = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]], f32)
r = t.copy()
for i, u in zip((1, 3, 1), updates):
    r[i] += u
case("scatter_add", "stablehlo.scatter adds updates of equal indices one by one.", [t, np.array([[1], [3], [1]], i32), updates[:3]], [r],
     scatter('%z = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>'))
r = t.copy()
r[2] = updates[1]
case("scatter_outside", "stablehlo.scatter leaves updates out whose indices are outside.", [t, np.array([[4], [2], [-1], [1000000]], i32), updates], [r],
     scatter('%z = "stablehlo.add"(%y, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>').replace('"stablehlo.add"(%y, %y)', '"stablehlo.maximum"(%y, %y)'))

# ---- Reductions -------------------------------------------------------------------------------------------------------
section("Reductions and orders")


def reduction(op, dims, kind):
    return f'''%r0 = "stablehlo.reduce"(%a0, %a1) ({{
      ^bb0(%x: tensor<{kind}>, %y: tensor<{kind}>):
        %z = "stablehlo.{op}"(%x, %y) : (tensor<{kind}>, tensor<{kind}>) -> tensor<{kind}>
        "stablehlo.return"(%z) : (tensor<{kind}>) -> ()
      }}) {{dimensions = array<i64: {dims}>}} : ({{a0}}, {{a1}}) -> {{r0}}'''


case("reduce_add_f32", "stablehlo.reduce with add sums over the named dimensions.", [m, f32(0)], [m.sum((0, 2))], reduction("add", "0, 2", "f32"))
case("reduce_initial_value", "stablehlo.reduce begins with its initial value, over a dimension without elements as well.", [np.zeros((2, 0), f32), f32(5)],
     [np.full(2, 5, f32)], reduction("add", "1", "f32"), source=PRACTICE)
case("reduce_max_nan_f32", "stablehlo.reduce with maximum is NaN if an element is.", [np.array([[1, nan, 2], [3, -inf, inf]], f32), f32(-inf)], [np.array([nan, inf], f32)],
     reduction("maximum", "1", "f32"))
a = np.array([[2147483647, 1], [5, -6]], i32)
with np.errstate(all="ignore"):
    case("reduce_add_s32", "stablehlo.reduce with add of s32 wraps around.", [a, i32(0)], [a.sum(1, dtype=i32)], reduction("add", "1", "i32"))
case("reduce_mul_s32", "stablehlo.reduce with multiply of s32 is exact modulo 2^32.", [np.array([3, -5, 7], i32), i32(2)], [i32(-210)], reduction("multiply", "0", "i32"))
a = np.array([[1, 1], [1, 0], [0, 0]], bool)
case("reduce_and_pred", "stablehlo.reduce with and is true if all elements are true.", [a, np.array(True)], [a.all(1)], reduction("and", "1", "i1"))
case("reduce_or_pred", "stablehlo.reduce with or is true if any element is true.", [a, np.array(False)], [a.any(1)], reduction("or", "1", "i1"))
x = np.array([3, 9, 2, 9, 1], f32)
case("reduce_argmax", "stablehlo.reduce of two operands keeps values and their indices together.", [x, np.arange(5, dtype=i32), f32(-inf), i32(0)], [f32(9), i32(1)],
     '''%r0, %r1 = "stablehlo.reduce"(%a0, %a1, %a2, %a3) ({
      ^bb0(%x: tensor<f32>, %i: tensor<i32>, %y: tensor<f32>, %j: tensor<i32>):
        %gt = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %eq = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %lt = "stablehlo.compare"(%i, %j) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %both = "stablehlo.and"(%eq, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        %first = "stablehlo.or"(%gt, %both) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        %v = "stablehlo.select"(%first, %x, %y) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
        %k = "stablehlo.select"(%first, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%v, %k) : (tensor<f32>, tensor<i32>) -> ()
      }) {dimensions = array<i64: 0>} : ({a0}, {a1}, {a2}, {a3}) -> ({r0}, {r1})''')


def window(op, attributes):
    return f'''%r0 = "stablehlo.reduce_window"(%a0, %a1) ({{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %z = "stablehlo.{op}"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%z) : (tensor<f32>) -> ()
      }}) {{{attributes}}} : ({{a0}}, {{a1}}) -> {{r0}}'''


x = np.array([4, 1, 8, 3, 5, 2], f32)
case("reduce_window_max", "stablehlo.reduce_window takes the maximum of each window, by strides.", [x, f32(-inf)], [np.array([8, 8], f32)],
     window("maximum", "window_dimensions = array<i64: 3>, window_strides = array<i64: 2>"))
case("reduce_window_padding", "stablehlo.reduce_window with padding has windows that reach over the edges.", [x, f32(0)],
     [np.array([sum(w) for w in ((4, 1), (4, 1, 8), (1, 8, 3), (8, 3, 5), (3, 5, 2), (5, 2))], f32)],
     window("add", "window_dimensions = array<i64: 3>, padding = dense<1> : tensor<1x2xi64>"))


def sorting(kind, compare, count, dim=0):
    elements = ["f32", "i32"][:count]
    names = ", ".join(f"%x{i}: tensor<{e}>, %y{i}: tensor<{e}>" for i, e in enumerate(elements))
    types = ", ".join(f"{{a{i}}}" for i in range(count))
    out = ", ".join(f"{{r{i}}}" for i in range(count))
    return f'''{", ".join(f"%r{i}" for i in range(count))} = "stablehlo.sort"({", ".join(f"%a{i}" for i in range(count))}) ({{
      ^bb0({names}):
        %z = "stablehlo.compare"(%x0, %y0) {{{comparison(compare, kind)}}} : (tensor<{elements[0]}>, tensor<{elements[0]}>) -> tensor<i1>
        "stablehlo.return"(%z) : (tensor<i1>) -> ()
      }}) {{dimension = {dim} : i64, is_stable = true}} : ({types}) -> ({out})'''


x = np.array([3, 1, 3, 2, 1, 3], f32)
order = np.argsort(x, kind="stable")
case("sort_is_stable", "A stable stablehlo.sort keeps the order of equal elements, and moves the other operands along.", [x, np.arange(6, dtype=i32)],
     [x[order], order.astype(i32)], sorting("FLOAT", "LT", 2))
x = np.array([[3, -1, 2], [0, 5, -2]], f32)
case("sort_dimension", "stablehlo.sort sorts along its dimension, and each row for itself.", [x], [-np.sort(-x, 1)], sorting("FLOAT", "GT", 1, 1))
x = np.array([nan, 1, -inf, -0.0, 0.0, inf, -5], f32)
case("sort_totalorder", "stablehlo.sort by TOTALORDER has -0 before 0, and NaN at the end.", [x], [np.array([-inf, -5, -0.0, 0.0, 1, inf, nan], f32)],
     sorting("TOTALORDER", "LT", 1))

# ---- Products ---------------------------------------------------------------------------------------------------------
section("Products")


def dot(contract, batch=((), ()), precision=""):
    lists = [", ".join(map(str, x)) for x in (*batch, *contract)]
    numbers = f"lhs_batching_dimensions = [{lists[0]}], rhs_batching_dimensions = [{lists[1]}], lhs_contracting_dimensions = [{lists[2]}], rhs_contracting_dimensions = [{lists[3]}]"
    precision = f", precision_config = [#stablehlo<precision {precision}>, #stablehlo<precision {precision}>]" if precision else ""
    return operation("dot_general", 2, f"dot_dimension_numbers = #stablehlo.dot<{numbers}>{precision}")


r = random(11)
a, b = r.integers(-8, 8, (5, 7)).astype(f32), r.integers(-8, 8, (7, 6)).astype(f32)
case("dot_f32", "stablehlo.dot_general of f32 with small integers is exact.", [a, b], [a @ b], dot(((1,), (0,))))
case("dot_transposed_f32", "stablehlo.dot_general contracts the dimensions that it names.", [a.T.copy(), b.T.copy()], [a @ b], dot(((0,), (1,))))
case("dot_bf16", "stablehlo.dot_general of bf16 with an f32 result adds in f32.", [a.astype(bf16), b.astype(bf16)], [a @ b], dot(((1,), (0,))))
case("dot_s32", "stablehlo.dot_general of s32 is exact.", [a.astype(i32), b.astype(i32)], [(a @ b).astype(i32)], dot(((1,), (0,))))
case("dot_s8_s32", "stablehlo.dot_general of s8 with an s32 result does not wrap around at 8 bits.", [(a * 15).astype(i8), (b * 15).astype(i8)],
     [(a * 15).astype(i32) @ (b * 15).astype(i32)], dot(((1,), (0,))), level="SHOULD")
case("dot_f64", "stablehlo.dot_general of f64 with integers below 2^53 is exact.", [a.astype(f64) * 1e6, b.astype(f64)], [(a.astype(f64) * 1e6) @ b], dot(((1,), (0,))),
     level="SHOULD")
a3, b3 = r.integers(-8, 8, (3, 4, 5)).astype(f32), r.integers(-8, 8, (3, 5, 2)).astype(f32)
case("dot_batch_f32", "stablehlo.dot_general has a product for each index of its batching dimensions, which come first in the result.", [a3, b3], [a3 @ b3],
     dot(((2,), (1,)), ((0,), (0,))))
a, b = r.uniform(-1, 1, (4, 64)).astype(f32), r.uniform(-1, 1, (64, 4)).astype(f32)
case("dot_vectors", "stablehlo.dot_general of vectors is a scalar, and without contracted dimensions an outer product.", [np.arange(4, dtype=f32), np.arange(4, dtype=f32) + 1],
     [f32(20), np.outer(np.arange(4), np.arange(4) + 1).astype(f32)],
     dot(((0,), (0,))) + "\n" + dot(((), ())).replace("%r0", "%r1").replace("{r0}", "{r1}"))
case("dot_empty", "stablehlo.dot_general over a dimension without elements is zero.", [np.zeros((2, 0), f32), np.zeros((0, 3), f32)], [np.zeros((2, 3), f32)],
     dot(((1,), (0,))))
case("dot_nan", "stablehlo.dot_general has NaN where an operand has NaN, or an infinity meets a zero.", [np.array([[nan, 1], [inf, 1], [2, 3]], f32), np.array([[0], [1]], f32)],
     [np.array([[nan], [nan], [3]], f32)], dot(((1,), (0,))))


def convolution(more, groups=1):
    return operation("convolution", 2, "dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], "
                     "kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, "
                     f"output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = {groups} : i64, batch_group_count = 1 : i64{more}")


def convolve(x, k, stride=1, pad=0, dilation=1):
    x = np.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    high = [(x.shape[i + 1] - (k.shape[i] - 1) * dilation - 1) // stride + 1 for i in (0, 1)]
    out = np.zeros((x.shape[0], *high, k.shape[3]), x.dtype)
    for i in range(high[0]):
        for j in range(high[1]):
            for p in range(k.shape[0]):
                for q in range(k.shape[1]):
                    out[:, i, j] += x[:, i * stride + p * dilation, j * stride + q * dilation] @ k[p, q]
    return out


x, k = r.integers(-4, 5, (1, 5, 5, 2)).astype(f32), r.integers(-4, 5, (3, 3, 2, 3)).astype(f32)
case("convolution_f32", "stablehlo.convolution slides its kernel over the operand, without turning it around.", [x, k], [convolve(x, k)], convolution(""))
case("convolution_strides", "stablehlo.convolution moves by strides, over zeros in the padding.", [x, k], [convolve(x, k, 2, 1)],
     convolution(", window_strides = array<i64: 2, 2>, padding = dense<1> : tensor<2x2xi64>"))
case("convolution_dilated", "stablehlo.convolution with a dilated kernel leaves elements out.", [x, k], [convolve(x, k, 1, 0, 2)], convolution(", rhs_dilation = array<i64: 2, 2>"))
grouped = r.integers(-4, 5, (3, 3, 1, 4)).astype(f32)
case("convolution_groups", "stablehlo.convolution with feature groups keeps the groups apart.", [x, grouped],
     [np.concatenate([convolve(x[..., g:g + 1], grouped[..., 2 * g:2 * g + 2]) for g in (0, 1)], 3)], convolution("", 2))

# ---- Control ----------------------------------------------------------------------------------------------------------
section("Control")
WHILE = '''%r0, %r1 = "stablehlo.while"(%a0, %a1) ({
      ^bb0(%n: tensor<i32>, %x: tensor<f32>):
        %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
        %go = "stablehlo.compare"(%n, %zero) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%go) : (tensor<i1>) -> ()
      }, {
      ^bb0(%n: tensor<i32>, %x: tensor<f32>):
        %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %m = "stablehlo.subtract"(%n, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %y = "stablehlo.add"(%x, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%m, %y) : (tensor<i32>, tensor<f32>) -> ()
      }) : ({a0}, {a1}) -> ({r0}, {r1})'''
case("while_runs", "stablehlo.while runs its body as long as its condition is true.", [i32(5), f32(1)], [i32(0), f32(32)], WHILE)
case("while_runs_never", "stablehlo.while whose condition is false at first gives its operands.", [i32(-3), f32(7)], [i32(-3), f32(7)], WHILE)
IF = '''%r0 = "stablehlo.if"(%a0) ({
        %y = "stablehlo.add"(%a1, %a1) : ({a1}, {a1}) -> {a1}
        "stablehlo.return"(%y) : ({a1}) -> ()
      }, {
        %y = "stablehlo.negate"(%a1) : ({a1}) -> {a1}
        "stablehlo.return"(%y) : ({a1}) -> ()
      }) : ({a0}) -> {r0}'''
x = np.array([1, -2, 3], f32)
case("if_true", "stablehlo.if runs its first branch when the predicate is true.", [np.array(True), x], [x + x], IF)
case("if_false", "stablehlo.if runs its second branch when the predicate is false.", [np.array(False), x], [-x], IF)
for name, index, words in (("first", 0, "runs the branch of its index"), ("too_large", 17, "with an index that is too large runs the last branch"),
                           ("negative", -2, "with a negative index runs the last branch")):
    branch = lambda k: f'''
        %k = "stablehlo.constant"() {{value = dense<{k}.0> : {{a1}}}} : () -> {{a1}}
        %y = "stablehlo.multiply"(%a1, %k) : ({{a1}}, {{a1}}) -> {{a1}}
        "stablehlo.return"(%y) : ({{a1}}) -> ()'''
    case(f"case_{name}", f"stablehlo.case {words}.", [i32(index), x], [x * (2 if index == 0 else 4)],
         f'%r0 = "stablehlo.case"(%a0) ({{{branch(2)}\n}}, {{{branch(3)}\n}}, {{{branch(4)}\n}}) : ({{a0}}) -> {{r0}}')
case("optimization_barrier", "stablehlo.optimization_barrier gives its operands.", [x, np.arange(3, dtype=i32)], [x, np.arange(3, dtype=i32)],
     '%r0, %r1 = "stablehlo.optimization_barrier"(%a0, %a1) : ({a0}, {a1}) -> ({r0}, {r1})')
case("same_result_twice", "A value that is returned twice is two results.", [x], [x + x, x + x], '''%r0 = "stablehlo.add"(%a0, %a0) : ({a0}, {a0}) -> {r0}
     %r1 = "stablehlo.add"(%a0, %a0) : ({a0}, {a0}) -> {r1}''')
case("argument_is_result", "An argument that is returned as it is gives a buffer with its values.", [x], [x, x], '''%r0 = "stablehlo.reshape"(%a0) : ({a0}) -> {r0}
     %r1 = "stablehlo.reshape"(%a0) : ({a0}) -> {r1}''')

# ---- Linear algebra ---------------------------------------------------------------------------------------------------
section("Linear algebra and transforms")
low = np.array([[2, 0, 0], [1, 3, 0], [-1, 2, 4]], f32)
case("cholesky", "stablehlo.cholesky gives the lower factor of a positive definite matrix.", [(low @ low.T)], [low],
     '''%c = "stablehlo.cholesky"(%a0) {lower = true} : ({a0}) -> {r0}
     %i = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3x3xi32>
     %j = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<3x3xi32>
     %below = "stablehlo.compare"(%i, %j) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
     %zero = "stablehlo.constant"() {value = dense<0.0> : {r0}} : () -> {r0}
     %r0 = "stablehlo.select"(%below, %c, %zero) : (tensor<3x3xi1>, {r0}, {r0}) -> {r0}''', bound=8, level="SHOULD")
rhs = np.array([[2, 4], [7, -1], [3, 20]], f32)
case("triangular_solve", "stablehlo.triangular_solve solves with the lower triangle.", [low, rhs], [np.linalg.solve(low.astype(f64), rhs.astype(f64)).astype(f32)],
     operation("triangular_solve", 2, "left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>"), bound=8, level="SHOULD")
x = np.array([1, 2, 3, 4, 0, 0, 0, 0], f32)
case("fft_of_impulse", "stablehlo.fft of an impulse is 1 everywhere.", [np.array([1, 0, 0, 0, 0, 0, 0, 0], np.complex64)], [np.ones(8, np.complex64)],
     operation("fft", 1, "fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>"), level="SHOULD")
case("fft_there_and_back", "stablehlo.fft with RFFT and then IRFFT gives the numbers back, for small integers within 8 ULP or 1e-6.", [x + 1], [x + 1],
     '''%f = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : ({a0}) -> tensor<5xcomplex<f32>>
     %r0 = "stablehlo.fft"(%f) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<5xcomplex<f32>>) -> {r0}''', bound=16, level="SHOULD")
seed = np.array([1, 2], u64)
case("random_bits_repeat", "stablehlo.rng_bit_generator gives the same numbers for the same state, and another state.", [seed], [np.zeros(16, u32), np.zeros(2, bool)],
     '''%s0, %b0 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : ({a0}) -> ({a0}, tensor<16xui32>)
     %s1, %b1 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : ({a0}) -> ({a0}, tensor<16xui32>)
     %r0 = "stablehlo.xor"(%b0, %b1) : ({r0}, {r0}) -> {r0}
     %same = "stablehlo.compare"(%s0, %a0) {comparison_direction = #stablehlo<comparison_direction EQ>} : ({a0}, {a0}) -> {r1}
     %all = "stablehlo.slice"(%same) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : ({r1}) -> tensor<1xi1>
     %last = "stablehlo.slice"(%same) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : ({r1}) -> tensor<1xi1>
     %both = "stablehlo.and"(%all, %last) : (tensor<1xi1>, tensor<1xi1>) -> tensor<1xi1>
     %r1 = "stablehlo.broadcast_in_dim"(%both) {broadcast_dimensions = array<i64: 0>} : (tensor<1xi1>) -> {r1}''', level="SHOULD")
