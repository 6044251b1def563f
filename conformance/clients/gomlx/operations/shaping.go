package main

import (
	"math"
	"slices"

	hlo "github.com/gomlx/go-xla/pkg/stablehlo"
	"github.com/gomlx/go-xla/pkg/types/dtypes"
	"github.com/gomlx/go-xla/pkg/types/dtypes/bfloat16"
	"github.com/gomlx/go-xla/pkg/types/shapes"
	"github.com/x448/float16"
)

func halves(in ...float32) []float16.Float16        { return mapped(in, float16.Fromfloat32) }
func brainHalves(in ...float32) []bfloat16.BFloat16 { return mapped(in, bfloat16.FromFloat32) }

// sameBack takes values of a type through the device and through a constant of the program.
func sameBack[T any](t *test, in ...T) {
	t.out(t.in(in, len(in)), 0, in, len(in))
	t.out(must(t.fn.ConstantFromFlatAndDimensions(in, len(in))), 0, in, len(in))
}

func typeCases() []testCase {
	return []testCase{
		{"types: booleans", func(t *test) { sameBack(t, true, false, true) }},
		{"types: signed", func(t *test) {
			sameBack(t, int8(-128), 127)
			sameBack(t, int16(math.MinInt16), math.MaxInt16)
			sameBack(t, int32(math.MinInt32), math.MaxInt32)
			sameBack(t, int64(math.MinInt64), math.MaxInt64)
		}},
		{"types: unsigned", func(t *test) {
			sameBack(t, uint8(0), 255)
			sameBack(t, uint16(0), math.MaxUint16)
			sameBack(t, uint32(0), math.MaxUint32)
			sameBack(t, uint64(0), math.MaxUint64)
		}},
		{"types: floats", func(t *test) {
			sameBack(t, float32(1.5), 1e-45, math.MaxFloat32, float32(math.Inf(-1)))
			sameBack(t, 1.5, 5e-324, math.MaxFloat64, math.NaN())
			sameBack(t, halves(1.5, -65504, 6e-8)...)
			sameBack(t, brainHalves(1.5, -3e38, 1e-40)...)
		}},
		{"types: complex", func(t *test) {
			sameBack(t, complex64(1+2i), -3.5i)
			sameBack(t, complex128(1e300-2i), 0)
		}},
		{"Convert of floats", func(t *test) {
			x := t.in([]float32{-1.75, 0, 2.5, 300.99}, 4)
			t.out(must(hlo.Convert(x, dtypes.Int32)), 0, []int32{-1, 0, 2, 300}, 4)
			t.out(must(hlo.Convert(x, dtypes.Float64)), 0, []float64{-1.75, 0, 2.5, float64(float32(300.99))}, 4)
			t.out(must(hlo.Convert(x, dtypes.Float16)), 0, halves(-1.75, 0, 2.5, 300.99), 4)
			t.out(must(hlo.Convert(x, dtypes.BFloat16)), 0, brainHalves(-1.75, 0, 2.5, 300), 4)
			t.out(must(hlo.Convert(x, dtypes.Bool)), 0, []bool{true, false, true, true}, 4)
		}},
		{"Convert of integers", func(t *test) {
			x := t.in([]int32{-1, 0, 255, 70000}, 4)
			t.out(must(hlo.Convert(x, dtypes.Uint8)), 0, []uint8{255, 0, 255, 112}, 4)
			t.out(must(hlo.Convert(x, dtypes.Int64)), 0, []int64{-1, 0, 255, 70000}, 4)
			t.out(must(hlo.Convert(x, dtypes.Float32)), 0, []float32{-1, 0, 255, 70000}, 4)
			t.out(must(hlo.Convert(x, dtypes.Complex64)), 0, []complex64{-1, 0, 255, 70000}, 4)
		}},
		{"BitcastConvert", func(t *test) {
			x := t.in([]float32{1, -2}, 2)
			t.out(must(hlo.BitcastConvert(x, dtypes.Uint32)), 0, []uint32{0x3f800000, 0xc0000000}, 2)
			t.out(must(hlo.BitcastConvert(x, dtypes.Uint8)), 0, []uint8{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, 2, 4)
		}},
		{"Add of halves", func(t *test) {
			a, b := t.in(halves(1, 2048), 2), t.in(halves(0.5, 1), 2)
			t.out(must(hlo.Add(a, b)), 0, halves(1.5, 2048), 2) // 2049 is between two: the even one
			c, d := t.in(brainHalves(1, 256), 2), t.in(brainHalves(0.5, 1), 2)
			t.out(must(hlo.Add(c, d)), 0, brainHalves(1.5, 256), 2)
		}},
		{"Complex, Real, Imag", func(t *test) {
			z := must(hlo.Complex(t.in([]float32{1, 2}, 2), t.in([]float32{-3, 0.5}, 2)))
			t.out(z, 0, []complex64{1 - 3i, 2 + 0.5i}, 2)
			square := must(hlo.Multiply(z, z))
			t.out(must(hlo.Real(square)), 1e-6, []float32{-8, 3.75}, 2)
			t.out(must(hlo.Imag(square)), 1e-6, []float32{-6, 2}, 2)
		}},
	}
}

func shapeCases() []testCase {
	six := []float32{0, 1, 2, 3, 4, 5}
	f32 := func(dims ...int) shapes.Shape { return shapes.Make(dtypes.Float32, dims...) }
	return append(typeCases(), []testCase{
		{"Iota", func(t *test) {
			t.out(must(t.fn.Iota(f32(2, 3), 1)), 0, []float32{0, 1, 2, 0, 1, 2}, 2, 3)
			t.out(must(t.fn.Iota(shapes.Make(dtypes.Int64, 2, 3), 0)), 0, []int64{0, 0, 0, 1, 1, 1}, 2, 3)
		}},
		{"Reshape", func(t *test) { t.out(must(hlo.Reshape(t.in(six, 2, 3), f32(3, 1, 2))), 0, six, 3, 1, 2) }},
		{"BroadcastInDim", func(t *test) {
			x := t.in([]float32{1, 2}, 2)
			t.out(must(hlo.BroadcastInDim(x, f32(2, 3), []int{0})), 0, []float32{1, 1, 1, 2, 2, 2}, 2, 3)
			t.out(must(hlo.BroadcastInDim(x, f32(3, 2), []int{1})), 0, []float32{1, 2, 1, 2, 1, 2}, 3, 2)
		}},
		{"Transpose", func(t *test) {
			x := t.in(six, 1, 2, 3)
			t.out(must(hlo.Transpose(x, 2, 0, 1)), 0, []float32{0, 3, 1, 4, 2, 5}, 3, 1, 2)
		}},
		{"Reverse", func(t *test) {
			t.out(must(hlo.Reverse(t.in(six, 2, 3), 1)), 0, []float32{2, 1, 0, 5, 4, 3}, 2, 3)
		}},
		{"Slice", func(t *test) {
			x := t.in(ramp(20, 0, 1), 4, 5)
			t.out(must(hlo.Slice(x, []int{1, 0}, []int{4, 5}, []int{2, 3})), 0, []float32{5, 8, 15, 18}, 2, 2)
		}},
		{"Concatenate", func(t *test) {
			x, y := t.in(six, 2, 3), t.in([]float32{8, 9}, 2, 1)
			t.out(must(hlo.Concatenate(1, x, y, x)), 0, []float32{0, 1, 2, 8, 0, 1, 2, 3, 4, 5, 9, 3, 4, 5}, 2, 7)
		}},
		{"Pad", func(t *test) {
			x, fill := t.in([]float32{1, 2, 3}, 3), t.scalar(float32(9))
			t.out(must(hlo.Pad(x, fill, []int{1}, []int{2}, []int{1})), 0, []float32{9, 1, 9, 2, 9, 3, 9, 9}, 8)
			t.out(must(hlo.Pad(x, fill, []int{-1}, []int{1}, []int{0})), 0, []float32{2, 3, 9}, 3)
		}},
		{"DynamicSlice", func(t *test) {
			x := t.in(six, 2, 3)
			at := []value{t.in([]int32{5}), t.in([]int32{1})} // the row is clamped
			t.out(must(hlo.DynamicSlice(x, at, []int{1, 2})), 0, []float32{4, 5}, 1, 2)
		}},
		{"DynamicUpdateSlice", func(t *test) {
			x, update := t.in(six, 2, 3), t.in([]float32{8, 9}, 1, 2)
			at := []value{t.in([]int32{-3}), t.in([]int32{1})}
			t.out(must(hlo.DynamicUpdateSlice(x, update, at)), 0, []float32{0, 8, 9, 3, 4, 5}, 2, 3)
		}},
		{"Gather of rows", func(t *test) {
			x := t.in(ramp(12, 0, 1), 4, 3)
			rows := t.in([]int32{3, 0, 9}, 3, 1) // 9 is clamped to 3
			t.out(must(hlo.Gather(x, rows, 1, []int{1}, []int{0}, nil, nil, []int{0}, []int{1, 3}, false)), 0,
				[]float32{9, 10, 11, 0, 1, 2, 9, 10, 11}, 3, 3)
		}},
		{"Gather of elements", func(t *test) {
			x := t.in(ramp(12, 0, 1), 4, 3)
			at := t.in([]int32{0, 1, 2, 2, 3, 0}, 3, 2)
			t.out(must(hlo.Gather(x, at, 1, nil, []int{0, 1}, nil, nil, []int{0, 1}, []int{1, 1}, false)), 0,
				[]float32{1, 8, 9}, 3)
		}},
		{"Gather in batches", func(t *test) {
			x := t.in(six, 2, 3)
			at := t.in([]int32{2, 0, 1, 1}, 2, 2, 1)
			t.out(must(hlo.Gather(x, at, 2, nil, []int{1}, []int{0}, []int{0}, []int{1}, []int{1, 1}, false)), 0,
				[]float32{2, 0, 4, 4}, 2, 2)
		}},
		{"Scatter that adds", func(t *test) {
			x, at, rows := t.in(make([]float32, 6), 3, 2), t.in([]int32{2, 0, 2, 7}, 4, 1), t.in(ramp(8, 1, 1), 4, 2)
			add := t.reducer(dtypes.Float32, hlo.Add) // row 7 is outside and dropped
			t.out(must(hlo.Scatter(x, at, rows, []int{1}, []int{0}, nil, nil, []int{0}, 1, false, false, add)), 0,
				[]float32{3, 4, 0, 0, 6, 8}, 3, 2)
		}},
		{"Scatter that overwrites", func(t *test) {
			x, at, rows := t.in(ramp(4, 0, 1), 4), t.in([]int32{3, 1}, 2, 1), t.in([]float32{10, 20}, 2)
			take := t.closure([]dtypes.DType{dtypes.Float32, dtypes.Float32}, func(in []value) []value { return in[1:] })
			t.out(must(hlo.Scatter(x, at, rows, nil, []int{0}, nil, nil, []int{0}, 1, false, true, take)), 0,
				[]float32{0, 20, 2, 10}, 4)
		}},
		{"MultiScatter", func(t *test) {
			x, n := t.in(make([]float32, 3), 3), t.in(make([]int32, 3), 3)
			at := t.in([]int32{1, 1}, 2, 1)
			both := t.closure([]dtypes.DType{dtypes.Float32, dtypes.Int32, dtypes.Float32, dtypes.Int32},
				func(in []value) []value { return []value{must(hlo.Add(in[0], in[2])), must(hlo.Maximum(in[1], in[3]))} })
			out := must(hlo.MultiScatter([]value{x, n}, at, []value{t.in([]float32{1, 2}, 2), t.in([]int32{7, 5}, 2)},
				nil, []int{0}, nil, nil, []int{0}, 1, false, false, both))
			t.out(out[0], 0, []float32{0, 3, 0}, 3)
			t.out(out[1], 0, []int32{0, 7, 0}, 3)
		}},
		{"two results and no argument", func(t *test) {
			sum := must(hlo.Add(t.scalar(1.5), t.scalar(2.0)))
			t.out(sum, 0, []float64{3.5})
			t.out(sum, 0, []float64{3.5})
		}},
		{"no elements", func(t *test) {
			x := t.in([]float32{}, 0, 3)
			t.out(must(hlo.Negate(x)), 0, []float32{}, 0, 3)
			t.out(must(hlo.Reduce(x, t.scalar(float32(2)), t.reducer(dtypes.Float32, hlo.Add), 0)), 0,
				slices.Repeat([]float32{2}, 3), 3)
		}},
	}...)
}
