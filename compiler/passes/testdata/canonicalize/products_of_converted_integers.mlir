// run: canonicalize dce
func.func @main(%x: tensor<2x8xi8>, %w: tensor<8x4xi4>, %u: tensor<8x4xui8>) -> (tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi8>) {
  %0 = stablehlo.convert %x : (tensor<2x8xi8>) -> tensor<2x8xi32>
  %1 = stablehlo.convert %w : (tensor<8x4xi4>) -> tensor<8x4xi16>
  %2 = stablehlo.convert %1 : (tensor<8x4xi16>) -> tensor<8x4xi32>
  %3 = stablehlo.dot_general %0, %2, contracting_dims = [1] x [0] : (tensor<2x8xi32>, tensor<8x4xi32>) -> tensor<2x4xi32>
  %4 = stablehlo.convert %u : (tensor<8x4xui8>) -> tensor<8x4xi8>
  %5 = stablehlo.dot_general %x, %4, contracting_dims = [1] x [0] : (tensor<2x8xi8>, tensor<8x4xi8>) -> tensor<2x4xi32>
  %6 = stablehlo.dot_general %x, %4, contracting_dims = [1] x [0] : (tensor<2x8xi8>, tensor<8x4xi8>) -> tensor<2x4xi8>
  return %3, %5, %6 : tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi8>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8xi8>, %arg1: tensor<8x4xi4>, %arg2: tensor<8x4xui8>) -> (tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi8>) {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8xi8>, tensor<8x4xi4>) -> tensor<2x4xi32>
    %1 = "stablehlo.convert"(%arg2) : (tensor<8x4xui8>) -> tensor<8x4xi8>
    %2 = "stablehlo.dot_general"(%arg0, %1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8xi8>, tensor<8x4xi8>) -> tensor<2x4xi32>
    %3 = "stablehlo.dot_general"(%arg0, %1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8xi8>, tensor<8x4xi8>) -> tensor<2x4xi8>
    "func.return"(%0, %2, %3) : (tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi8>) -> ()
  }
}
