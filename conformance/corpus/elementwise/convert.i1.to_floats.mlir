module @elementwise_convert_i1_to_floats {
  func.func public @main(%arg0: tensor<2xi1>) -> (tensor<2xbf16>, tensor<2xf16>, tensor<2xf32>, tensor<2xf64>, tensor<2xf8E3M4>, tensor<2xf8E4M3>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3B11FNUZ>, tensor<2xf8E4M3FNUZ>, tensor<2xf8E5M2>, tensor<2xf8E5M2FNUZ>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f64>>) {
    %0 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xbf16>
    %1 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf16>
    %2 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf32>
    %3 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf64>
    %4 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E3M4>
    %5 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E4M3>
    %6 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E4M3FN>
    %7 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E4M3B11FNUZ>
    %8 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E4M3FNUZ>
    %9 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E5M2>
    %10 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E5M2FNUZ>
    %11 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xcomplex<f32>>
    %12 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2xbf16>, tensor<2xf16>, tensor<2xf32>, tensor<2xf64>, tensor<2xf8E3M4>, tensor<2xf8E4M3>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3B11FNUZ>, tensor<2xf8E4M3FNUZ>, tensor<2xf8E5M2>, tensor<2xf8E5M2FNUZ>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f64>>
  }
}
