// run: canonicalize thin_product dce
func.func @main(%x: tensor<2x128xf32>, %q: tensor<128x64xui8>, %z: tensor<64xui8>, %y: tensor<2x128xbf16>, %w: tensor<128x64xf32>) -> (tensor<2x64xf32>, tensor<2x64xbf16>) {
  %0 = stablehlo.broadcast_in_dim %z, dims = [1] : (tensor<64xui8>) -> tensor<128x64xui8>
  %1 = stablehlo.subtract %q, %0 : tensor<128x64xui8>
  %2 = stablehlo.convert %1 : (tensor<128x64xui8>) -> tensor<128x64xf32>
  %3 = stablehlo.dot_general %x, %2, contracting_dims = [1] x [0] : (tensor<2x128xf32>, tensor<128x64xf32>) -> tensor<2x64xf32>
  %4 = stablehlo.convert %w : (tensor<128x64xf32>) -> tensor<128x64xbf16>
  %5 = stablehlo.dot_general %y, %4, contracting_dims = [1] x [0] : (tensor<2x128xbf16>, tensor<128x64xbf16>) -> tensor<2x64xbf16>
  return %3, %5 : tensor<2x64xf32>, tensor<2x64xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128xf32>, %arg1: tensor<128x64xui8>, %arg2: tensor<64xui8>, %arg3: tensor<2x128xbf16>, %arg4: tensor<128x64xf32>) -> (tensor<2x64xf32>, tensor<2x64xbf16>) {
    %0 = "stablehlo.broadcast_in_dim"(%arg2) {broadcast_dimensions = array<i64: 1>} : (tensor<64xui8>) -> tensor<128x64xui8>
    %1 = "stablehlo.subtract"(%arg1, %0) : (tensor<128x64xui8>, tensor<128x64xui8>) -> tensor<128x64xui8>
    %2 = "gantry.fusion"(%1, %arg0) ({
    ^bb0(%arg5: tensor<128x64xui8>, %arg6: tensor<2x128xf32>):
      %3 = "stablehlo.convert"(%arg5) : (tensor<128x64xui8>) -> tensor<128x64xf32>
      %4 = "stablehlo.dot_general"(%arg6, %3) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xf32>, tensor<128x64xf32>) -> tensor<2x64xf32>
      "stablehlo.return"(%4) : (tensor<2x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<128x64xui8>, tensor<2x128xf32>) -> tensor<2x64xf32>
    %5 = "stablehlo.convert"(%arg4) : (tensor<128x64xf32>) -> tensor<128x64xbf16>
    %6 = "stablehlo.dot_general"(%arg3, %5) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xbf16>, tensor<128x64xbf16>) -> tensor<2x64xbf16>
    "func.return"(%2, %6) : (tensor<2x64xf32>, tensor<2x64xbf16>) -> ()
  }
}
