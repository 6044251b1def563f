package main

import (
	"math"

	hlo "github.com/gomlx/go-xla/pkg/stablehlo"
	"github.com/gomlx/go-xla/pkg/types"
	"github.com/gomlx/go-xla/pkg/types/dtypes"
)

// reduceRows folds each row of a matrix.
func reduceRows(x []float32, columns int, start float32, f func(a, b float32) float32) (out []float32) {
	for at := 0; at < len(x); at += columns {
		sum := start
		for _, v := range x[at : at+columns] {
			sum = f(sum, v)
		}
		out = append(out, sum)
	}
	return out
}

// largest is the body of a reduction that finds the greatest value and the first place it is at.
func largest(in []value) []value {
	greater := must(hlo.Compare(in[0], in[2], types.CompareGT, types.CompareFloat))
	equal := must(hlo.Compare(in[0], in[2], types.CompareEQ, types.CompareFloat))
	first := must(hlo.Compare(in[1], in[3], types.CompareLT, types.CompareSigned))
	left := must(hlo.Or(greater, must(hlo.And(equal, first))))
	return []value{must(hlo.Select(left, in[0], in[2])), must(hlo.Select(left, in[1], in[3]))}
}

// pool folds windows of two by two, one step apart, over a matrix with `pad` more on every side.
func pool(x []float32, rows, columns, pad int, start float32, f func(a, b float32) float32) (out []float32) {
	for i := -pad; i+1 < rows+pad; i++ {
		for j := -pad; j+1 < columns+pad; j++ {
			sum := start
			for k := range 4 {
				if r, c := i+k/2, j+k%2; r >= 0 && r < rows && c >= 0 && c < columns {
					sum = f(sum, x[r*columns+c])
				}
			}
			out = append(out, sum)
		}
	}
	return out
}

func add(a, b float32) float32      { return a + b }
func multiply(a, b float32) float32 { return a * b }
func larger(a, b float32) float32   { return max(a, b) }
func smaller(a, b float32) float32  { return min(a, b) }

