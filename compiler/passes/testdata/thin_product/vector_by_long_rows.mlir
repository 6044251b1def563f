// run: canonicalize thin_product dce
func.func @main(%x: tensor<1x512xbf16>, %w: tensor<512x1024xbf16>) -> tensor<1x1024xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x512xbf16>, tensor<512x1024xbf16>) -> tensor<1x1024xbf16>
  return %0 : tensor<1x1024xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x512xbf16>, %arg1: tensor<512x1024xbf16>) -> (tensor<1x1024xbf16>) {
    %0 = "gantry.fusion"(%arg0, %arg1) ({
    ^bb0(%arg2: tensor<1x512xbf16>, %arg3: tensor<512x1024xbf16>):
      %1 = "stablehlo.dot_general"(%arg2, %arg3) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x512xbf16>, tensor<512x1024xbf16>) -> tensor<1x1024xbf16>
      "stablehlo.return"(%1) : (tensor<1x1024xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<1x512xbf16>, tensor<512x1024xbf16>) -> tensor<1x1024xbf16>
    "func.return"(%0) : (tensor<1x1024xbf16>) -> ()
  }
}
