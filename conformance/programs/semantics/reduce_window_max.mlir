// reduce_window_max: stablehlo.reduce_window takes the maximum of each window, by strides.
// input f32 6 0 000080400000803f00000041000040400000a04000000040
// input f32 scalar 0 000080ff
// expect f32 2 0 0000004100000041
module {
func.func public @main(%a0: tensor<6xf32>, %a1: tensor<f32>) -> (tensor<2xf32>) {
  %r0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %z = "stablehlo.maximum"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%z) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>} : (tensor<6xf32>, tensor<f32>) -> tensor<2xf32>
  "func.return"(%r0) : (tensor<2xf32>) -> ()
}
}