func reduceCases() (list []testCase) {
	x := mapped(ramp(24, -3, 0.25), func(v float32) float32 { return float32(math.Sin(float64(v) * 7)) })
	infinite := float32(math.Inf(1))
	for _, one := range []struct {
		name  string
		op    binary
		start float32
		want  func(a, b float32) float32
	}{
		{"Reduce by Add", hlo.Add, 0, add},
		{"Reduce by Multiply", hlo.Multiply, 1, multiply},
		{"Reduce by Maximum", hlo.Maximum, -infinite, larger},
		{"Reduce by Minimum", hlo.Minimum, infinite, smaller},
	} {
		list = append(list, testCase{one.name, func(t *test) {
			in, body := t.in(x, 4, 6), t.reducer(dtypes.Float32, one.op)
			t.out(must(hlo.Reduce(in, t.scalar(one.start), body, 1)), 1e-6, reduceRows(x, 6, one.start, one.want), 4)
			t.out(must(hlo.Reduce(in, t.scalar(one.start), body, 0, 1)), 2e-6, reduceRows(x, 24, one.start, one.want))
		}})
	}
	both := []dtypes.DType{dtypes.Float32, dtypes.Int32, dtypes.Float32, dtypes.Int32}
	f32 := dtypes.Float32
	return append(list, []testCase{
		{"Reduce by And, Or", func(t *test) {
			in := t.in([]bool{true, true, true, false}, 2, 2)
			t.out(must(hlo.Reduce(in, t.scalar(true), t.reducer(dtypes.Bool, hlo.And), 1)), 0, []bool{true, false}, 2)
			t.out(must(hlo.Reduce(in, t.scalar(false), t.reducer(dtypes.Bool, hlo.Or), 0)), 0, []bool{true, true}, 2)
		}},
		{"Reduce of integers", func(t *test) {
			in := t.in([]int64{1 << 40, 5, -7, 9}, 4)
			t.out(must(hlo.Reduce(in, t.scalar(int64(1)), t.reducer(dtypes.Int64, hlo.Add), 0)), 0, []int64{1<<40 + 8})
		}},
		{"MultiReduce", func(t *test) {
			in := t.in([]float32{3, 9, 9, -1, -5, -2}, 2, 3)
			places := t.in([]int32{0, 1, 2, 0, 1, 2}, 2, 3)
			out := must(hlo.MultiReduce([]value{in, places}, []value{t.scalar(-infinite), t.scalar(int32(math.MaxInt32))},
				t.closure(both, largest), 1))
			t.out(out[0], 0, []float32{9, -1}, 2)
			t.out(out[1], 0, []int32{1, 0}, 2)
		}},
		{"ReduceWindow by Maximum", func(t *test) {
			in, body := t.in(x, 4, 6), t.reducer(f32, hlo.Maximum)
			t.out(must(hlo.ReduceWindow(in, t.scalar(-infinite), body, []int{2, 2}, []int{1, 1}, nil, nil, nil)), 0,
				pool(x, 4, 6, 0, -infinite, larger), 3, 5)
		}},
		{"ReduceWindow by Add, padded", func(t *test) {
			in, body := t.in(x, 4, 6), t.reducer(f32, hlo.Add)
			t.out(must(hlo.ReduceWindow(in, t.scalar(float32(0)), body, []int{2, 2}, []int{1, 1}, nil, nil,
				[][2]int{{1, 1}, {1, 1}})), 1e-6, pool(x, 4, 6, 1, 0, add), 5, 7)
		}},
		{"ReduceWindow: sums from the left", func(t *test) {
			in := t.in([]float32{1, 2, 3, 4, 5}, 5)
			t.out(must(hlo.ReduceWindow(in, t.scalar(float32(0)), t.reducer(f32, hlo.Add), []int{5}, []int{1}, nil, nil,
				[][2]int{{4, 0}})), 0, []float32{1, 3, 6, 10, 15}, 5)
		}},
		{"ReduceWindow, dilated", func(t *test) { // go-xla 0.1.4 writes one dilation for both
			in := t.in([]float32{1, 2, 3, 4, 5}, 5)
			t.out(must(hlo.ReduceWindow(in, t.scalar(float32(0)), t.reducer(f32, hlo.Add), []int{2}, []int{1}, []int{2},
				[]int{2}, nil)), 0, []float32{3, 0, 5, 0, 7, 0, 9}, 7)
		}},
		{"MultiReduceWindow", func(t *test) {
			in, places := t.in([]float32{1, 5, 2, 2, 9, 9}, 6), t.in([]int32{0, 1, 2, 3, 4, 5}, 6)
			out := must(hlo.MultiReduceWindow([]value{in, places},
				[]value{t.scalar(-infinite), t.scalar(int32(math.MaxInt32))}, t.closure(both, largest),
				[]int{2}, []int{2}, nil, nil, nil))
			t.out(out[0], 0, []float32{5, 2, 9}, 3)
			t.out(out[1], 0, []int32{1, 2, 4}, 3)
		}},
		{"SelectAndScatter", func(t *test) {
			in := t.in([]float32{1, 5, 2, 7, 0, 3, 4, 6, 8}, 3, 3)
			source := t.in([]float32{10, 20, 30, 40}, 2, 2)
			first := t.closure([]dtypes.DType{f32, f32}, func(in []value) []value {
				return []value{must(hlo.Compare(in[0], in[1], types.CompareGE, types.CompareFloat))}
			})
			t.out(must(hlo.SelectAndScatter(in, source, t.scalar(float32(0)), first, t.reducer(f32, hlo.Add),
				[]int{2, 2}, []int{1, 1}, nil)), 0, []float32{0, 20, 0, 40, 0, 0, 0, 0, 40}, 3, 3)
		}},
	}...)
}
