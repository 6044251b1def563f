module @constants {
  func.func public @main() -> (tensor<3xi1>, tensor<17xi1>, tensor<40xi1>, tensor<i1>, tensor<4xi4>, tensor<4xui4>, tensor<2xi64>, tensor<ui64>, tensor<2xbf16>, tensor<4xf32>, tensor<2x2xf64>, tensor<2xcomplex<f32>>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>, tensor<2xi16>, tensor<3xi8>, tensor<0x4xf32>, tensor<5x7xf16>) {
    %c = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %c_0 = stablehlo.constant dense<[true, false, true, true, false, false, true, false, true, true, true, false, false, false, true, false, true]> : tensor<17xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<40xi1>
    %c_2 = stablehlo.constant dense<false> : tensor<i1>
    %c_3 = stablehlo.constant dense<[-8, 7, -1, 0]> : tensor<4xi4>
    %c_4 = stablehlo.constant dense<[15, 7, 1, 0]> : tensor<4xui4>
    %c_5 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
    %c_6 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
    %cst = stablehlo.constant dense<[1.500000e+00, -0.000000e+00]> : tensor<2xbf16>
    %cst_7 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00001, -0.000000e+00]> : tensor<4xf32>
    %cst_8 = stablehlo.constant dense<[[1.000000e-300, 3.1415926535897931], [0x7FF0000000000000, -2.500000e+00]]> : tensor<2x2xf64>
    %cst_9 = stablehlo.constant dense<[(1.000000e+00,-2.000000e+00), (5.000000e-01,2.500000e-01)]> : tensor<2xcomplex<f32>>
    %cst_10 = stablehlo.constant dense<[5.000000e-01, 1.000000e+00]> : tensor<2xf8E4M3FN>
    %cst_11 = stablehlo.constant dense<[5.000000e-01, 1.000000e+00]> : tensor<2xf8E5M2>
    %c_12 = stablehlo.constant dense<[-3, 32767]> : tensor<2xi16>
    %c_13 = stablehlo.constant dense<[1, -1, -128]> : tensor<3xi8>
    %cst_14 = stablehlo.constant dense<> : tensor<0x4xf32>
    %cst_15 = stablehlo.constant dense<3.250000e+00> : tensor<5x7xf16>
    return %c, %c_0, %c_1, %c_2, %c_3, %c_4, %c_5, %c_6, %cst, %cst_7, %cst_8, %cst_9, %cst_10, %cst_11, %c_12, %c_13, %cst_14, %cst_15 : tensor<3xi1>, tensor<17xi1>, tensor<40xi1>, tensor<i1>, tensor<4xi4>, tensor<4xui4>, tensor<2xi64>, tensor<ui64>, tensor<2xbf16>, tensor<4xf32>, tensor<2x2xf64>, tensor<2xcomplex<f32>>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>, tensor<2xi16>, tensor<3xi8>, tensor<0x4xf32>, tensor<5x7xf16>
  }
}
