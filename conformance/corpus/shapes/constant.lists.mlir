module @shapes_constant_lists {
  func.func public @main() -> (tensor<3xi1>, tensor<3xi2>, tensor<3xi4>, tensor<3xi8>, tensor<3xi16>, tensor<3xi32>, tensor<3xi64>, tensor<3xui2>, tensor<3xui4>, tensor<3xui8>, tensor<3xui16>, tensor<3xui32>, tensor<3xui64>, tensor<3xbf16>, tensor<3xf16>, tensor<3xf32>, tensor<3xf64>, tensor<3xf8E3M4>, tensor<3xf8E4M3>, tensor<3xf8E4M3FN>, tensor<3xf8E4M3B11FNUZ>, tensor<3xf8E4M3FNUZ>, tensor<3xf8E5M2>, tensor<3xf8E5M2FNUZ>, tensor<3xf4E2M1FN>, tensor<3xf8E8M0FNU>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f64>>) {
    %c = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %c_0 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi2>
    %c_1 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi4>
    %c_2 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi8>
    %c_3 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi16>
    %c_4 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi32>
    %c_5 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi64>
    %c_6 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xui2>
    %c_7 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xui4>
    %c_8 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xui8>
    %c_9 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xui16>
    %c_10 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xui32>
    %c_11 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xui64>
    %cst = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xbf16>
    %cst_12 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf16>
    %cst_13 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf32>
    %cst_14 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf64>
    %cst_15 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf8E3M4>
    %cst_16 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf8E4M3>
    %cst_17 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf8E4M3FN>
    %cst_18 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf8E4M3B11FNUZ>
    %cst_19 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf8E4M3FNUZ>
    %cst_20 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf8E5M2>
    %cst_21 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf8E5M2FNUZ>
    %cst_22 = stablehlo.constant dense<[1.000000e+00, -5.000000e-01, 1.500000e+00]> : tensor<3xf4E2M1FN>
    %cst_23 = stablehlo.constant dense<[1.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<3xf8E8M0FNU>
    %cst_24 = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (0.000000e+00,-1.000000e+00), (5.000000e-01,5.000000e-01)]> : tensor<3xcomplex<f32>>
    %cst_25 = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (0.000000e+00,-1.000000e+00), (5.000000e-01,5.000000e-01)]> : tensor<3xcomplex<f64>>
    return %c, %c_0, %c_1, %c_2, %c_3, %c_4, %c_5, %c_6, %c_7, %c_8, %c_9, %c_10, %c_11, %cst, %cst_12, %cst_13, %cst_14, %cst_15, %cst_16, %cst_17, %cst_18, %cst_19, %cst_20, %cst_21, %cst_22, %cst_23, %cst_24, %cst_25 : tensor<3xi1>, tensor<3xi2>, tensor<3xi4>, tensor<3xi8>, tensor<3xi16>, tensor<3xi32>, tensor<3xi64>, tensor<3xui2>, tensor<3xui4>, tensor<3xui8>, tensor<3xui16>, tensor<3xui32>, tensor<3xui64>, tensor<3xbf16>, tensor<3xf16>, tensor<3xf32>, tensor<3xf64>, tensor<3xf8E3M4>, tensor<3xf8E4M3>, tensor<3xf8E4M3FN>, tensor<3xf8E4M3B11FNUZ>, tensor<3xf8E4M3FNUZ>, tensor<3xf8E5M2>, tensor<3xf8E5M2FNUZ>, tensor<3xf4E2M1FN>, tensor<3xf8E8M0FNU>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f64>>
  }
}
