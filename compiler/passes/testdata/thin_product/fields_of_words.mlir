// run: canonicalize thin_product dce
func.func @main(%x: tensor<3x128xf32>, %q: tensor<16x64xi32>, %p: tensor<128x8xi32>) -> (tensor<3x64xf32>, tensor<3x64xf32>) {
  %shifts = stablehlo.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %order = stablehlo.constant dense<[0, 16, 4, 20, 8, 24, 12, 28]> : tensor<8xi32>
  %15 = stablehlo.constant dense<15> : tensor<16x8x64xi32>
  %mask = stablehlo.constant dense<15> : tensor<128x8x8xi32>
  %8 = stablehlo.constant dense<8> : tensor<128x64xi32>
  %0 = stablehlo.broadcast_in_dim %q, dims = [0, 2] : (tensor<16x64xi32>) -> tensor<16x8x64xi32>
  %1 = stablehlo.broadcast_in_dim %shifts, dims = [1] : (tensor<8xi32>) -> tensor<16x8x64xi32>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<16x8x64xi32>
  %3 = stablehlo.and %2, %15 : tensor<16x8x64xi32>
  %4 = stablehlo.reshape %3 : (tensor<16x8x64xi32>) -> tensor<128x64xi32>
  %5 = stablehlo.subtract %4, %8 : tensor<128x64xi32>
  %6 = stablehlo.convert %5 : (tensor<128x64xi32>) -> tensor<128x64xf32>
  %7 = stablehlo.dot_general %x, %6, contracting_dims = [1] x [0] : (tensor<3x128xf32>, tensor<128x64xf32>) -> tensor<3x64xf32>
  %9 = stablehlo.broadcast_in_dim %p, dims = [0, 1] : (tensor<128x8xi32>) -> tensor<128x8x8xi32>
  %10 = stablehlo.broadcast_in_dim %order, dims = [2] : (tensor<8xi32>) -> tensor<128x8x8xi32>
  %11 = stablehlo.shift_right_logical %9, %10 : tensor<128x8x8xi32>
  %12 = stablehlo.and %11, %mask : tensor<128x8x8xi32>
  %13 = stablehlo.reshape %12 : (tensor<128x8x8xi32>) -> tensor<128x64xi32>
  %14 = stablehlo.convert %13 : (tensor<128x64xi32>) -> tensor<128x64xf32>
  %16 = stablehlo.dot_general %x, %14, contracting_dims = [1] x [0] : (tensor<3x128xf32>, tensor<128x64xf32>) -> tensor<3x64xf32>
  return %7, %16 : tensor<3x64xf32>, tensor<3x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x128xf32>, %arg1: tensor<16x64xi32>, %arg2: tensor<128x8xi32>) -> (tensor<3x64xf32>, tensor<3x64xf32>) {
    %0 = "stablehlo.constant"() {value = dense<8> : tensor<i32>} : () -> tensor<i32>
    %1 = "gantry.fusion"(%arg1, %0, %arg0) ({
    ^bb0(%arg3: tensor<16x64xi32>, %arg4: tensor<i32>, %arg5: tensor<3x128xf32>):
      %2 = "stablehlo.reshape"(%arg3) : (tensor<16x64xi32>) -> tensor<16x64xi32>
      %3 = "stablehlo.bitcast_convert"(%2) : (tensor<16x64xi32>) -> tensor<16x64x8xui4>
      %4 = "stablehlo.reshape"(%3) : (tensor<16x64x8xui4>) -> tensor<16x64x2x2x2xui4>
      %5 = "stablehlo.transpose"(%4) {permutation = array<i64: 0, 2, 3, 4, 1>} : (tensor<16x64x2x2x2xui4>) -> tensor<16x2x2x2x64xui4>
      %6 = "stablehlo.reshape"(%5) : (tensor<16x2x2x2x64xui4>) -> tensor<16x8x64xui4>
      %7 = "stablehlo.convert"(%6) : (tensor<16x8x64xui4>) -> tensor<16x8x64xi32>
      %8 = "stablehlo.reshape"(%7) : (tensor<16x8x64xi32>) -> tensor<128x64xi32>
      %9 = "stablehlo.broadcast_in_dim"(%arg4) {broadcast_dimensions = array<i64>} : (tensor<i32>) -> tensor<128x64xi32>
      %10 = "stablehlo.subtract"(%8, %9) : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi32>
      %11 = "stablehlo.convert"(%10) : (tensor<128x64xi32>) -> tensor<128x64xf32>
      %12 = "stablehlo.dot_general"(%arg5, %11) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x128xf32>, tensor<128x64xf32>) -> tensor<3x64xf32>
      "stablehlo.return"(%12) : (tensor<3x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<16x64xi32>, tensor<i32>, tensor<3x128xf32>) -> tensor<3x64xf32>
    %13 = "gantry.fusion"(%arg2, %arg0) ({
    ^bb0(%arg6: tensor<128x8xi32>, %arg7: tensor<3x128xf32>):
      %14 = "stablehlo.reshape"(%arg6) : (tensor<128x8xi32>) -> tensor<128x8xi32>
      %15 = "stablehlo.bitcast_convert"(%14) : (tensor<128x8xi32>) -> tensor<128x8x8xui4>
      %16 = "stablehlo.reshape"(%15) : (tensor<128x8x8xui4>) -> tensor<128x8x2x2x2xui4>
      %17 = "stablehlo.transpose"(%16) {permutation = array<i64: 0, 1, 3, 4, 2>} : (tensor<128x8x2x2x2xui4>) -> tensor<128x8x2x2x2xui4>
      %18 = "stablehlo.reshape"(%17) : (tensor<128x8x2x2x2xui4>) -> tensor<128x8x8xui4>
      %19 = "stablehlo.convert"(%18) : (tensor<128x8x8xui4>) -> tensor<128x8x8xi32>
      %20 = "stablehlo.reshape"(%19) : (tensor<128x8x8xi32>) -> tensor<128x64xi32>
      %21 = "stablehlo.convert"(%20) : (tensor<128x64xi32>) -> tensor<128x64xf32>
      %22 = "stablehlo.dot_general"(%arg7, %21) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x128xf32>, tensor<128x64xf32>) -> tensor<3x64xf32>
      "stablehlo.return"(%22) : (tensor<3x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<128x8xi32>, tensor<3x128xf32>) -> tensor<3x64xf32>
    "func.return"(%1, %13) : (tensor<3x64xf32>, tensor<3x64xf32>) -> ()
  }
}
