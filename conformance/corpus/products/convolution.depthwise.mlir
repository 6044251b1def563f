module @products_convolution_depthwise {
  func.func public @main(%arg0: tensor<2x4x6x7xf32>, %arg1: tensor<8x1x2x3xf32>) -> tensor<2x8x6x8xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 0], [2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x4x6x7xf32>, tensor<8x1x2x3xf32>) -> tensor<2x8x6x8xf32>
    return %0 : tensor<2x8x6x8xf32>
  }
}
