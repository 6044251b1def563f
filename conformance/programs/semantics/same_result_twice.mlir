// same_result_twice: A value that is returned twice is two results.
// input f32 3 0 0000803f000000c000004040
// expect f32 3 0 00000040000080c00000c040
// expect f32 3 0 00000040000080c00000c040
module {
func.func public @main(%a0: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %r0 = "stablehlo.add"(%a0, %a0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %r1 = "stablehlo.add"(%a0, %a0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  "func.return"(%r0, %r1) : (tensor<3xf32>, tensor<3xf32>) -> ()
}
}
