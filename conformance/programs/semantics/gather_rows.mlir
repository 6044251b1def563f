// gather_rows: stablehlo.gather takes slices at indices; indices outside are clamped.
// input f32 4x3 0 000000000000803f0000004000004040000080400000a0400000c0400000e04000000041000010410000204100003041
// input i32 5x1 0 020000000000000063000000f9ffffff03000000
// expect f32 5x3 0 0000c0400000e04000000041000000000000803f00000040000010410000204100003041000000000000803f00000040000010410000204100003041
module {
func.func public @main(%a0: tensor<4x3xf32>, %a1: tensor<5x1xi32>) -> (tensor<5x3xf32>) {
  %r0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  "func.return"(%r0) : (tensor<5x3xf32>) -> ()
}
}
