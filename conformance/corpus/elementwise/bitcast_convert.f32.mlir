module @elementwise_bitcast_convert_f32 {
  func.func public @main(%arg0: tensor<4x2xf32>) -> (tensor<4x2xi32>, tensor<4x2xui32>, tensor<4x2xf32>, tensor<4x2x2xi16>, tensor<4x2x2xui16>, tensor<4x2x2xf16>, tensor<4x2x2xbf16>, tensor<4xi64>, tensor<4xui64>, tensor<4xf64>) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xf32>) -> tensor<4x2xi32>
    %1 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xf32>) -> tensor<4x2xui32>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %3 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xf32>) -> tensor<4x2x2xi16>
    %4 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xf32>) -> tensor<4x2x2xui16>
    %5 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xf32>) -> tensor<4x2x2xf16>
    %6 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xf32>) -> tensor<4x2x2xbf16>
    %7 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xf32>) -> tensor<4xi64>
    %8 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xf32>) -> tensor<4xui64>
    %9 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xf32>) -> tensor<4xf64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<4x2xi32>, tensor<4x2xui32>, tensor<4x2xf32>, tensor<4x2x2xi16>, tensor<4x2x2xui16>, tensor<4x2x2xf16>, tensor<4x2x2xbf16>, tensor<4xi64>, tensor<4xui64>, tensor<4xf64>
  }
}
