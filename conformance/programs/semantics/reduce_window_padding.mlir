// reduce_window_padding: stablehlo.reduce_window with padding has windows that reach over the edges.
// input f32 6 0 000080400000803f00000041000040400000a04000000040
// input f32 scalar 0 00000000
// expect f32 6 0 0000a040000050410000404100008041000020410000e040
module {
func.func public @main(%a0: tensor<6xf32>, %a1: tensor<f32>) -> (tensor<6xf32>) {
  %r0 = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %z = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%z) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 3>, padding = dense<1> : tensor<1x2xi64>} : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  "func.return"(%r0) : (tensor<6xf32>) -> ()
}
}
