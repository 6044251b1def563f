// run: canonicalize thin_product dce
func.func @main(%x: tensor<65x128xf32>, %q: tensor<128x64xi8>) -> tensor<65x64xf32> {
  %0 = stablehlo.convert %q : (tensor<128x64xi8>) -> tensor<128x64xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<65x128xf32>, tensor<128x64xf32>) -> tensor<65x64xf32>
  return %1 : tensor<65x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<65x128xf32>, %arg1: tensor<128x64xi8>) -> (tensor<65x64xf32>) {
    %0 = "stablehlo.convert"(%arg1) : (tensor<128x64xi8>) -> tensor<128x64xf32>
    %1 = "stablehlo.dot_general"(%arg0, %0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<65x128xf32>, tensor<128x64xf32>) -> tensor<65x64xf32>
    "func.return"(%1) : (tensor<65x64xf32>) -> ()
  }
}
