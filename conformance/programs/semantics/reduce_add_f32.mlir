// reduce_add_f32: stablehlo.reduce with add sums over the named dimensions.
// input f32 2x3x4 0 000000000000803f0000004000004040000080400000a0400000c0400000e0400000004100001041000020410000304100004041000050410000604100007041000080410000884100009041000098410000a0410000a8410000b0410000b841
// input f32 scalar 0 00000000
// expect f32 3 0 000070420000b8420000f842
module {
func.func public @main(%a0: tensor<2x3x4xf32>, %a1: tensor<f32>) -> (tensor<3xf32>) {
  %r0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %z = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%z) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
  "func.return"(%r0) : (tensor<3xf32>) -> ()
}
}
