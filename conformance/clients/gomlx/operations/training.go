package main

import (
	"math"

	"github.com/gomlx/go-xla/pkg/pjrt"
	hlo "github.com/gomlx/go-xla/pkg/stablehlo"
	"github.com/gomlx/go-xla/pkg/types/dtypes"
	"github.com/gomlx/go-xla/pkg/types/shapes"
)

// A network of one hidden layer learns sin(3x): one program is a step of gradient descent, whose parameters are donated
// and come back updated in the same memory. The same steps in Go, in f64, give the losses it must have.
const (
	samples, hidden = 64, 16
	steps           = 400
	rate            = 0.2
)

// A network's parameters in the order of the program's arguments: 1 x hidden, hidden, hidden x 1, 1.
type network [4][]float64

func newNetwork() (n network) {
	for i := range hidden {
		n[0] = append(n[0], 3*math.Sin(float64(2*i+1)))
		n[2] = append(n[2], 0.5*math.Cos(float64(3*i+1)))
		n[1] = append(n[1], math.Sin(float64(5*i+2)))
	}
	n[3] = []float64{0}
	return n
}

func problem() (x, y []float64) {
	for i := range samples {
		x = append(x, 2*float64(i)/(samples-1)-1)
		y = append(y, math.Sin(3*x[i]))
	}
	return x, y
}

// step is one step in Go; it gives the loss before it.
func (n *network) step(x, y []float64) (loss float64) {
	var gradient network
	for k := range gradient {
		gradient[k] = make([]float64, len(n[k]))
	}
	for i := range x {
		layer, guess := make([]float64, hidden), n[3][0]
		for j := range layer {
			layer[j] = math.Tanh(x[i]*n[0][j] + n[1][j])
			guess += layer[j] * n[2][j]
		}
		off := guess - y[i]
		loss += off * off / samples
		up := 2 * off / samples
		gradient[3][0] += up
		for j, v := range layer {
			gradient[2][j] += up * v
			down := up * n[2][j] * (1 - v*v)
			gradient[1][j] += down
			gradient[0][j] += down * x[i]
		}
	}
	for k := range gradient {
		for j := range gradient[k] {
			n[k][j] -= rate * gradient[k][j]
		}
	}
	return loss
}

var parameterDims = [4][]int{{1, hidden}, {hidden}, {hidden, 1}, {1}}

// stepProgram is the same step for the device: (4 parameters, x, y) to (4 parameters, loss).
func stepProgram() []byte {
	builder := hlo.New("step")
	fn := builder.Main()
	f32 := func(dims ...int) shapes.Shape { return shapes.Make(dtypes.Float32, dims...) }
	var p [4]value
	for i, dims := range parameterDims {
		p[i] = must(fn.InputWithAttributes(f32(dims...), map[string]any{"tf.aliasing_output": int32(i)}))
	}
	x, y := must(fn.Input(f32(samples, 1))), must(fn.Input(f32(samples, 1)))
	full := func(v value, axes []int, dims ...int) value { return must(hlo.BroadcastInDim(v, f32(dims...), axes)) }
	constant := func(v float32, dims ...int) value { return full(must(fn.ConstantFromScalar(v)), nil, dims...) }
	sum := func(v value, axes ...int) value {
		body := fn.Closure()
		a, b := must(body.NamedInput("a", f32())), must(body.NamedInput("b", f32()))
		check(body.Return(must(hlo.Add(a, b))))
		return must(hlo.Reduce(v, must(fn.ConstantFromScalar(float32(0))), body, axes...))
	}

	layer := must(hlo.Tanh(must(hlo.Add(must(hlo.Dot(x, p[0])), full(p[1], []int{1}, samples, hidden)))))
	guess := must(hlo.Add(must(hlo.Dot(layer, p[2])), full(p[3], []int{1}, samples, 1)))
	off := must(hlo.Subtract(guess, y))
	loss := must(hlo.Multiply(sum(must(hlo.Multiply(off, off)), 0, 1), must(fn.ConstantFromScalar(float32(1)/samples))))

	up := must(hlo.Multiply(off, constant(2.0/samples, samples, 1)))
	slope := must(hlo.Subtract(constant(1, samples, hidden), must(hlo.Multiply(layer, layer))))
	back := must(hlo.DotGeneral(up, []int{1}, nil, p[2], []int{1}, nil).Done())
	down := must(hlo.Multiply(back, slope))
	gradient := [4]value{
		must(hlo.DotGeneral(x, []int{0}, nil, down, []int{0}, nil).Done()),
		sum(down, 0),
		must(hlo.DotGeneral(layer, []int{0}, nil, up, []int{0}, nil).Done()),
		sum(up, 0),
	}
	var results []value
	for i, dims := range parameterDims {
		results = append(results, must(hlo.Subtract(p[i], must(hlo.Multiply(gradient[i], constant(rate, dims...))))))
	}
	check(fn.Return(append(results, loss)...))
	return must(builder.Build())
}

func training(*test) {
	executable := must(client.Compile().WithStableHLO(stepProgram()).Done())
	aliased := executable.OnDeviceMemoryUsageStats.Aliases
	require(aliased == 4*(3*hidden+1), "the program updates %d bytes of its parameters in place", aliased)
	reference := newNetwork()
	x, y := problem()
	upload := func(v []float64, dims ...int) *pjrt.Buffer {
		return must(pjrt.ArrayToBuffer(client, narrow(v), dims...))
	}
	buffers := []*pjrt.Buffer{}
	for i, dims := range parameterDims {
		buffers = append(buffers, upload(reference[i], dims...))
	}
	data := []*pjrt.Buffer{upload(x, samples, 1), upload(y, samples, 1)}
	var first, last float32
	for step := range steps {
		results := must(executable.Execute(append(buffers, data...)...).Donate(0, 1, 2, 3).Done())
		last = must(pjrt.BufferToScalar[float32](results[4]))
		check(results[4].Destroy())
		want := reference.step(x, y)
		require(math.Abs(float64(last)-want) < 1e-3*math.Max(1, want), "step %d: the loss is %g, not %g", step, last, want)
		if step == 0 {
			first = last
		}
		buffers = results[:4]
	}
	require(last < 0.02 && last < first/10, "the loss fell from %g to %g only", first, last)
	for i, buffer := range buffers {
		flat, _ := flatOf(buffer)
		compare(i, flat, wanted{narrow(reference[i]), nil, 1e-2})
		check(buffer.Destroy())
	}
	check(executable.Destroy())
}
