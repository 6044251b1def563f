// run: canonicalize thin_product dce
func.func @main(%x: tensor<2x128xbf16>, %w: tensor<128x64xui4>) -> tensor<2x64xbf16> {
  %t = stablehlo.constant dense<[-1.0, -0.7, -0.5, -0.4, -0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.6, 0.7, 1.0]> : tensor<16xf32>
  %0 = stablehlo.reshape %w : (tensor<128x64xui4>) -> tensor<8192x1xui4>
  %1 = "stablehlo.gather"(%t, %0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<16xf32>, tensor<8192x1xui4>) -> tensor<8192x1xf32>
  %2 = stablehlo.reshape %1 : (tensor<8192x1xf32>) -> tensor<128x64xf32>
  %3 = stablehlo.convert %2 : (tensor<128x64xf32>) -> tensor<128x64xbf16>
  %4 = stablehlo.dot_general %x, %3, contracting_dims = [1] x [0] : (tensor<2x128xbf16>, tensor<128x64xbf16>) -> tensor<2x64xbf16>
  return %4 : tensor<2x64xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128xbf16>, %arg1: tensor<128x64xui4>) -> (tensor<2x64xbf16>) {
    %0 = "stablehlo.constant"() {value = dense<[-1.000000e+00, -6.992188e-01, -5.000000e-01, -4.003906e-01, -3.007812e-01, -2.001953e-01, -1.000977e-01, 0.000000e+00, 1.000977e-01, 2.001953e-01, 2.500000e-01, 3.007812e-01, 4.003906e-01, 6.015625e-01, 6.992188e-01, 1.000000e+00]> : tensor<16xbf16>} : () -> tensor<16xbf16>
    %1 = "gantry.fusion"(%arg1, %0, %arg0) ({
    ^bb0(%arg2: tensor<128x64xui4>, %arg3: tensor<16xbf16>, %arg4: tensor<2x128xbf16>):
      %2 = "stablehlo.reshape"(%arg2) : (tensor<128x64xui4>) -> tensor<128x64xui4>
      %3 = "stablehlo.bitcast_convert"(%2) : (tensor<128x64xui4>) -> tensor<128x64xui4>
      %4 = "stablehlo.reshape"(%3) : (tensor<128x64xui4>) -> tensor<128x64xui4>
      %5 = "stablehlo.transpose"(%4) {permutation = array<i64: 0, 1>} : (tensor<128x64xui4>) -> tensor<128x64xui4>
      %6 = "stablehlo.reshape"(%5) : (tensor<128x64xui4>) -> tensor<128x64xui4>
      %7 = "stablehlo.convert"(%6) : (tensor<128x64xui4>) -> tensor<128x64xi32>
      %8 = "stablehlo.gather"(%arg3, %7) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<16xbf16>, tensor<128x64xi32>) -> tensor<128x64xbf16>
      %9 = "stablehlo.dot_general"(%arg4, %8) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xbf16>, tensor<128x64xbf16>) -> tensor<2x64xbf16>
      "stablehlo.return"(%9) : (tensor<2x64xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<128x64xui4>, tensor<16xbf16>, tensor<2x128xbf16>) -> tensor<2x64xbf16>
    "func.return"(%1) : (tensor<2x64xbf16>) -> ()
  }
}
