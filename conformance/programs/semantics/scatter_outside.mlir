// scatter_outside: stablehlo.scatter leaves updates out whose indices are outside.
// input f32 4x3 0 000000000000803f0000004000004040000080400000a0400000c0400000e04000000041000010410000204100003041
// input i32 4x1 0 0400000002000000ffffffff40420f00
// input f32 4x3 0 0000803f0000004000004040000080400000a0400000c0400000e0400000004100001041000020410000304100004041
// expect f32 4x3 0 000000000000803f0000004000004040000080400000a040000080400000a0400000c040000010410000204100003041
module {
func.func public @main(%a0: tensor<4x3xf32>, %a1: tensor<4x1xi32>, %a2: tensor<4x3xf32>) -> (tensor<4x3xf32>) {
  %r0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %z = "stablehlo.maximum"(%y, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%z) : (tensor<f32>) -> ()
  }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
  scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<4x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  "func.return"(%r0) : (tensor<4x3xf32>) -> ()
}
}
