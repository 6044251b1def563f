module @elementwise_bitcast_convert_i64 {
  func.func public @main(%arg0: tensor<4x2xi64>) -> (tensor<4x2xi64>, tensor<4x2xui64>, tensor<4x2xf64>, tensor<4x2x2xi32>, tensor<4x2x2xui32>, tensor<4x2x2xf32>) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi64>) -> tensor<4x2xi64>
    %1 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi64>) -> tensor<4x2xui64>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi64>) -> tensor<4x2xf64>
    %3 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi64>) -> tensor<4x2x2xi32>
    %4 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi64>) -> tensor<4x2x2xui32>
    %5 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi64>) -> tensor<4x2x2xf32>
    return %0, %1, %2, %3, %4, %5 : tensor<4x2xi64>, tensor<4x2xui64>, tensor<4x2xf64>, tensor<4x2x2xi32>, tensor<4x2x2xui32>, tensor<4x2x2xf32>
  }
}
