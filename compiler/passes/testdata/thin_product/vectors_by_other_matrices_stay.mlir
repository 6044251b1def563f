// run: canonicalize thin_product dce
func.func @main(%x: tensor<1x1024xf32>, %w: tensor<512x1024xf32>, %odd: tensor<1024x1000xf32>, %few: tensor<1024x128xf32>) -> (tensor<1x512xf32>, tensor<1x1000xf32>, tensor<1x128xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<1x1024xf32>, tensor<512x1024xf32>) -> tensor<1x512xf32>
  %1 = stablehlo.dot_general %x, %odd, contracting_dims = [1] x [0] : (tensor<1x1024xf32>, tensor<1024x1000xf32>) -> tensor<1x1000xf32>
  %2 = stablehlo.dot_general %x, %few, contracting_dims = [1] x [0] : (tensor<1x1024xf32>, tensor<1024x128xf32>) -> tensor<1x128xf32>
  return %0, %1, %2 : tensor<1x512xf32>, tensor<1x1000xf32>, tensor<1x128xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1024xf32>, %arg1: tensor<512x1024xf32>, %arg2: tensor<1024x1000xf32>, %arg3: tensor<1024x128xf32>) -> (tensor<1x512xf32>, tensor<1x1000xf32>, tensor<1x128xf32>) {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1024xf32>, tensor<512x1024xf32>) -> tensor<1x512xf32>
    %1 = "stablehlo.dot_general"(%arg0, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1024xf32>, tensor<1024x1000xf32>) -> tensor<1x1000xf32>
    %2 = "stablehlo.dot_general"(%arg0, %arg3) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1024xf32>, tensor<1024x128xf32>) -> tensor<1x128xf32>
    "func.return"(%0, %1, %2) : (tensor<1x512xf32>, tensor<1x1000xf32>, tensor<1x128xf32>) -> ()
  }
}
