module @elementwise_convert_ui4_to_floats {
  func.func public @main(%arg0: tensor<9xui4>) -> (tensor<9xbf16>, tensor<9xf16>, tensor<9xf32>, tensor<9xf64>, tensor<9xf8E3M4>, tensor<9xf8E4M3>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E5M2>, tensor<9xf8E5M2FNUZ>, tensor<9xcomplex<f32>>, tensor<9xcomplex<f64>>) {
    %0 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xbf16>
    %1 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xf16>
    %2 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xf32>
    %3 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xf64>
    %4 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xf8E3M4>
    %5 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xf8E4M3>
    %6 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xf8E4M3FN>
    %7 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xf8E4M3B11FNUZ>
    %8 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xf8E4M3FNUZ>
    %9 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xf8E5M2>
    %10 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xf8E5M2FNUZ>
    %11 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xcomplex<f32>>
    %12 = stablehlo.convert %arg0 : (tensor<9xui4>) -> tensor<9xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<9xbf16>, tensor<9xf16>, tensor<9xf32>, tensor<9xf64>, tensor<9xf8E3M4>, tensor<9xf8E4M3>, tensor<9xf8E4M3FN>, tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3FNUZ>, tensor<9xf8E5M2>, tensor<9xf8E5M2FNUZ>, tensor<9xcomplex<f32>>, tensor<9xcomplex<f64>>
  }
}
