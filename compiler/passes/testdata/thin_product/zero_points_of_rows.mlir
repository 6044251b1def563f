// run: canonicalize thin_product dce
func.func @main(%x: tensor<2x128xf32>, %q: tensor<64x128xui8>, %z: tensor<64xui8>, %s: tensor<64xf32>) -> tensor<2x64xf32> {
  %0 = stablehlo.convert %q : (tensor<64x128xui8>) -> tensor<64x128xi32>
  %1 = stablehlo.convert %z : (tensor<64xui8>) -> tensor<64xi32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<64xi32>) -> tensor<64x128xi32>
  %3 = stablehlo.subtract %0, %2 : tensor<64x128xi32>
  %4 = stablehlo.convert %3 : (tensor<64x128xi32>) -> tensor<64x128xf32>
  %5 = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %6 = stablehlo.multiply %4, %5 : tensor<64x128xf32>
  %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.dot_general %x, %7, contracting_dims = [1] x [0] : (tensor<2x128xf32>, tensor<128x64xf32>) -> tensor<2x64xf32>
  return %8 : tensor<2x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128xf32>, %arg1: tensor<64x128xui8>, %arg2: tensor<64xui8>, %arg3: tensor<64xf32>) -> (tensor<2x64xf32>) {
    %0 = "gantry.fusion"(%arg1, %arg2, %arg3, %arg0) ({
    ^bb0(%arg4: tensor<64x128xui8>, %arg5: tensor<64xui8>, %arg6: tensor<64xf32>, %arg7: tensor<2x128xf32>):
      %1 = "stablehlo.convert"(%arg4) : (tensor<64x128xui8>) -> tensor<64x128xi32>
      %2 = "stablehlo.convert"(%arg5) : (tensor<64xui8>) -> tensor<64xi32>
      %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<64xi32>) -> tensor<64x128xi32>
      %4 = "stablehlo.subtract"(%1, %3) : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
      %5 = "stablehlo.convert"(%4) : (tensor<64x128xi32>) -> tensor<64x128xf32>
      %6 = "stablehlo.broadcast_in_dim"(%arg6) {broadcast_dimensions = array<i64: 0>} : (tensor<64xf32>) -> tensor<64x128xf32>
      %7 = "stablehlo.multiply"(%5, %6) : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
      %8 = "stablehlo.transpose"(%7) {permutation = array<i64: 1, 0>} : (tensor<64x128xf32>) -> tensor<128x64xf32>
      %9 = "stablehlo.dot_general"(%arg7, %8) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xf32>, tensor<128x64xf32>) -> tensor<2x64xf32>
      "stablehlo.return"(%9) : (tensor<2x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<64x128xui8>, tensor<64xui8>, tensor<64xf32>, tensor<2x128xf32>) -> tensor<2x64xf32>
    "func.return"(%0) : (tensor<2x64xf32>) -> ()
  }
}
