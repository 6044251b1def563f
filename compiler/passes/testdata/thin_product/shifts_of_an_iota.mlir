// run: canonicalize thin_product dce
func.func @main(%x: tensor<2x128xf32>, %p: tensor<16x64xi32>, %z: tensor<64xi32>, %s: tensor<64xf32>) -> tensor<2x64xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.constant dense<4> : tensor<8xi32>
  %2 = stablehlo.multiply %0, %1 : tensor<8xi32>
  %3 = stablehlo.broadcast_in_dim %p, dims = [0, 2] : (tensor<16x64xi32>) -> tensor<16x8x64xi32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<8xi32>) -> tensor<16x8x64xi32>
  %5 = stablehlo.shift_right_arithmetic %3, %4 : tensor<16x8x64xi32>
  %6 = stablehlo.constant dense<15> : tensor<16x8x64xi32>
  %7 = stablehlo.and %5, %6 : tensor<16x8x64xi32>
  %8 = stablehlo.reshape %7 : (tensor<16x8x64xi32>) -> tensor<128x64xi32>
  %9 = stablehlo.broadcast_in_dim %z, dims = [1] : (tensor<64xi32>) -> tensor<128x64xi32>
  %10 = stablehlo.subtract %8, %9 : tensor<128x64xi32>
  %11 = stablehlo.convert %10 : (tensor<128x64xi32>) -> tensor<128x64xf32>
  %12 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<64xf32>) -> tensor<128x64xf32>
  %13 = stablehlo.multiply %11, %12 : tensor<128x64xf32>
  %14 = stablehlo.dot_general %x, %13, contracting_dims = [1] x [0] : (tensor<2x128xf32>, tensor<128x64xf32>) -> tensor<2x64xf32>
  return %14 : tensor<2x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128xf32>, %arg1: tensor<16x64xi32>, %arg2: tensor<64xi32>, %arg3: tensor<64xf32>) -> (tensor<2x64xf32>) {
    %0 = "gantry.fusion"(%arg1, %arg2, %arg3, %arg0) ({
    ^bb0(%arg4: tensor<16x64xi32>, %arg5: tensor<64xi32>, %arg6: tensor<64xf32>, %arg7: tensor<2x128xf32>):
      %1 = "stablehlo.reshape"(%arg4) : (tensor<16x64xi32>) -> tensor<16x64xi32>
      %2 = "stablehlo.bitcast_convert"(%1) : (tensor<16x64xi32>) -> tensor<16x64x8xui4>
      %3 = "stablehlo.reshape"(%2) : (tensor<16x64x8xui4>) -> tensor<16x64x2x2x2xui4>
      %4 = "stablehlo.transpose"(%3) {permutation = array<i64: 0, 2, 3, 4, 1>} : (tensor<16x64x2x2x2xui4>) -> tensor<16x2x2x2x64xui4>
      %5 = "stablehlo.reshape"(%4) : (tensor<16x2x2x2x64xui4>) -> tensor<16x8x64xui4>
      %6 = "stablehlo.convert"(%5) : (tensor<16x8x64xui4>) -> tensor<16x8x64xi32>
      %7 = "stablehlo.reshape"(%6) : (tensor<16x8x64xi32>) -> tensor<128x64xi32>
      %8 = "stablehlo.broadcast_in_dim"(%arg5) {broadcast_dimensions = array<i64: 1>} : (tensor<64xi32>) -> tensor<128x64xi32>
      %9 = "stablehlo.subtract"(%7, %8) : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi32>
      %10 = "stablehlo.convert"(%9) : (tensor<128x64xi32>) -> tensor<128x64xf32>
      %11 = "stablehlo.broadcast_in_dim"(%arg6) {broadcast_dimensions = array<i64: 1>} : (tensor<64xf32>) -> tensor<128x64xf32>
      %12 = "stablehlo.multiply"(%10, %11) : (tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
      %13 = "stablehlo.dot_general"(%arg7, %12) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xf32>, tensor<128x64xf32>) -> tensor<2x64xf32>
      "stablehlo.return"(%13) : (tensor<2x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<16x64xi32>, tensor<64xi32>, tensor<64xf32>, tensor<2x128xf32>) -> tensor<2x64xf32>
    "func.return"(%0) : (tensor<2x64xf32>) -> ()
  }
}
