// run: canonicalize thin_product dce
func.func @main(%x: tensor<2x128xbf16>, %w: tensor<64x128xi8>, %s: tensor<64x4xbf16>) -> tensor<2x64xbf16> {
  %0 = stablehlo.reshape %w : (tensor<64x128xi8>) -> tensor<64x4x32xi8>
  %1 = stablehlo.convert %0 : (tensor<64x4x32xi8>) -> tensor<64x4x32xbf16>
  %2 = stablehlo.convert %1 : (tensor<64x4x32xbf16>) -> tensor<64x4x32xf32>
  %3 = stablehlo.convert %s : (tensor<64x4xbf16>) -> tensor<64x4xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x4xf32>) -> tensor<64x4x32xf32>
  %5 = stablehlo.multiply %2, %4 : tensor<64x4x32xf32>
  %6 = stablehlo.convert %5 : (tensor<64x4x32xf32>) -> tensor<64x4x32xbf16>
  %7 = stablehlo.reshape %6 : (tensor<64x4x32xbf16>) -> tensor<64x128xbf16>
  %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<64x128xbf16>) -> tensor<128x64xbf16>
  %9 = stablehlo.dot_general %x, %8, contracting_dims = [1] x [0] : (tensor<2x128xbf16>, tensor<128x64xbf16>) -> tensor<2x64xbf16>
  return %9 : tensor<2x64xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128xbf16>, %arg1: tensor<64x128xi8>, %arg2: tensor<64x4xbf16>) -> (tensor<2x64xbf16>) {
    %0 = "gantry.fusion"(%arg1, %arg2, %arg0) ({
    ^bb0(%arg3: tensor<64x128xi8>, %arg4: tensor<64x4xbf16>, %arg5: tensor<2x128xbf16>):
      %1 = "stablehlo.reshape"(%arg3) : (tensor<64x128xi8>) -> tensor<64x4x32xi8>
      %2 = "stablehlo.convert"(%1) : (tensor<64x4x32xi8>) -> tensor<64x4x32xbf16>
      %3 = "stablehlo.convert"(%2) : (tensor<64x4x32xbf16>) -> tensor<64x4x32xf32>
      %4 = "stablehlo.convert"(%arg4) : (tensor<64x4xbf16>) -> tensor<64x4xf32>
      %5 = "stablehlo.broadcast_in_dim"(%4) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<64x4xf32>) -> tensor<64x4x32xf32>
      %6 = "stablehlo.multiply"(%3, %5) : (tensor<64x4x32xf32>, tensor<64x4x32xf32>) -> tensor<64x4x32xf32>
      %7 = "stablehlo.convert"(%6) : (tensor<64x4x32xf32>) -> tensor<64x4x32xbf16>
      %8 = "stablehlo.reshape"(%7) : (tensor<64x4x32xbf16>) -> tensor<64x128xbf16>
      %9 = "stablehlo.transpose"(%8) {permutation = array<i64: 1, 0>} : (tensor<64x128xbf16>) -> tensor<128x64xbf16>
      %10 = "stablehlo.dot_general"(%arg5, %9) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xbf16>, tensor<128x64xbf16>) -> tensor<2x64xbf16>
      "stablehlo.return"(%10) : (tensor<2x64xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<64x128xi8>, tensor<64x4xbf16>, tensor<2x128xbf16>) -> tensor<2x64xbf16>
    "func.return"(%0) : (tensor<2x64xbf16>) -> ()
  }
}
