module @products_convolution_one_dimension {
  func.func public @main(%arg0: tensor<2x9x3xf32>, %arg1: tensor<4x3x5xf32>) -> tensor<2x5x5xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x3xf32>, tensor<4x3x5xf32>) -> tensor<2x5x5xf32>
    return %0 : tensor<2x5x5xf32>
  }
}
