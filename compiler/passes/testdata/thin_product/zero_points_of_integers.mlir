// run: canonicalize thin_product dce
func.func @main(%x: tensor<2x128xf32>, %q: tensor<128x64xi8>, %z: tensor<64xi32>, %s: tensor<64xf32>, %w: tensor<128x64xi16>, %y: tensor<64xi16>) -> (tensor<2x64xf32>, tensor<2x64xf32>) {
  %0 = stablehlo.convert %q : (tensor<128x64xi8>) -> tensor<128x64xi32>
  %1 = stablehlo.broadcast_in_dim %z, dims = [1] : (tensor<64xi32>) -> tensor<128x64xi32>
  %2 = stablehlo.subtract %0, %1 : tensor<128x64xi32>
  %3 = stablehlo.convert %2 : (tensor<128x64xi32>) -> tensor<128x64xf32>
  %4 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<64xf32>) -> tensor<128x64xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<128x64xf32>
  %6 = stablehlo.dot_general %x, %5, contracting_dims = [1] x [0] : (tensor<2x128xf32>, tensor<128x64xf32>) -> tensor<2x64xf32>
  %7 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<64xi16>) -> tensor<128x64xi16>
  %8 = stablehlo.subtract %w, %7 : tensor<128x64xi16>
  %9 = stablehlo.convert %8 : (tensor<128x64xi16>) -> tensor<128x64xf32>
  %10 = stablehlo.dot_general %x, %9, contracting_dims = [1] x [0] : (tensor<2x128xf32>, tensor<128x64xf32>) -> tensor<2x64xf32>
  return %6, %10 : tensor<2x64xf32>, tensor<2x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128xf32>, %arg1: tensor<128x64xi8>, %arg2: tensor<64xi32>, %arg3: tensor<64xf32>, %arg4: tensor<128x64xi16>, %arg5: tensor<64xi16>) -> (tensor<2x64xf32>, tensor<2x64xf32>) {
    %0 = "gantry.fusion"(%arg1, %arg2, %arg3, %arg0) ({
    ^bb0(%arg6: tensor<128x64xi8>, %arg7: tensor<64xi32>, %arg8: tensor<64xf32>, %arg9: tensor<2x128xf32>):
      %1 = "stablehlo.convert"(%arg6) : (tensor<128x64xi8>) -> tensor<128x64xi32>
      %2 = "stablehlo.broadcast_in_dim"(%arg7) {broadcast_dimensions = array<i64: 1>} : (tensor<64xi32>) -> tensor<128x64xi32>
      %3 = "stablehlo.subtract"(%1, %2) : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi32>
      %4 = "stablehlo.convert"(%3) : (tensor<128x64xi32>) -> tensor<128x64xf32>
      %5 = "stablehlo.broadcast_in_dim"(%arg8) {broadcast_dimensions = array<i64: 1>} : (tensor<64xf32>) -> tensor<128x64xf32>
      %6 = "stablehlo.multiply"(%4, %5) : (tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
      %7 = "stablehlo.dot_general"(%arg9, %6) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xf32>, tensor<128x64xf32>) -> tensor<2x64xf32>
      "stablehlo.return"(%7) : (tensor<2x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<128x64xi8>, tensor<64xi32>, tensor<64xf32>, tensor<2x128xf32>) -> tensor<2x64xf32>
    %8 = "stablehlo.broadcast_in_dim"(%arg5) {broadcast_dimensions = array<i64: 1>} : (tensor<64xi16>) -> tensor<128x64xi16>
    %9 = "stablehlo.subtract"(%arg4, %8) : (tensor<128x64xi16>, tensor<128x64xi16>) -> tensor<128x64xi16>
    %10 = "gantry.fusion"(%9, %arg0) ({
    ^bb0(%arg10: tensor<128x64xi16>, %arg11: tensor<2x128xf32>):
      %11 = "stablehlo.convert"(%arg10) : (tensor<128x64xi16>) -> tensor<128x64xf32>
      %12 = "stablehlo.dot_general"(%arg11, %11) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xf32>, tensor<128x64xf32>) -> tensor<2x64xf32>
      "stablehlo.return"(%12) : (tensor<2x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<128x64xi16>, tensor<2x128xf32>) -> tensor<2x64xf32>
    "func.return"(%0, %10) : (tensor<2x64xf32>, tensor<2x64xf32>) -> ()
  }
}
