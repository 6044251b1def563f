// run: canonicalize thin_product dce
func.func @main(%x: tensor<2x128xf32>, %w: tensor<64x128xi8>) -> tensor<2x64xf32> {
  %0 = "stablehlo.dot_general"(%x, %w) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x128xf32>, tensor<64x128xi8>) -> tensor<2x64xf32>
  return %0 : tensor<2x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128xf32>, %arg1: tensor<64x128xi8>) -> (tensor<2x64xf32>) {
    %0 = "gantry.fusion"(%arg0, %arg1) ({
    ^bb0(%arg2: tensor<2x128xf32>, %arg3: tensor<64x128xi8>):
      %1 = "stablehlo.dot_general"(%arg2, %arg3) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xf32>, tensor<64x128xi8>) -> tensor<2x64xf32>
      "stablehlo.return"(%1) : (tensor<2x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<2x128xf32>, tensor<64x128xi8>) -> tensor<2x64xf32>
    "func.return"(%0) : (tensor<2x64xf32>) -> ()
  }
}
