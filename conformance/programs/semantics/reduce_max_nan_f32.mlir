// reduce_max_nan_f32: stablehlo.reduce with maximum is NaN if an element is.
// input f32 2x3 0 0000803f0000c07f0000004000004040000080ff0000807f
// input f32 scalar 0 000080ff
// expect f32 2 0 0000c07f0000807f
module {
func.func public @main(%a0: tensor<2x3xf32>, %a1: tensor<f32>) -> (tensor<2xf32>) {
  %r0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %z = "stablehlo.maximum"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%z) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  "func.return"(%r0) : (tensor<2xf32>) -> ()
}
}
