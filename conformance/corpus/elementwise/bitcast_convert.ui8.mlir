module @elementwise_bitcast_convert_ui8 {
  func.func public @main(%arg0: tensor<4x2xui8>) -> (tensor<4x2xi8>, tensor<4x2xui8>, tensor<4x2xf8E5M2>, tensor<4x2xf8E4M3FN>, tensor<4xi16>, tensor<4xui16>, tensor<4xf16>, tensor<4xbf16>) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xui8>) -> tensor<4x2xi8>
    %1 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xui8>) -> tensor<4x2xui8>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xui8>) -> tensor<4x2xf8E5M2>
    %3 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xui8>) -> tensor<4x2xf8E4M3FN>
    %4 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xui8>) -> tensor<4xi16>
    %5 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xui8>) -> tensor<4xui16>
    %6 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xui8>) -> tensor<4xf16>
    %7 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xui8>) -> tensor<4xbf16>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4x2xi8>, tensor<4x2xui8>, tensor<4x2xf8E5M2>, tensor<4x2xf8E4M3FN>, tensor<4xi16>, tensor<4xui16>, tensor<4xf16>, tensor<4xbf16>
  }
}
