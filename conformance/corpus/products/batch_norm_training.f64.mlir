module @products_batch_norm_training_f64 {
  func.func public @main(%arg0: tensor<2x3x4xf64>, %arg1: tensor<3xf64>, %arg2: tensor<3xf64>) -> (tensor<2x3x4xf64>, tensor<3xf64>, tensor<3xf64>) {
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<2x3x4xf64>, tensor<3xf64>, tensor<3xf64>)
    return %output, %batch_mean, %batch_var : tensor<2x3x4xf64>, tensor<3xf64>, tensor<3xf64>
  }
}
