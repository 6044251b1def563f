// run: canonicalize layout dce
func.func @main(%x: tensor<48x32xf32>, %y: tensor<48x64xf32>) -> tensor<32x64xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<48x32xf32>) -> tensor<32x48xf32>
  %0 = stablehlo.dot_general %t, %y, contracting_dims = [1] x [0] : (tensor<32x48xf32>, tensor<48x64xf32>) -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<48x32xf32>, %arg1: tensor<48x64xf32>) -> (tensor<32x64xf32>) {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<48x32xf32>, tensor<48x64xf32>) -> tensor<32x64xf32>
    "func.return"(%0) : (tensor<32x64xf32>) -> ()
  }
}
