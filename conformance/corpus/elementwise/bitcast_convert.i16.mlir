module @elementwise_bitcast_convert_i16 {
  func.func public @main(%arg0: tensor<4x2xi16>) -> (tensor<4x2xi16>, tensor<4x2xui16>, tensor<4x2xf16>, tensor<4x2xbf16>, tensor<4x2x2xi8>, tensor<4x2x2xui8>, tensor<4x2x2xf8E5M2>, tensor<4x2x2xf8E4M3FN>, tensor<4xi32>, tensor<4xui32>, tensor<4xf32>) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4x2xi16>
    %1 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4x2xui16>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4x2xf16>
    %3 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4x2xbf16>
    %4 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4x2x2xi8>
    %5 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4x2x2xui8>
    %6 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4x2x2xf8E5M2>
    %7 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4x2x2xf8E4M3FN>
    %8 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4xi32>
    %9 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4xui32>
    %10 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xi16>) -> tensor<4xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<4x2xi16>, tensor<4x2xui16>, tensor<4x2xf16>, tensor<4x2xbf16>, tensor<4x2x2xi8>, tensor<4x2x2xui8>, tensor<4x2x2xf8E5M2>, tensor<4x2x2xf8E4M3FN>, tensor<4xi32>, tensor<4xui32>, tensor<4xf32>
  }
}
