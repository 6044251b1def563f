package main

import (
	"math"
	"math/cmplx"

	hlo "github.com/gomlx/go-xla/pkg/stablehlo"
	"github.com/gomlx/go-xla/pkg/types"
	"github.com/gomlx/go-xla/pkg/types/dtypes"
	"github.com/gomlx/go-xla/pkg/types/shapes"
)

// product is x (m by k) times y (k by n).
func product(x, y []float32, m, k, n int) []float32 {
	out := make([]float32, m*n)
	for i := range out {
		var sum float64
		for l := range k {
			sum += float64(x[i/n*k+l]) * float64(y[l*n+i%n])
		}
		out[i] = float32(sum)
	}
	return out
}

// A convolution of an image (rows, columns, channels) by a kernel (rows, columns, channels in a group, features).
type convolution struct {
	rows, columns, channels, side, features, stride, pad, dilation, groups int
}

func (c convolution) outSize(in int) int { return (in+2*c.pad-c.dilation*(c.side-1)-1)/c.stride + 1 }

func (c convolution) want(image, kernel []float32) []float32 {
	h, w, inGroup := c.outSize(c.rows), c.outSize(c.columns), c.channels/c.groups
	out := make([]float32, h*w*c.features)
	for i := range out {
		feature, sum := i%c.features, 0.0
		for l := range c.side * c.side * inGroup {
			channel := l % inGroup
			row := i/c.features/w*c.stride - c.pad + l/inGroup/c.side*c.dilation
			column := i/c.features%w*c.stride - c.pad + l/inGroup%c.side*c.dilation
			if row < 0 || row >= c.rows || column < 0 || column >= c.columns {
				continue
			}
			at := (row*c.columns+column)*c.channels + feature/(c.features/c.groups)*inGroup + channel
			sum += float64(image[at]) * float64(kernel[l*c.features+feature])
		}
		out[i] = float32(sum)
	}
	return out
}

func (c convolution) run(t *test) {
	image := mapped(ramp(c.rows*c.columns*c.channels, 0, 1), func(x float32) float32 { return float32(math.Sin(float64(x))) })
	kernel := ramp(c.side*c.side*c.channels/c.groups*c.features, -1, 0.0625)
	both := func(n int) []int { return []int{n, n} }
	t.out(must(hlo.Convolution(t.in(image, 1, c.rows, c.columns, c.channels),
		t.in(kernel, c.side, c.side, c.channels/c.groups, c.features), both(c.stride), [][2]int{{c.pad, c.pad}, {c.pad, c.pad}},
		both(1), both(c.dilation), 0, 3, []int{1, 2}, 2, 3, []int{0, 1}, 0, 3, []int{1, 2}, c.groups, 1,
		types.DotGeneralPrecisionHighest, types.DotGeneralPrecisionHighest)), 1e-5,
		c.want(image, kernel), 1, c.outSize(c.rows), c.outSize(c.columns), c.features)
}

// fourier is the transform by its definition.
func fourier(x []complex128, direction float64) []complex128 {
	out := make([]complex128, len(x))
	for i := range out {
		for j, v := range x {
			out[i] += v * cmplx.Exp(complex(0, direction*2*math.Pi*float64(i*j)/float64(len(x))))
		}
	}
	return out
}

func fourierCases() []testCase {
	x := []complex128{1, 2 - 1i, 0.5i, -3, 4 + 4i, 0, -1i}
	real := []float64{1, -2, 3.5, 0, 7, 0.25}
	spectrum := fourier(mapped(real, func(v float64) complex128 { return complex(v, 0) }), -1)[:4]
	return []testCase{
		{"FFT forward", func(t *test) {
			t.out(must(hlo.FFT(t.in(x, 7), types.FFTForward)), 1e-13, fourier(x, -1), 7)
			t.out(must(hlo.FFT(t.in(mapped(x, func(v complex128) complex64 { return complex64(v) }), 7), types.FFTForward)), 1e-5,
				mapped(fourier(x, -1), func(v complex128) complex64 { return complex64(v) }), 7)
		}},
		{"FFT inverse", func(t *test) {
			t.out(must(hlo.FFT(t.in(fourier(x, -1), 7), types.FFTInverse)), 1e-13, x, 7)
		}},
		{"FFT of reals", func(t *test) {
			t.out(must(hlo.FFT(t.in(real, 6), types.FFTForwardReal)), 1e-13, spectrum, 4)
		}},
		{"FFT to reals", func(t *test) {
			t.out(must(hlo.FFT(t.in(spectrum, 4), types.FFTInverseReal)), 1e-13, real, 6)
		}},
	}
}

