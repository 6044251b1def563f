// optimization_barrier: stablehlo.optimization_barrier gives its operands.
// input f32 3 0 0000803f000000c000004040
// input i32 3 0 000000000100000002000000
// expect f32 3 0 0000803f000000c000004040
// expect i32 3 0 000000000100000002000000
module {
func.func public @main(%a0: tensor<3xf32>, %a1: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %r0, %r1 = "stablehlo.optimization_barrier"(%a0, %a1) : (tensor<3xf32>, tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>)
  "func.return"(%r0, %r1) : (tensor<3xf32>, tensor<3xi32>) -> ()
}
}
