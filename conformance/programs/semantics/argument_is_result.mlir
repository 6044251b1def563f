// argument_is_result: An argument that is returned as it is gives a buffer with its values.
// input f32 3 0 0000803f000000c000004040
// expect f32 3 0 0000803f000000c000004040
// expect f32 3 0 0000803f000000c000004040
module {
func.func public @main(%a0: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %r0 = "stablehlo.reshape"(%a0) : (tensor<3xf32>) -> tensor<3xf32>
  %r1 = "stablehlo.reshape"(%a0) : (tensor<3xf32>) -> tensor<3xf32>
  "func.return"(%r0, %r1) : (tensor<3xf32>, tensor<3xf32>) -> ()
}
}
