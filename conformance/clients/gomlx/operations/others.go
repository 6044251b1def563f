package main

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/gomlx/go-xla/pkg/pjrt"
	hlo "github.com/gomlx/go-xla/pkg/stablehlo"
	"github.com/gomlx/go-xla/pkg/types/dtypes"
)

// Of one replica every collective gives back what it got.
func collectiveCases() []testCase {
	alone, x := [][]int{{0}}, []float32{1, 2, 3, 4}
	in := func(t *test) value {
		t.builder.WithNumReplicas(1)
		return t.in(x, 4)
	}
	return []testCase{
		{"AllReduce", func(t *test) {
			t.out(must(hlo.AllReduce([]value{in(t)}, alone, t.reducer(dtypes.Float32, hlo.Add)))[0], 0, x, 4)
		}},
		{"AllGather", func(t *test) { t.out(must(hlo.AllGather(in(t), alone, 0)), 0, x, 4) }},
		{"AllToAll", func(t *test) { t.out(must(hlo.AllToAll(in(t), alone, 0, 0, 1)), 0, x, 4) }},
		{"CollectiveBroadcast", func(t *test) { t.out(must(hlo.CollectiveBroadcast(in(t), alone)), 0, x, 4) }},
		{"CollectivePermute", func(t *test) { t.out(must(hlo.CollectivePermute(in(t), [][2]int{{0, 0}})), 0, x, 4) }},
	}
}

// refused compiles a text and gives the error's words.
func refused(text string) string {
	executable, err := client.Compile().WithStableHLO([]byte(text)).Done()
	require(err != nil, "the text was compiled: %v", executable)
	return err.Error()
}

func errorCases() []testCase {
	return []testCase{
		{"errors: a place in the text", func(t *test) {
			words := refused("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %y = \"stablehlo.nothing\"(%x)\n}\n")
			require(strings.Contains(words, "2:"), "%s", words)
		}},
		{"errors: types that do not fit", func(t *test) {
			words := refused(`func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %z = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  "stablehlo.return"(%z) : (tensor<2xf32>) -> ()
}`)
			require(strings.Contains(words, "add"), "%s", words)
		}},
		{"errors: another number of arguments", func(t *test) {
			x := t.in([]float32{1}, 1)
			check(t.fn.Return(must(hlo.Add(x, x))))
			executable := must(client.Compile().WithStableHLO(must(t.builder.Build())).Done())
			_, err := executable.Execute().Done()
			require(err != nil && strings.Contains(err.Error(), "supplied 0 buffers"), "%v", err)
			_, err = executable.Execute(t.inputs[0], t.inputs[0]).Done()
			require(err != nil && strings.Contains(err.Error(), "supplied 2 buffers"), "%v", err)
			check(executable.Destroy())
		}},
		{"errors: another type of argument", func(t *test) {
			x := t.in([]float32{1}, 1)
			check(t.fn.Return(must(hlo.Add(x, x))))
			executable := must(client.Compile().WithStableHLO(must(t.builder.Build())).Done())
			_, err := executable.Execute(must(pjrt.ArrayToBuffer(client, []int32{1}, 1))).Done()
			require(err != nil, "an integer was taken for a float")
			check(executable.Destroy())
		}},
	}
}

// threads compiles a program of its own in each of 16 threads at once, and runs it.
func threads(*test) {
	var all sync.WaitGroup
	failures := make([]any, 16)
	for i := range failures {
		all.Add(1)
		go func() {
			defer all.Done()
			defer func() { failures[i] = recover() }()
			t := newTest(fmt.Sprintf("thread%d", i))
			x := ramp(64, float32(i), 0.5)
			scaled := must(hlo.Multiply(t.in(x, 64), must(hlo.BroadcastInDim(t.scalar(float32(i)), t.in(x, 64).Shape(), nil))))
			t.out(must(hlo.Tanh(scaled)), 1e-6, mapped(x, func(v float32) float32 {
				return float32(math.Tanh(float64(v * float32(i))))
			}), 64)
			t.finish()
		}()
	}
	all.Wait()
	for i, failure := range failures {
		require(failure == nil, "thread %d: %v", i, failure)
	}
}

func otherCases() []testCase {
	list := append(collectiveCases(), errorCases()...)
	return append(list, testCase{"16 threads compile at once", threads}, testCase{"training", training})
}
