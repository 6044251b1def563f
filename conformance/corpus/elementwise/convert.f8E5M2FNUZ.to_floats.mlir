module @elementwise_convert_f8E5M2FNUZ_to_floats {
  func.func public @main(%arg0: tensor<19xf8E5M2FNUZ>) -> (tensor<19xbf16>, tensor<19xf16>, tensor<19xf32>, tensor<19xf64>, tensor<19xf8E3M4>, tensor<19xf8E4M3>, tensor<19xf8E4M3FN>, tensor<19xf8E4M3B11FNUZ>, tensor<19xf8E4M3FNUZ>, tensor<19xf8E5M2>, tensor<19xf8E5M2FNUZ>, tensor<19xcomplex<f32>>, tensor<19xcomplex<f64>>) {
    %0 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xbf16>
    %1 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xf16>
    %2 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xf32>
    %3 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xf64>
    %4 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xf8E3M4>
    %5 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xf8E4M3>
    %6 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xf8E4M3FN>
    %7 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xf8E4M3B11FNUZ>
    %8 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xf8E4M3FNUZ>
    %9 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xf8E5M2>
    %10 = stablehlo.convert %arg0 : tensor<19xf8E5M2FNUZ>
    %11 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xcomplex<f32>>
    %12 = stablehlo.convert %arg0 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<19xbf16>, tensor<19xf16>, tensor<19xf32>, tensor<19xf64>, tensor<19xf8E3M4>, tensor<19xf8E4M3>, tensor<19xf8E4M3FN>, tensor<19xf8E4M3B11FNUZ>, tensor<19xf8E4M3FNUZ>, tensor<19xf8E5M2>, tensor<19xf8E5M2FNUZ>, tensor<19xcomplex<f32>>, tensor<19xcomplex<f64>>
  }
}
