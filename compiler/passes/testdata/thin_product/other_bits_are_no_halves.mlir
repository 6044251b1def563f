// run: canonicalize thin_product dce
func.func @main(%x: tensor<3x128xf32>, %p: tensor<64x64xui8>) -> tensor<3x64xf32> {
  %31 = stablehlo.constant dense<31> : tensor<64x64xui8>
  %4 = stablehlo.constant dense<4> : tensor<64x64xui8>
  %low = stablehlo.and %p, %31 : tensor<64x64xui8>
  %high = stablehlo.shift_right_logical %p, %4 : tensor<64x64xui8>
  %0 = stablehlo.concatenate %low, %high, dim = 0 : (tensor<64x64xui8>, tensor<64x64xui8>) -> tensor<128x64xui8>
  %1 = stablehlo.convert %0 : (tensor<128x64xui8>) -> tensor<128x64xf32>
  %3 = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : (tensor<3x128xf32>, tensor<128x64xf32>) -> tensor<3x64xf32>
  return %3 : tensor<3x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x128xf32>, %arg1: tensor<64x64xui8>) -> (tensor<3x64xf32>) {
    %0 = "stablehlo.constant"() {value = dense<31> : tensor<64x64xui8>} : () -> tensor<64x64xui8>
    %1 = "stablehlo.constant"() {value = dense<4> : tensor<64x64xui8>} : () -> tensor<64x64xui8>
    %2 = "stablehlo.and"(%arg1, %0) : (tensor<64x64xui8>, tensor<64x64xui8>) -> tensor<64x64xui8>
    %3 = "stablehlo.shift_right_logical"(%arg1, %1) : (tensor<64x64xui8>, tensor<64x64xui8>) -> tensor<64x64xui8>
    %4 = "stablehlo.concatenate"(%2, %3) {dimension = 0 : i64} : (tensor<64x64xui8>, tensor<64x64xui8>) -> tensor<128x64xui8>
    %5 = "gantry.fusion"(%4, %arg0) ({
    ^bb0(%arg2: tensor<128x64xui8>, %arg3: tensor<3x128xf32>):
      %6 = "stablehlo.convert"(%arg2) : (tensor<128x64xui8>) -> tensor<128x64xf32>
      %7 = "stablehlo.dot_general"(%arg3, %6) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x128xf32>, tensor<128x64xf32>) -> tensor<3x64xf32>
      "stablehlo.return"(%7) : (tensor<3x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<128x64xui8>, tensor<3x128xf32>) -> tensor<3x64xf32>
    "func.return"(%5) : (tensor<3x64xf32>) -> ()
  }
}
