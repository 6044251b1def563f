// scatter_add: stablehlo.scatter adds updates of equal indices one by one.
// input f32 4x3 0 000000000000803f0000004000004040000080400000a0400000c0400000e04000000041000010410000204100003041
// input i32 3x1 0 010000000300000001000000
// input f32 3x3 0 0000803f0000004000004040000080400000a0400000c0400000e0400000004100001041
// expect f32 4x3 0 000000000000803f000000400000304100006041000088410000c0400000e04000000041000050410000704100008841
module {
func.func public @main(%a0: tensor<4x3xf32>, %a1: tensor<3x1xi32>, %a2: tensor<3x3xf32>) -> (tensor<4x3xf32>) {
  %r0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %z = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%z) : (tensor<f32>) -> ()
  }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
  scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<4x3xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<4x3xf32>
  "func.return"(%r0) : (tensor<4x3xf32>) -> ()
}
}
