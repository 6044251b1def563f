package main

import (
	"math"
	"math/bits"

	hlo "github.com/gomlx/go-xla/pkg/stablehlo"
	"github.com/gomlx/go-xla/pkg/types"
)

var (
	anyFloat    = []float64{-3.75, -2.5, -1.5, -1, -0.5, -0.125, 0, 0.125, 0.5, 1, 1.5, 2.5, 3.75}
	positive    = []float64{0.001, 0.125, 0.5, 1, 1.5, 2.5, 3.75, 100, 12345}
	aboveMinus1 = []float64{-0.9, -0.5, -1e-5, 0, 1e-5, 0.25, 1, 10, 1000}
)

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

var unaryFloats = []struct {
	name string
	op   func(value) (value, error)
	want func(float64) float64
	on   []float64
}{
	{"Abs", hlo.Abs, math.Abs, anyFloat},
	{"Cbrt", hlo.Cbrt, math.Cbrt, anyFloat},
	{"Ceil", hlo.Ceil, math.Ceil, anyFloat},
	{"Cosine", hlo.Cosine, math.Cos, anyFloat},
	{"Erf", hlo.Erf, math.Erf, anyFloat},
	{"Exponential", hlo.Exponential, math.Exp, anyFloat},
	{"ExponentialMinusOne", hlo.ExponentialMinusOne, math.Expm1, anyFloat},
	{"Floor", hlo.Floor, math.Floor, anyFloat},
	{"Log", hlo.Log, math.Log, positive},
	{"LogPlusOne", hlo.LogPlusOne, math.Log1p, aboveMinus1},
	{"Logistic", hlo.Logistic, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, anyFloat},
	{"Negate", hlo.Negate, func(x float64) float64 { return -x }, anyFloat},
	{"RoundNearestAfz", hlo.RoundNearestAfz, math.Round, anyFloat},
	{"RoundNearestEven", hlo.RoundNearestEven, math.RoundToEven, anyFloat},
	{"Rsqrt", hlo.Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }, positive},
	{"Sign", hlo.Sign, sign, anyFloat},
	{"Sine", hlo.Sine, math.Sin, anyFloat},
	{"Sqrt", hlo.Sqrt, math.Sqrt, positive},
	{"Tan", hlo.Tan, math.Tan, anyFloat},
	{"Tanh", hlo.Tanh, math.Tanh, anyFloat},
}

func narrow(in []float64) []float32 {
	return mapped(in, func(x float64) float32 { return float32(x) })
}

func unaryCases() (list []testCase) {
	for _, one := range unaryFloats {
		list = append(list, testCase{one.name, func(t *test) {
			x := narrow(one.on)
			t.out(must(one.op(t.in(x, len(x)))), 4e-7,
				mapped(x, func(x float32) float32 { return float32(one.want(float64(x))) }), len(x))
			t.out(must(one.op(t.in(one.on, len(one.on)))), 4e-15, mapped(one.on, one.want), len(one.on))
		}})
	}
	words := []uint32{0, 1, 2, 3, 0x80000000, 0xffffffff, 0x00010000, 12345}
	numbers := []int32{0, 1, -1, 7, -8, math.MaxInt32, math.MinInt32, 1 << 20}
	wide := []int64{0, 1, -1, 7, -8, math.MaxInt64, math.MinInt64, 1 << 40}
	return append(list,
		testCase{"Abs of integers", func(t *test) {
			t.out(must(hlo.Abs(t.in(numbers, 8))), 0, mapped(numbers, func(x int32) int32 { return max(x, -x) }), 8)
		}},
		testCase{"Negate of integers", func(t *test) {
			t.out(must(hlo.Negate(t.in(wide, 8))), 0, mapped(wide, func(x int64) int64 { return -x }), 8)
		}},
		testCase{"Sign of integers", func(t *test) {
			t.out(must(hlo.Sign(t.in(wide, 8))), 0, mapped(wide, func(x int64) int64 { return int64(sign(float64(x))) }), 8)
		}},
		testCase{"Not", func(t *test) {
			t.out(must(hlo.Not(t.in(words, 8))), 0, mapped(words, func(x uint32) uint32 { return ^x }), 8)
			t.out(must(hlo.Not(t.in([]bool{true, false}, 2))), 0, []bool{false, true}, 2)
		}},
		testCase{"Popcnt", func(t *test) {
			t.out(must(hlo.Popcnt(t.in(words, 8))), 0,
				mapped(words, func(x uint32) uint32 { return uint32(bits.OnesCount32(x)) }), 8)
		}},
		testCase{"CountLeadingZeros", func(t *test) {
			t.out(must(hlo.CountLeadingZeros(t.in(words, 8))), 0,
				mapped(words, func(x uint32) uint32 { return uint32(bits.LeadingZeros32(x)) }), 8)
		}},
		testCase{"IsFinite", func(t *test) {
			x := []float32{0, 1, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.MaxFloat32}
			t.out(must(hlo.IsFinite(t.in(x, 6))), 0, []bool{true, true, false, false, false, true}, 6)
		}})
}

