// run: canonicalize thin_product dce
func.func @main(%x: tensor<2x128xbf16>, %p: tensor<64x64xui8>, %t: tensor<16xf32>, %s: tensor<64xbf16>) -> tensor<2x64xbf16> {
  %15 = stablehlo.constant dense<15> : tensor<64x64xui8>
  %4 = stablehlo.constant dense<4> : tensor<64x64xui8>
  %low = stablehlo.and %p, %15 : tensor<64x64xui8>
  %high = stablehlo.shift_right_logical %p, %4 : tensor<64x64xui8>
  %0 = stablehlo.concatenate %low, %high, dim = 0 : (tensor<64x64xui8>, tensor<64x64xui8>) -> tensor<128x64xui8>
  %1 = stablehlo.reshape %0 : (tensor<128x64xui8>) -> tensor<128x64x1xui8>
  %2 = "stablehlo.gather"(%t, %1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>} : (tensor<16xf32>, tensor<128x64x1xui8>) -> tensor<128x64xf32>
  %3 = stablehlo.convert %2 : (tensor<128x64xf32>) -> tensor<128x64xbf16>
  %5 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<64xbf16>) -> tensor<128x64xbf16>
  %6 = stablehlo.multiply %3, %5 : tensor<128x64xbf16>
  %7 = stablehlo.dot_general %x, %6, contracting_dims = [1] x [0] : (tensor<2x128xbf16>, tensor<128x64xbf16>) -> tensor<2x64xbf16>
  return %7 : tensor<2x64xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128xbf16>, %arg1: tensor<64x64xui8>, %arg2: tensor<16xf32>, %arg3: tensor<64xbf16>) -> (tensor<2x64xbf16>) {
    %0 = "stablehlo.constant"() {value = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>} : () -> tensor<16xi32>
    %1 = "stablehlo.gather"(%arg2, %0) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<16xf32>, tensor<16xi32>) -> tensor<16xf32>
    %2 = "stablehlo.convert"(%1) : (tensor<16xf32>) -> tensor<16xbf16>
    %3 = "gantry.fusion"(%arg1, %2, %arg3, %arg0) ({
    ^bb0(%arg4: tensor<64x64xui8>, %arg5: tensor<16xbf16>, %arg6: tensor<64xbf16>, %arg7: tensor<2x128xbf16>):
      %4 = "stablehlo.reshape"(%arg4) : (tensor<64x64xui8>) -> tensor<64x64xui8>
      %5 = "stablehlo.bitcast_convert"(%4) : (tensor<64x64xui8>) -> tensor<64x64x2xui4>
      %6 = "stablehlo.reshape"(%5) : (tensor<64x64x2xui4>) -> tensor<64x64x2xui4>
      %7 = "stablehlo.transpose"(%6) {permutation = array<i64: 2, 0, 1>} : (tensor<64x64x2xui4>) -> tensor<2x64x64xui4>
      %8 = "stablehlo.reshape"(%7) : (tensor<2x64x64xui4>) -> tensor<128x64xui4>
      %9 = "stablehlo.convert"(%8) : (tensor<128x64xui4>) -> tensor<128x64xi32>
      %10 = "stablehlo.gather"(%arg5, %9) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<16xbf16>, tensor<128x64xi32>) -> tensor<128x64xbf16>
      %11 = "stablehlo.broadcast_in_dim"(%arg6) {broadcast_dimensions = array<i64: 1>} : (tensor<64xbf16>) -> tensor<128x64xbf16>
      %12 = "stablehlo.multiply"(%10, %11) : (tensor<128x64xbf16>, tensor<128x64xbf16>) -> tensor<128x64xbf16>
      %13 = "stablehlo.dot_general"(%arg7, %12) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xbf16>, tensor<128x64xbf16>) -> tensor<2x64xbf16>
      "stablehlo.return"(%13) : (tensor<2x64xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<64x64xui8>, tensor<16xbf16>, tensor<64xbf16>, tensor<2x128xbf16>) -> tensor<2x64xbf16>
    "func.return"(%3) : (tensor<2x64xbf16>) -> ()
  }
}
