module @products_dynamic_conv {
  func.func public @main(%arg0: tensor<1x5x5x2xf32>, %arg1: tensor<3x3x2x4xf32>) -> tensor<1x3x5x4xf32> {
    %c = stablehlo.constant dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>
    %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 1>}> : (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x3x5x4xf32>
    return %0 : tensor<1x3x5x4xf32>
  }
}