var binaryFloats = []struct {
	name string
	op   binary
	want func(x, y float64) float64
}{
	{"Add", hlo.Add, func(x, y float64) float64 { return x + y }},
	{"Subtract", hlo.Subtract, func(x, y float64) float64 { return x - y }},
	{"Multiply", hlo.Multiply, func(x, y float64) float64 { return x * y }},
	{"Divide", hlo.Divide, func(x, y float64) float64 { return x / y }},
	{"Maximum", hlo.Maximum, math.Max},
	{"Minimum", hlo.Minimum, math.Min},
	{"Remainder", hlo.Remainder, math.Mod},
	{"Atan2", hlo.Atan2, math.Atan2},
}

// Integers: what Go leaves undefined or panics on is StableHLO's word (division by zero, shifts beyond the width).
var binaryInts = []struct {
	name string
	op   binary
	want func(x, y int32) int32
}{
	{"Add", hlo.Add, func(x, y int32) int32 { return x + y }},
	{"Subtract", hlo.Subtract, func(x, y int32) int32 { return x - y }},
	{"Multiply", hlo.Multiply, func(x, y int32) int32 { return x * y }},
	{"Divide", hlo.Divide, func(x, y int32) int32 {
		if y == 0 {
			return -1
		}
		return x / y
	}},
	{"Remainder", hlo.Remainder, func(x, y int32) int32 {
		if y == 0 {
			return x
		}
		return x % y
	}},
	{"Maximum", hlo.Maximum, func(x, y int32) int32 { return max(x, y) }},
	{"Minimum", hlo.Minimum, func(x, y int32) int32 { return min(x, y) }},
	{"And", hlo.And, func(x, y int32) int32 { return x & y }},
	{"Or", hlo.Or, func(x, y int32) int32 { return x | y }},
	{"Xor", hlo.Xor, func(x, y int32) int32 { return x ^ y }},
	{"ShiftLeft", hlo.ShiftLeft, func(x, y int32) int32 { return x << uint32(y) }},
	{"ShiftRightArithmetic", hlo.ShiftRightArithmetic, func(x, y int32) int32 { return x >> uint32(y) }},
	{"ShiftRightLogical", hlo.ShiftRightLogical, func(x, y int32) int32 { return int32(uint32(x) >> uint32(y)) }},
}

func binaryCases() (list []testCase) {
	x := []float64{-7.5, -2, -0.5, 0, 0.25, 1, 3.5, 100}
	y := []float64{2, -0.75, 4, 3, -1.5, 1, 0.125, 7}
	for _, one := range binaryFloats {
		list = append(list, testCase{one.name, func(t *test) {
			a, b := narrow(x), narrow(y)
			t.out(must(one.op(t.in(a, 2, 4), t.in(b, 2, 4))), 4e-7, narrow(paired(x, y, one.want)), 2, 4)
			t.out(must(one.op(t.in(x, 8), t.in(y, 8))), 4e-15, paired(x, y, one.want), 8)
		}})
	}
	list = append(list, testCase{"Power", func(t *test) {
		base, exponent := []float64{0.5, 2, 3, 10, 1.5, 0, -2, -3}, []float64{3, 0.5, -2, 4, 2.5, 2, 3, 2}
		t.out(must(hlo.Power(t.in(base, 8), t.in(exponent, 8))), 1e-14, paired(base, exponent, math.Pow), 8)
		t.out(must(hlo.Power(t.in(narrow(base), 8), t.in(narrow(exponent), 8))), 1e-6,
			narrow(paired(base, exponent, math.Pow)), 8)
	}})
	a := []int32{0, 1, -1, 12345, -12345, math.MaxInt32, math.MinInt32, 77, -5}
	b := []int32{3, 31, 2, 7, 0, 1, 1, 33, 3}
	for _, one := range binaryInts {
		list = append(list, testCase{one.name + " of integers", func(t *test) {
			t.out(must(one.op(t.in(a, 9), t.in(b, 9))), 0, paired(a, b, one.want), 9)
		}})
	}
	return append(list, testCase{"And, Or, Xor of booleans", func(t *test) {
		p, q := t.in([]bool{false, false, true, true}, 4), t.in([]bool{false, true, false, true}, 4)
		t.out(must(hlo.And(p, q)), 0, []bool{false, false, false, true}, 4)
		t.out(must(hlo.Or(p, q)), 0, []bool{false, true, true, true}, 4)
		t.out(must(hlo.Xor(p, q)), 0, []bool{false, true, true, false}, 4)
	}})
}

