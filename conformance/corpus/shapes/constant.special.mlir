module @shapes_constant_special {
  func.func public @main() -> (tensor<4xf32>, tensor<4xi8>, tensor<0x3xf64>) {
    %cst = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, -0.000000e+00]> : tensor<4xf32>
    %c = stablehlo.constant dense<[0, -1, 127, -128]> : tensor<4xi8>
    %cst_0 = stablehlo.constant dense<> : tensor<0x3xf64>
    return %cst, %c, %cst_0 : tensor<4xf32>, tensor<4xi8>, tensor<0x3xf64>
  }
}
