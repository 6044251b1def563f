module @products_convolution_three_dimensions {
  func.func public @main(%arg0: tensor<1x3x4x5x2xf32>, %arg1: tensor<2x2x2x2x3xf32>) -> tensor<1x2x4x5x3xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {pad = [[0, 0], [1, 0], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x5x2xf32>, tensor<2x2x2x2x3xf32>) -> tensor<1x2x4x5x3xf32>
    return %0 : tensor<1x2x4x5x3xf32>
  }
}