func compareBy[T int32 | uint32 | float32](direction types.ComparisonDirection) func(x, y T) bool {
	return map[types.ComparisonDirection]func(x, y T) bool{
		types.CompareEQ: func(x, y T) bool { return x == y },
		types.CompareNE: func(x, y T) bool { return x != y },
		types.CompareLT: func(x, y T) bool { return x < y },
		types.CompareLE: func(x, y T) bool { return x <= y },
		types.CompareGT: func(x, y T) bool { return x > y },
		types.CompareGE: func(x, y T) bool { return x >= y },
	}[direction]
}

func compareCases() (list []testCase) {
	nan := float32(math.NaN())
	f, g := []float32{1, 2, nan, nan, -1, 0}, []float32{1, 3, 1, nan, -2, float32(math.Copysign(0, -1))}
	i, j := []int32{1, -2, 3, math.MinInt32}, []int32{1, 2, -3, math.MaxInt32}
	u, v := []uint32{1, 0xfffffffe, 3, 0x80000000}, []uint32{1, 2, 0xfffffffd, 0x7fffffff}
	for _, direction := range types.ComparisonDirectionValues() {
		list = append(list, testCase{"Compare " + direction.String(), func(t *test) {
			t.out(must(hlo.Compare(t.in(f, 6), t.in(g, 6), direction, types.CompareFloat)), 0,
				paired(f, g, compareBy[float32](direction)), 6)
			t.out(must(hlo.Compare(t.in(i, 4), t.in(j, 4), direction, types.CompareSigned)), 0,
				paired(i, j, compareBy[int32](direction)), 4)
			t.out(must(hlo.Compare(t.in(u, 4), t.in(v, 4), direction, types.CompareUnsigned)), 0,
				paired(u, v, compareBy[uint32](direction)), 4)
		}})
	}
	return append(list,
		testCase{"Compare in total order", func(t *test) {
			t.out(must(hlo.Compare(t.in(f, 6), t.in(g, 6), types.CompareGT, types.CompareTotalOrder)), 0,
				[]bool{false, false, true, false, true, true}, 6)
		}},
		testCase{"Compare of booleans", func(t *test) {
			p, q := t.in([]bool{false, true, true}, 3), t.in([]bool{true, true, false}, 3)
			t.out(must(hlo.Compare(p, q, types.CompareLT, types.CompareUnsigned)), 0, []bool{true, false, false}, 3)
		}},
		testCase{"Select", func(t *test) {
			x, y := t.in([]int8{1, 2, 3}, 3), t.in([]int8{-1, -2, -3}, 3)
			t.out(must(hlo.Select(t.in([]bool{true, false, true}, 3), x, y)), 0, []int8{1, -2, 3}, 3)
			t.out(must(hlo.Select(t.in([]bool{false}), x, y)), 0, []int8{-1, -2, -3}, 3)
		}},
		testCase{"Clamp", func(t *test) {
			t.out(must(hlo.Clamp(t.scalar(float32(-1)), t.in([]float32{-5, 0.5, 9}, 3), t.scalar(float32(2)))), 0,
				[]float32{-1, 0.5, 2}, 3)
		}})
}
