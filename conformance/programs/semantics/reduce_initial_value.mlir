// reduce_initial_value: stablehlo.reduce begins with its initial value, over a dimension without elements as well.
// input f32 2x0 0 -
// input f32 scalar 0 0000a040
// expect f32 2 0 0000a0400000a040
module {
func.func public @main(%a0: tensor<2x0xf32>, %a1: tensor<f32>) -> (tensor<2xf32>) {
  %r0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %z = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%z) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
  "func.return"(%r0) : (tensor<2xf32>) -> ()
}
}