func dotCases() []testCase {
	x, y := ramp(15, -1, 0.25), ramp(20, 2, -0.125)
	transposed := func(y []float32, k, n int) []float32 {
		out := make([]float32, len(y))
		for i := range out {
			out[i] = y[i%k*n+i/k]
		}
		return out
	}
	return []testCase{
		{"Dot", func(t *test) {
			t.out(must(hlo.Dot(t.in(x, 3, 5), t.in(y, 5, 4))), 1e-6, product(x, y, 3, 5, 4), 3, 4)
		}},
		{"DotGeneral, transposed", func(t *test) {
			t.out(must(hlo.DotGeneral(t.in(x, 3, 5), []int{1}, nil, t.in(transposed(y, 5, 4), 4, 5), []int{1}, nil).Done()),
				1e-6, product(x, y, 3, 5, 4), 3, 4)
		}},
		{"DotGeneral in batches", func(t *test) {
			a, b := ramp(12, 0, 1), ramp(12, 1, -1)
			t.out(must(hlo.DotGeneral(t.in(a, 2, 2, 3), []int{2}, []int{0}, t.in(b, 2, 3, 2), []int{1}, []int{0}).
				Precision(types.DotGeneralPrecisionHighest, types.DotGeneralPrecisionHighest).Done()), 0,
				append(product(a[:6], b[:6], 2, 3, 2), product(a[6:], b[6:], 2, 3, 2)...), 2, 2, 2)
		}},
		{"DotGeneral from bf16 to f32", func(t *test) {
			t.out(must(hlo.DotGeneral(t.in(brainHalves(x...), 3, 5), []int{1}, nil, t.in(brainHalves(y...), 5, 4), []int{0}, nil).
				OutputDType(dtypes.Float32).Done()), 1e-6, product(x, y, 3, 5, 4), 3, 4)
		}},
		{"DotGeneral with an algorithm", func(t *test) {
			f32 := types.FloatPrecisionType{DType: dtypes.Float32}
			t.out(must(hlo.DotGeneral(t.in(x, 3, 5), []int{1}, nil, t.in(y, 5, 4), []int{0}, nil).Algorithm(
				&types.DotGeneralAlgorithm{LhsPrecisionType: f32, RhsPrecisionType: f32, AccumulationType: f32,
					LhsComponentCount: 1, RhsComponentCount: 1, NumPrimitiveOperations: 1}).Done()), 1e-6,
				product(x, y, 3, 5, 4), 3, 4)
		}},
		{"Dot of integers", func(t *test) {
			t.out(must(hlo.Dot(t.in([]int32{1, 2, 3, 4}, 2, 2), t.in([]int32{5, 6, 7, 8}, 2, 2))), 0,
				[]int32{19, 22, 43, 50}, 2, 2)
		}},
		{"Convolution", convolution{5, 6, 3, 3, 4, 1, 0, 1, 1}.run},
		{"Convolution, padded steps", convolution{5, 6, 3, 3, 4, 2, 1, 1, 1}.run},
		{"Convolution, dilated", convolution{7, 7, 2, 2, 3, 1, 1, 3, 1}.run},
		{"Convolution in groups", convolution{4, 4, 4, 3, 8, 1, 1, 1, 2}.run},
	}
}

// moments gives mean and variance of each column.
func moments(x []float32, columns int) (mean, variance []float64) {
	mean, variance = make([]float64, columns), make([]float64, columns)
	rows := float64(len(x) / columns)
	for i, v := range x {
		mean[i%columns] += float64(v) / rows
	}
	for i, v := range x {
		variance[i%columns] += (float64(v) - mean[i%columns]) * (float64(v) - mean[i%columns]) / rows
	}
	return mean, variance
}

