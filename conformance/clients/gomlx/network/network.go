// Network trains small networks by GoMLX on its xla backend: what users of GoMLX do. It ends with its counts.
//
//	network PLUGIN    PLUGIN: the path of the plugin
package main

import (
	"fmt"
	"math"
	"os"

	"github.com/gomlx/gomlx/backends"
	_ "github.com/gomlx/gomlx/backends/xla"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/gomlx/pkg/ml/datasets"
	"github.com/gomlx/gomlx/pkg/ml/layers"
	"github.com/gomlx/gomlx/pkg/ml/layers/activations"
	"github.com/gomlx/gomlx/pkg/ml/layers/batchnorm"
	"github.com/gomlx/gomlx/pkg/ml/train"
	"github.com/gomlx/gomlx/pkg/ml/train/losses"
	"github.com/gomlx/gomlx/pkg/ml/train/optimizers"
)

type node = *graph.Node

const samples = 256

// A task is data, a model for it, and the loss it must fall to.
type task struct {
	name      string
	inputs    any
	labels    any
	model     func(ctx *context.Context, spec any, inputs []node) []node
	loss      func(labels, predictions []node) node
	optimizer optimizers.Interface
	steps     int
	bound     float64
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// run trains, and gives the losses of the first and the last step.
func (one task) run(backend backends.Backend) (first, last float64) {
	data := must(datasets.InMemoryFromData(backend, one.name, []any{one.inputs}, []any{one.labels}))
	data.BatchSize(samples, true).Infinite(true)
	ctx := context.New()
	ctx.SetParam(context.ParamInitialSeed, int64(7))
	trainer := train.NewTrainer(backend, ctx, one.model, one.loss, one.optimizer, nil, nil)
	loop := train.NewLoop(trainer)
	loss := func(metrics []*tensors.Tensor) float64 { return float64(tensors.ToScalar[float32](metrics[0])) }
	first = loss(must(loop.RunSteps(data, 1)))
	return first, loss(must(loop.RunSteps(data, one.steps)))
}

// waves are points of a curve: x to sin(3x).
func waves() (inputs, labels [][]float32) {
	for i := range samples {
		x := 2*float64(i)/(samples-1) - 1
		inputs = append(inputs, []float32{float32(x)})
		labels = append(labels, []float32{float32(math.Sin(3 * x))})
	}
	return inputs, labels
}

func perceptron(ctx *context.Context, _ any, inputs []node) []node {
	hidden := activations.Apply(activations.TypeTanh, layers.Dense(ctx.In("hidden"), inputs[0], true, 32))
	return []node{layers.Dense(ctx.In("out"), hidden, true, 1)}
}

// stripes are images of 8 by 8 with lines that go down or across, and which of both.
func stripes() (images [][][][]float32, labels [][]int32) {
	for i := range samples {
		image := make([][][]float32, 8)
		for row := range image {
			image[row] = make([][]float32, 8)
			for column := range image[row] {
				along := []int{row, column}[i%2] + i/2
				noise := 0.3 * math.Sin(float64(i*64+row*8+column)*12.9898)
				image[row][column] = []float32{float32(float64(along%4/2) + noise)}
			}
		}
		images, labels = append(images, image), append(labels, []int32{int32(i % 2)})
	}
	return images, labels
}

func convolutions(ctx *context.Context, _ any, inputs []node) []node {
	x := layers.Convolution(ctx.In("conv"), inputs[0]).Channels(8).KernelSize(3).PadSame().Done()
	x = batchnorm.New(ctx.In("norm"), x, -1).Done()
	x = graph.MaxPool(activations.Apply(activations.TypeRelu, x)).Window(2).Done()
	x = graph.Reshape(x, x.Shape().Dim(0), -1)
	return []node{layers.Dense(ctx.In("out"), x, true, 2)}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "network PLUGIN")
		os.Exit(2)
	}
	backend := must(backends.NewWithConfig("xla:" + os.Args[1]))
	curve, heights := waves()
	images, kinds := stripes()
	passed, failed := 0, 0
	for _, one := range []task{
		{"a perceptron by gradient descent", curve, heights, perceptron, losses.MeanSquaredError,
			optimizers.StochasticGradientDescent().WithLearningRate(0.05).WithDecay(false).Done(), 1500, 0.05},
		{"a perceptron by Adam", curve, heights, perceptron, losses.MeanSquaredError,
			optimizers.Adam().LearningRate(0.01).Done(), 300, 0.01},
		{"convolutions by Adam", images, kinds, convolutions, losses.SparseCategoricalCrossEntropyLogits,
			optimizers.Adam().LearningRate(0.01).Done(), 60, 0.1},
	} {
		first, last := one.run(backend)
		if last < one.bound && last < first {
			passed++
		} else {
			failed++
			fmt.Printf("FAILED  %s: the loss went from %g to %g, not below %g\n", one.name, first, last, one.bound)
		}
	}
	backend.Finalize()
	fmt.Printf("%d passed, %d failed, 0 skipped\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
