package main

import (
	"fmt"
	"math"
	"math/cmplx"
	"reflect"
	"strings"

	"github.com/gomlx/go-xla/pkg/pjrt"
	"github.com/gomlx/go-xla/pkg/stablehlo"
	"github.com/gomlx/go-xla/pkg/types/dtypes"
	"github.com/gomlx/go-xla/pkg/types/dtypes/bfloat16"
	"github.com/gomlx/go-xla/pkg/types/shapes"
	"github.com/x448/float16"
)

type value = *stablehlo.Value

// A test is a program under construction: what goes in, and what must come out.
type test struct {
	builder *stablehlo.Builder
	fn      *stablehlo.Function
	inputs  []*pjrt.Buffer
	outputs []value
	wanted  []wanted
}

type wanted struct {
	flat      any
	dims      []int
	tolerance float64 // relative to the larger of 1 and the wanted value; 0: equal
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func require(condition bool, format string, arguments ...any) {
	if !condition {
		panic(fmt.Sprintf(format, arguments...))
	}
}

func newTest(name string) *test {
	builder := stablehlo.New(strings.NewReplacer(" ", "_", ",", "", ".", "_").Replace(name))
	return &test{builder: builder, fn: builder.Main()}
}

// in makes a parameter of the program with the values it gets.
func (t *test) in(flat any, dims ...int) value {
	dtype := dtypes.FromGoType(reflect.TypeOf(flat).Elem())
	from := client.BufferFromHost()
	if reflect.ValueOf(flat).Len() == 0 {
		from = from.FromRawData(nil, dtype, dims)
	} else {
		from = from.FromFlatDataWithDimensions(flat, dims)
	}
	t.inputs = append(t.inputs, must(from.Done()))
	return must(t.fn.NamedInput(fmt.Sprintf("arg%d", len(t.inputs)), shapes.Make(dtype, dims...)))
}

func (t *test) scalar(v any) value { return must(t.fn.ConstantFromScalar(v)) }

// out says what a value of the program must be.
func (t *test) out(v value, tolerance float64, flat any, dims ...int) {
	t.outputs = append(t.outputs, v)
	t.wanted = append(t.wanted, wanted{flat, dims, tolerance})
}

// closure makes the body of a reduction: scalars of the types in, what `body` makes of them out.
func (t *test) closure(types []dtypes.DType, body func(in []value) []value) *stablehlo.Function {
	fn := t.fn.Closure()
	var in []value
	for i, dtype := range types {
		in = append(in, must(fn.NamedInput(fmt.Sprintf("in%d", i), shapes.Make(dtype))))
	}
	check(fn.Return(body(in)...))
	return fn
}

type binary func(lhs, rhs value) (value, error)

func (t *test) reducer(dtype dtypes.DType, op binary) *stablehlo.Function {
	return t.closure([]dtypes.DType{dtype, dtype}, func(in []value) []value { return []value{must(op(in[0], in[1]))} })
}

// execute compiles the program and runs it once.
func (t *test) execute() []*pjrt.Buffer {
	check(t.fn.Return(t.outputs...))
	executable := must(client.Compile().WithStableHLO(must(t.builder.Build())).Done())
	results := must(executable.Execute(t.inputs...).Done())
	check(executable.Destroy())
	return results
}

// finish runs the program when there is one, and compares.
func (t *test) finish() {
	if len(t.outputs) == 0 {
		return
	}
	for i, buffer := range t.execute() {
		flat, dims := flatOf(buffer)
		require(reflect.DeepEqual(append([]int{}, t.wanted[i].dims...), append([]int{}, dims...)),
			"result %d has the shape %v, not %v", i, dims, t.wanted[i].dims)
		compare(i, flat, t.wanted[i])
		check(buffer.Destroy())
	}
	for _, buffer := range t.inputs {
		check(buffer.Destroy())
	}
}

func flatOf(buffer *pjrt.Buffer) (any, []int) {
	flat, dims, err := buffer.ToFlatDataAndDimensions()
	check(err)
	return flat, dims
}

func compare(result int, got any, want wanted) {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want.flat)
	if got == nil { // what go-xla gives of a buffer without elements
		g = reflect.Zero(w.Type())
	}
	require(g.Type() == w.Type(), "result %d is %s, not %s", result, g.Type(), w.Type())
	require(g.Len() == w.Len(), "result %d has %d elements, not %d", result, g.Len(), w.Len())
	for i := range g.Len() {
		a, b := g.Index(i).Interface(), w.Index(i).Interface()
		require(near(a, b, want.tolerance), "result %d, element %d is %v, not %v", result, i, a, b)
	}
}

func near(a, b any, tolerance float64) bool {
	x, isNumber := number(a)
	y, _ := number(b)
	if !isNumber {
		return a == b
	}
	if cmplx.IsNaN(y) || cmplx.IsInf(y) || tolerance == 0 {
		return x == y || cmplx.IsNaN(x) && cmplx.IsNaN(y)
	}
	return cmplx.Abs(x-y) <= tolerance*math.Max(1, cmplx.Abs(y))
}

// number widens the types that may differ by rounding.
func number(v any) (complex128, bool) {
	switch v := v.(type) {
	case float32:
		return complex(float64(v), 0), true
	case float64:
		return complex(v, 0), true
	case float16.Float16:
		return complex(float64(v.Float32()), 0), true
	case bfloat16.BFloat16:
		return complex(float64(v.Float32()), 0), true
	case complex64:
		return complex128(v), true
	case complex128:
		return v, true
	}
	return 0, false
}

// mapped gives f of every element.
func mapped[A, B any](in []A, f func(A) B) []B {
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

// paired gives f of every pair of elements.
func paired[A, B any](x, y []A, f func(A, A) B) []B {
	out := make([]B, len(x))
	for i := range x {
		out[i] = f(x[i], y[i])
	}
	return out
}

// ramp gives n values from `start` on, `step` apart.
func ramp(n int, start, step float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = start + step*float32(i)
	}
	return out
}
