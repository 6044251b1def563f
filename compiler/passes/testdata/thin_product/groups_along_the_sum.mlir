// run: canonicalize thin_product dce
func.func @main(%x: tensor<3x128xbf16>, %q: tensor<128x64xi4>, %s: tensor<4x64xbf16>) -> tensor<3x64xbf16> {
  %0 = stablehlo.reshape %q : (tensor<128x64xi4>) -> tensor<4x32x64xi4>
  %1 = stablehlo.convert %0 : (tensor<4x32x64xi4>) -> tensor<4x32x64xbf16>
  %2 = stablehlo.broadcast_in_dim %s, dims = [0, 2] : (tensor<4x64xbf16>) -> tensor<4x32x64xbf16>
  %3 = stablehlo.multiply %1, %2 : tensor<4x32x64xbf16>
  %4 = stablehlo.reshape %3 : (tensor<4x32x64xbf16>) -> tensor<128x64xbf16>
  %5 = stablehlo.dot_general %x, %4, contracting_dims = [1] x [0] : (tensor<3x128xbf16>, tensor<128x64xbf16>) -> tensor<3x64xbf16>
  return %5 : tensor<3x64xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x128xbf16>, %arg1: tensor<128x64xi4>, %arg2: tensor<4x64xbf16>) -> (tensor<3x64xbf16>) {
    %0 = "gantry.fusion"(%arg1, %arg2, %arg0) ({
    ^bb0(%arg3: tensor<128x64xi4>, %arg4: tensor<4x64xbf16>, %arg5: tensor<3x128xbf16>):
      %1 = "stablehlo.reshape"(%arg3) : (tensor<128x64xi4>) -> tensor<4x32x64xi4>
      %2 = "stablehlo.convert"(%1) : (tensor<4x32x64xi4>) -> tensor<4x32x64xbf16>
      %3 = "stablehlo.broadcast_in_dim"(%arg4) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x64xbf16>) -> tensor<4x32x64xbf16>
      %4 = "stablehlo.multiply"(%2, %3) : (tensor<4x32x64xbf16>, tensor<4x32x64xbf16>) -> tensor<4x32x64xbf16>
      %5 = "stablehlo.reshape"(%4) : (tensor<4x32x64xbf16>) -> tensor<128x64xbf16>
      %6 = "stablehlo.dot_general"(%arg5, %5) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x128xbf16>, tensor<128x64xbf16>) -> tensor<3x64xbf16>
      "stablehlo.return"(%6) : (tensor<3x64xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<128x64xi4>, tensor<4x64xbf16>, tensor<3x128xbf16>) -> tensor<3x64xbf16>
    "func.return"(%0) : (tensor<3x64xbf16>) -> ()
  }
}
