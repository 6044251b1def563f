"builtin.module"() <{sym_name = "constants"}> ({
  "func.func"() <{function_type = () -> (tensor<3xi1>, tensor<17xi1>, tensor<40xi1>, tensor<i1>, tensor<4xi4>, tensor<4xui4>, tensor<2xi64>, tensor<ui64>, tensor<2xbf16>, tensor<4xf32>, tensor<2x2xf64>, tensor<2xcomplex<f32>>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>, tensor<2xi16>, tensor<3xi8>, tensor<0x4xf32>, tensor<5x7xf16>), sym_name = "main", sym_visibility = "public"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[true, false, true]> : tensor<3xi1>}> : () -> tensor<3xi1>
    %1 = "stablehlo.constant"() <{value = dense<[true, false, true, true, false, false, true, false, true, true, true, false, false, false, true, false, true]> : tensor<17xi1>}> : () -> tensor<17xi1>
    %2 = "stablehlo.constant"() <{value = dense<true> : tensor<40xi1>}> : () -> tensor<40xi1>
    %3 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %4 = "stablehlo.constant"() <{value = dense<[-8, 7, -1, 0]> : tensor<4xi4>}> : () -> tensor<4xi4>
    %5 = "stablehlo.constant"() <{value = dense<[15, 7, 1, 0]> : tensor<4xui4>}> : () -> tensor<4xui4>
    %6 = "stablehlo.constant"() <{value = dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %7 = "stablehlo.constant"() <{value = dense<18446744073709551615> : tensor<ui64>}> : () -> tensor<ui64>
    %8 = "stablehlo.constant"() <{value = dense<[1.500000e+00, -0.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %9 = "stablehlo.constant"() <{value = dense<[0x7F800000, 0xFF800000, 0x7FC00001, -0.000000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %10 = "stablehlo.constant"() <{value = dense<[[1.000000e-300, 3.1415926535897931], [0x7FF0000000000000, -2.500000e+00]]> : tensor<2x2xf64>}> : () -> tensor<2x2xf64>
    %11 = "stablehlo.constant"() <{value = dense<[(1.000000e+00,-2.000000e+00), (5.000000e-01,2.500000e-01)]> : tensor<2xcomplex<f32>>}> : () -> tensor<2xcomplex<f32>>
    %12 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00]> : tensor<2xf8E4M3FN>}> : () -> tensor<2xf8E4M3FN>
    %13 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00]> : tensor<2xf8E5M2>}> : () -> tensor<2xf8E5M2>
    %14 = "stablehlo.constant"() <{value = dense<[-3, 32767]> : tensor<2xi16>}> : () -> tensor<2xi16>
    %15 = "stablehlo.constant"() <{value = dense<[1, -1, -128]> : tensor<3xi8>}> : () -> tensor<3xi8>
    %16 = "stablehlo.constant"() <{value = dense<> : tensor<0x4xf32>}> : () -> tensor<0x4xf32>
    %17 = "stablehlo.constant"() <{value = dense<3.250000e+00> : tensor<5x7xf16>}> : () -> tensor<5x7xf16>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17) : (tensor<3xi1>, tensor<17xi1>, tensor<40xi1>, tensor<i1>, tensor<4xi4>, tensor<4xui4>, tensor<2xi64>, tensor<ui64>, tensor<2xbf16>, tensor<4xf32>, tensor<2x2xf64>, tensor<2xcomplex<f32>>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>, tensor<2xi16>, tensor<3xi8>, tensor<0x4xf32>, tensor<5x7xf16>) -> ()
  }) : () -> ()
}) : () -> ()
