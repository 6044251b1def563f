// dynamic_slice_inside: stablehlo.dynamic_slice starts at its index.
// input f32 10 0 000000000000803f0000004000004040000080400000a0400000c0400000e0400000004100001041
// input i32 scalar 0 03000000
// expect f32 4 0 00004040000080400000a0400000c040
module {
func.func public @main(%a0: tensor<10xf32>, %a1: tensor<i32>) -> (tensor<4xf32>) {
  %r0 = "stablehlo.dynamic_slice"(%a0, %a1) {slice_sizes = array<i64: 4>} : (tensor<10xf32>, tensor<i32>) -> tensor<4xf32>
  "func.return"(%r0) : (tensor<4xf32>) -> ()
}
}
