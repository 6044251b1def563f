// if_false: stablehlo.if runs its second branch when the predicate is false.
// input i1 scalar 0 00
// input f32 3 0 0000803f000000c000004040
// expect f32 3 0 000080bf00000040000040c0
module {
func.func public @main(%a0: tensor<i1>, %a1: tensor<3xf32>) -> (tensor<3xf32>) {
  %r0 = "stablehlo.if"(%a0) ({
  %y = "stablehlo.add"(%a1, %a1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  "stablehlo.return"(%y) : (tensor<3xf32>) -> ()
  }, {
  %y = "stablehlo.negate"(%a1) : (tensor<3xf32>) -> tensor<3xf32>
  "stablehlo.return"(%y) : (tensor<3xf32>) -> ()
  }) : (tensor<i1>) -> tensor<3xf32>
  "func.return"(%r0) : (tensor<3xf32>) -> ()
}
}
