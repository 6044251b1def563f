module @products_convolution_odd_order {
  func.func public @main(%arg0: tensor<6x2x4x7xf32>, %arg1: tensor<4x2x6x3xf32>) -> tensor<8x6x6x2xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [0, b, f, 1]x[i, 0, o, 1]->[1, f, 0, b], window = {stride = [1, 1], pad = [[1, 0], [2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<6x2x4x7xf32>, tensor<4x2x6x3xf32>) -> tensor<8x6x6x2xf32>
    return %0 : tensor<8x6x6x2xf32>
  }
}