func normCases() []testCase {
	const epsilon = 0.01
	x := mapped(ramp(12, 1, 1), func(v float32) float32 { return v * v / 16 })
	scale, offset := []float32{1, 2, -0.5}, []float32{0.5, 0, 1}
	mean, variance := moments(x, 3)
	normal := make([]float32, len(x))
	for i, v := range x {
		normal[i] = float32((float64(v)-mean[i%3])/math.Sqrt(variance[i%3]+epsilon))*scale[i%3] + offset[i%3]
	}
	return []testCase{
		{"BatchNormInference", func(t *test) {
			t.out(must(hlo.BatchNormInference(t.in(x, 4, 3), t.in(scale, 3), t.in(offset, 3), t.in(narrow(mean), 3),
				t.in(narrow(variance), 3), epsilon, 1)), 1e-5, normal, 4, 3)
		}},
		{"BatchNormTraining", func(t *test) {
			out, m, v, err := hlo.BatchNormTraining(t.in(x, 4, 3), t.in(scale, 3), t.in(offset, 3), epsilon, 1)
			check(err)
			t.out(out, 1e-5, normal, 4, 3)
			t.out(m, 1e-6, narrow(mean), 3)
			t.out(v, 1e-5, narrow(variance), 3)
		}},
		{"BatchNormGradient", func(t *test) {
			gradient := ramp(12, -1, 0.25)
			gx, gs, go_, err := hlo.BatchNormGradient(t.in(x, 4, 3), t.in(scale, 3), t.in(narrow(mean), 3),
				t.in(narrow(variance), 3), t.in(gradient, 4, 3), epsilon, 1)
			check(err)
			wx, ws, wo := normGradient(x, gradient, scale, mean, variance, epsilon)
			t.out(gx, 1e-5, wx, 4, 3)
			t.out(gs, 1e-5, ws, 3)
			t.out(go_, 1e-5, wo, 3)
		}},
	}
}

func normGradient(x, gradient, scale []float32, mean, variance []float64, epsilon float64) (gx, gs, gOffset []float32) {
	n, columns := float64(len(x)/len(scale)), len(scale)
	sums, products := make([]float64, columns), make([]float64, columns)
	hat := func(i int) float64 { return (float64(x[i]) - mean[i%columns]) / math.Sqrt(variance[i%columns]+epsilon) }
	for i, g := range gradient {
		sums[i%columns] += float64(g)
		products[i%columns] += float64(g) * hat(i)
	}
	for i, g := range gradient {
		c := i % columns
		gx = append(gx, float32(float64(scale[c])/math.Sqrt(variance[c]+epsilon)*(float64(g)-sums[c]/n-hat(i)*products[c]/n)))
	}
	return gx, narrow(products), narrow(sums)
}

func threefry(key [2]uint32, x [2]uint32) [2]uint32 {
	keys := [3]uint32{key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA}
	turns := [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}
	x[0], x[1] = x[0]+keys[0], x[1]+keys[1]
	for round := range 5 {
		for _, turn := range turns[round%2] {
			x[0] += x[1]
			x[1] = x[1]<<turn | x[1]>>(32-turn)
			x[1] ^= x[0]
		}
		x[0] += keys[(round+1)%3]
		x[1] += keys[(round+2)%3] + uint32(round+1)
	}
	return x
}

func philox(key [2]uint32, c [4]uint32) [4]uint32 {
	for range 10 {
		a, b := uint64(0xD2511F53)*uint64(c[0]), uint64(0xCD9E8D57)*uint64(c[2])
		c = [4]uint32{uint32(b>>32) ^ c[1] ^ key[0], uint32(b), uint32(a>>32) ^ c[3] ^ key[1], uint32(a)}
		key[0], key[1] = key[0]+0x9E3779B9, key[1]+0xBB67AE85
	}
	return c
}

func randomCases() []testCase {
	const key, counter = uint64(0x123456789abcdef0), uint64(41)
	halves := func(v uint64) [2]uint32 { return [2]uint32{uint32(v), uint32(v >> 32)} }
	return []testCase{
		{"RNGBitGenerator by ThreeFry", func(t *test) {
			state, bits, err := hlo.RNGBitGenerator(t.in([]uint64{key, counter}, 2), shapes.Make(dtypes.Uint64, 5), types.RNGThreeFry)
			check(err)
			var want []uint64
			for i := range uint64(5) {
				out := threefry(halves(key), halves(counter+i))
				want = append(want, uint64(out[0])|uint64(out[1])<<32)
			}
			t.out(state, 0, []uint64{key, counter + 5}, 2)
			t.out(bits, 0, want, 5)
		}},
		{"RNGBitGenerator by Philox", func(t *test) {
			state, bits, err := hlo.RNGBitGenerator(t.in([]uint64{key, counter, 7}, 3), shapes.Make(dtypes.Uint64, 4), types.RNGPhilox)
			check(err)
			var want []uint64
			for i := range uint64(2) {
				low, high := halves(counter+i), halves(7)
				out := philox(halves(key), [4]uint32{low[0], low[1], high[0], high[1]})
				want = append(want, uint64(out[0])|uint64(out[1])<<32, uint64(out[2])|uint64(out[3])<<32)
			}
			t.out(state, 0, []uint64{key, counter + 2, 7}, 3)
			t.out(bits, 0, want, 4)
		}},
	}
}

func numericCases() []testCase {
	var list []testCase
	for _, more := range [][]testCase{dotCases(), fourierCases(), normCases(), randomCases()} {
		list = append(list, more...)
	}
	return list
}
