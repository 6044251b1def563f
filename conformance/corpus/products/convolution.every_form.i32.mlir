module @products_convolution_every_form_i32 {
  func.func public @main(%arg0: tensor<6x2x4x7xi32>, %arg1: tensor<2x2x6x3xi32>) -> tensor<3x6x11x2xi32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [0, b, f, 1]x[i, 0, o, 1]->[1, f, 0, b], window = {stride = [1, 2], pad = [[1, 0], [2, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<6x2x4x7xi32>, tensor<2x2x6x3xi32>) -> tensor<3x6x11x2xi32>
    return %0 : tensor<3x6x11x2xi32>
  }
}
