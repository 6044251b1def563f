// run: canonicalize thin_product dce
func.func @main(%q: tensor<4x3x128xbf16>, %keys: tensor<1024x4x128xbf16>, %few: tensor<100x4x128xbf16>) -> (tensor<4x3x1024xbf16>, tensor<4x3x100xbf16>) {
  %0 = stablehlo.dot_general %q, %keys, batching_dims = [0] x [1], contracting_dims = [2] x [2] : (tensor<4x3x128xbf16>, tensor<1024x4x128xbf16>) -> tensor<4x3x1024xbf16>
  %1 = stablehlo.dot_general %q, %few, batching_dims = [0] x [1], contracting_dims = [2] x [2] : (tensor<4x3x128xbf16>, tensor<100x4x128xbf16>) -> tensor<4x3x100xbf16>
  return %0, %1 : tensor<4x3x1024xbf16>, tensor<4x3x100xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3x128xbf16>, %arg1: tensor<1024x4x128xbf16>, %arg2: tensor<100x4x128xbf16>) -> (tensor<4x3x1024xbf16>, tensor<4x3x100xbf16>) {
    %0 = "gantry.fusion"(%arg0, %arg1) ({
    ^bb0(%arg3: tensor<4x3x128xbf16>, %arg4: tensor<1024x4x128xbf16>):
      %1 = "stablehlo.dot_general"(%arg3, %arg4) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x3x128xbf16>, tensor<1024x4x128xbf16>) -> tensor<4x3x1024xbf16>
      "stablehlo.return"(%1) : (tensor<4x3x1024xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<4x3x128xbf16>, tensor<1024x4x128xbf16>) -> tensor<4x3x1024xbf16>
    %2 = "stablehlo.dot_general"(%arg0, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x3x128xbf16>, tensor<100x4x128xbf16>) -> tensor<4x3x100xbf16>
    "func.return"(%0, %2) : (tensor<4x3x1024xbf16>, tensor<4x3x100xbf16>) -> ()
  }
}
