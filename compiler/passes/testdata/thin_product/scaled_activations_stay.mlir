// run: canonicalize thin_product dce
func.func @main(%w: tensor<32x64xf32>, %x: tensor<128x64xf32>, %s: tensor<128xf32>) -> tensor<32x128xf32> {
  %0 = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<128xf32>) -> tensor<128x64xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<128x64xf32>
  %2 = stablehlo.dot_general %w, %1, contracting_dims = [1] x [1] : (tensor<32x64xf32>, tensor<128x64xf32>) -> tensor<32x128xf32>
  return %2 : tensor<32x128xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x64xf32>, %arg1: tensor<128x64xf32>, %arg2: tensor<128xf32>) -> (tensor<32x128xf32>) {
    %0 = "stablehlo.broadcast_in_dim"(%arg2) {broadcast_dimensions = array<i64: 0>} : (tensor<128xf32>) -> tensor<128x64xf32>
    %1 = "stablehlo.multiply"(%arg1, %0) : (tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
    %2 = "stablehlo.dot_general"(%arg0, %1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<32x64xf32>, tensor<128x64xf32>) -> tensor<32x128xf32>
    "func.return"(%2) : (tensor<32x128xf32>) -> ()
  }
}
