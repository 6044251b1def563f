// run: canonicalize thin_product dce
func.func @main(%x: tensor<3x128xf32>, %p: tensor<64x64xui8>, %y: tensor<2x128xbf16>, %q: tensor<64x64xi8>) -> (tensor<3x64xf32>, tensor<2x64xbf16>) {
  %15 = stablehlo.constant dense<15> : tensor<64x64xui8>
  %4 = stablehlo.constant dense<4> : tensor<64x64xui8>
  %8 = stablehlo.constant dense<8> : tensor<128x64xf32>
  %low = stablehlo.and %p, %15 : tensor<64x64xui8>
  %high = stablehlo.shift_right_logical %p, %4 : tensor<64x64xui8>
  %0 = stablehlo.concatenate %high, %low, dim = 0 : (tensor<64x64xui8>, tensor<64x64xui8>) -> tensor<128x64xui8>
  %1 = stablehlo.convert %0 : (tensor<128x64xui8>) -> tensor<128x64xf32>
  %2 = stablehlo.subtract %1, %8 : tensor<128x64xf32>
  %3 = stablehlo.dot_general %x, %2, contracting_dims = [1] x [0] : (tensor<3x128xf32>, tensor<128x64xf32>) -> tensor<3x64xf32>
  %5 = stablehlo.bitcast_convert %q : (tensor<64x64xi8>) -> tensor<64x64x2xi4>
  %6 = stablehlo.reshape %5 : (tensor<64x64x2xi4>) -> tensor<64x128xi4>
  %7 = stablehlo.convert %6 : (tensor<64x128xi4>) -> tensor<64x128xbf16>
  %9 = stablehlo.dot_general %y, %7, contracting_dims = [1] x [1] : (tensor<2x128xbf16>, tensor<64x128xbf16>) -> tensor<2x64xbf16>
  return %3, %9 : tensor<3x64xf32>, tensor<2x64xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x128xf32>, %arg1: tensor<64x64xui8>, %arg2: tensor<2x128xbf16>, %arg3: tensor<64x64xi8>) -> (tensor<3x64xf32>, tensor<2x64xbf16>) {
    %0 = "stablehlo.constant"() {value = dense<8.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "gantry.fusion"(%arg1, %0, %arg0) ({
    ^bb0(%arg4: tensor<64x64xui8>, %arg5: tensor<f32>, %arg6: tensor<3x128xf32>):
      %2 = "stablehlo.reshape"(%arg4) : (tensor<64x64xui8>) -> tensor<64x64xui8>
      %3 = "stablehlo.bitcast_convert"(%2) : (tensor<64x64xui8>) -> tensor<64x64x2xui4>
      %4 = "stablehlo.reshape"(%3) : (tensor<64x64x2xui4>) -> tensor<64x64x2xui4>
      %5 = "stablehlo.reverse"(%4) {dimensions = array<i64: 2>} : (tensor<64x64x2xui4>) -> tensor<64x64x2xui4>
      %6 = "stablehlo.transpose"(%5) {permutation = array<i64: 2, 0, 1>} : (tensor<64x64x2xui4>) -> tensor<2x64x64xui4>
      %7 = "stablehlo.reshape"(%6) : (tensor<2x64x64xui4>) -> tensor<128x64xui4>
      %8 = "stablehlo.convert"(%7) : (tensor<128x64xui4>) -> tensor<128x64xui8>
      %9 = "stablehlo.convert"(%8) : (tensor<128x64xui8>) -> tensor<128x64xf32>
      %10 = "stablehlo.broadcast_in_dim"(%arg5) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<128x64xf32>
      %11 = "stablehlo.subtract"(%9, %10) : (tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
      %12 = "stablehlo.dot_general"(%arg6, %11) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x128xf32>, tensor<128x64xf32>) -> tensor<3x64xf32>
      "stablehlo.return"(%12) : (tensor<3x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<64x64xui8>, tensor<f32>, tensor<3x128xf32>) -> tensor<3x64xf32>
    %13 = "gantry.fusion"(%arg3, %arg2) ({
    ^bb0(%arg7: tensor<64x64xi8>, %arg8: tensor<2x128xbf16>):
      %14 = "stablehlo.bitcast_convert"(%arg7) : (tensor<64x64xi8>) -> tensor<64x64x2xi4>
      %15 = "stablehlo.reshape"(%14) : (tensor<64x64x2xi4>) -> tensor<64x128xi4>
      %16 = "stablehlo.convert"(%15) : (tensor<64x128xi4>) -> tensor<64x128xbf16>
      %17 = "stablehlo.dot_general"(%arg8, %16) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xbf16>, tensor<64x128xbf16>) -> tensor<2x64xbf16>
      "stablehlo.return"(%17) : (tensor<2x64xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<64x64xi8>, tensor<2x128xbf16>) -> tensor<2x64xbf16>
    "func.return"(%1, %13) : (tensor<3x64xf32>, tensor<2x64xbf16>) -> ()
  }
}
