// dynamic_update_slice_negative: stablehlo.dynamic_update_slice with a negative index writes the first elements.
// input f32 10 0 000000000000803f0000004000004040000080400000a0400000c0400000e0400000004100001041
// input f32 4 0 0000c8420000c8420000c8420000c842
// input i32 scalar 0 fcffffff
// expect f32 10 0 0000c8420000c8420000c8420000c842000080400000a0400000c0400000e0400000004100001041
module {
func.func public @main(%a0: tensor<10xf32>, %a1: tensor<4xf32>, %a2: tensor<i32>) -> (tensor<10xf32>) {
  %r0 = "stablehlo.dynamic_update_slice"(%a0, %a1, %a2) : (tensor<10xf32>, tensor<4xf32>, tensor<i32>) -> tensor<10xf32>
  "func.return"(%r0) : (tensor<10xf32>) -> ()
}
}
