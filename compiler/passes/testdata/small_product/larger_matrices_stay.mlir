// run: fusion small_product
func.func @main(%a: tensor<90x5x5xf32>) -> tensor<90x5x5xf32> {
  %0 = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<90x5x5xf32>, tensor<90x5x5xf32>) -> tensor<90x5x5xf32>
  return %0 : tensor<90x5x5xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<90x5x5xf32>) -> (tensor<90x5x5xf32>) {
    %0 = "gantry.fusion"(%arg0) ({
    ^bb0(%arg1: tensor<90x5x5xf32>):
      %1 = "stablehlo.dot_general"(%arg1, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<90x5x5xf32>, tensor<90x5x5xf32>) -> tensor<90x5x5xf32>
      "stablehlo.return"(%1) : (tensor<90x5x5xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind STANDALONE>} : (tensor<90x5x5xf32>) -> tensor<90x5x5xf32>
    "func.return"(%0) : (tensor<90x5x5xf32>) -> ()
  }
}
