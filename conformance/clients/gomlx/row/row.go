// row PLUGIN: go-xla's cells of the table of versions that the client alone decides: donated buffers, and arrays with
// shardings on one device. It prints a line for each, as scripts/versions.py reads them.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gomlx/go-xla/pkg/pjrt"
)

const adding = `module @donation {
  func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%0) : (tensor<4xf32>) -> ()
  }
}`

const sharded = `module @sharded attributes {stablehlo.num_replicas = 1, stablehlo.num_partitions = 1} {
  sdy.mesh @mesh = <["data"=1, "model"=1]>
  func.func @main(%arg0: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> tensor<2x2xf32> {
    %0 = "stablehlo.add"(%arg0, %arg0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    "stablehlo.return"(%0) : (tensor<2x2xf32>) -> ()
  }
}`

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func expect(buffer *pjrt.Buffer, wanted ...float32) {
	got, _, err := pjrt.BufferToArray[float32](buffer)
	if err != nil {
		panic(err)
	}
	for i, value := range wanted {
		if got[i] != value {
			panic(fmt.Errorf("got %v, expected %v", got, wanted))
		}
	}
}

func donation(client *pjrt.Client) {
	program := must(client.Compile().WithStableHLO([]byte(adding)).Done())
	sum := must(pjrt.ArrayToBuffer(client, []float32{1, 2, 3, 4}, 4))
	one := must(pjrt.ArrayToBuffer(client, []float32{1, 1, 1, 1}, 4))
	for range 3 {
		sum = must(program.Execute(sum, one).Donate(0).Done())[0]
	}
	expect(sum, 4, 5, 6, 7)
	expect(one, 1, 1, 1, 1)
	kept := must(program.Execute(sum, one).DonateNone().Done())[0]
	expect(kept, 5, 6, 7, 8)
	expect(sum, 4, 5, 6, 7)
}

func shardings(client *pjrt.Client) {
	program := must(client.Compile().WithStableHLO([]byte(sharded)).WithShardy(1).Done())
	x := must(client.BufferFromHost().ToDeviceNum(0).FromFlatDataWithDimensions([]float32{1, 2, 3, 4}, []int{2, 2}).Done())
	expect(must(program.Execute(x).Done())[0], 2, 4, 6, 8)
}

// try runs one cell; an error is a panic here.
func try(column string, client *pjrt.Client, cell func(*pjrt.Client)) {
	defer func() {
		if problem := recover(); problem != nil {
			fmt.Printf("%s: failed: %s\n", column, strings.SplitN(fmt.Sprint(problem), "\n", 2)[0])
		}
	}()
	cell(client)
	fmt.Printf("%s: passed\n", column)
}

func main() {
	if len(os.Args) != 2 {
		panic(errors.New("row PLUGIN"))
	}
	client := must(must(pjrt.GetPlugin(os.Args[1])).NewClient(nil))
	try("donation", client, donation)
	try("sharded arrays", client, shardings)
}
