// case_negative: stablehlo.case with a negative index runs the last branch.
// input i32 scalar 0 feffffff
// input f32 3 0 0000803f000000c000004040
// expect f32 3 0 00008040000000c100004041
module {
func.func public @main(%a0: tensor<i32>, %a1: tensor<3xf32>) -> (tensor<3xf32>) {
  %r0 = "stablehlo.case"(%a0) ({
  %k = "stablehlo.constant"() {value = dense<2.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %y = "stablehlo.multiply"(%a1, %k) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  "stablehlo.return"(%y) : (tensor<3xf32>) -> ()
  }, {
  %k = "stablehlo.constant"() {value = dense<3.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %y = "stablehlo.multiply"(%a1, %k) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  "stablehlo.return"(%y) : (tensor<3xf32>) -> ()
  }, {
  %k = "stablehlo.constant"() {value = dense<4.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %y = "stablehlo.multiply"(%a1, %k) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  "stablehlo.return"(%y) : (tensor<3xf32>) -> ()
  }) : (tensor<i32>) -> tensor<3xf32>
  "func.return"(%r0) : (tensor<3xf32>) -> ()
}
}
