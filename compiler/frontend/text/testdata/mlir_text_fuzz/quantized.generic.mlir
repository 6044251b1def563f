"builtin.module"() <{sym_name = "quantized"}> ({
  "func.func"() <{function_type = (tensor<2x4xf32>, tensor<4x3x!quant.uniform<i8<-127:127>:f32:1, {5.000000e-02,1.000000e-01,2.500000e-02}>>, tensor<2x4x!quant.uniform<u8:f32, 3.000000e-02:128>>) -> (tensor<2x3xf32>, tensor<4x2x!quant.uniform<u8:f32, 3.000000e-02:128>>, tensor<2xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<i8<-127:127>:f32:1, {5.000000e-02,1.000000e-01,2.500000e-02}>>, %arg2: tensor<2x4x!quant.uniform<u8:f32, 3.000000e-02:128>>):
    %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-02:3>>
    %1 = "stablehlo.dot_general"(%0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x4x!quant.uniform<i8:f32, 5.000000e-02:3>>, tensor<4x3x!quant.uniform<i8<-127:127>:f32:1, {5.000000e-02,1.000000e-01,2.500000e-02}>>) -> tensor<2x3x!quant.uniform<i32:f32:1, {2.500000e-03,5.000000e-03,1.250000e-03}>>
    %2 = "stablehlo.uniform_dequantize"(%1) : (tensor<2x3x!quant.uniform<i32:f32:1, {2.500000e-03,5.000000e-03,1.250000e-03}>>) -> tensor<2x3xf32>
    %3 = "stablehlo.add"(%arg2, %arg2) : (tensor<2x4x!quant.uniform<u8:f32, 3.000000e-02:128>>, tensor<2x4x!quant.uniform<u8:f32, 3.000000e-02:128>>) -> tensor<2x4x!quant.uniform<u8:f32, 3.000000e-02:128>>
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 1, 0>}> : (tensor<2x4x!quant.uniform<u8:f32, 3.000000e-02:128>>) -> tensor<4x2x!quant.uniform<u8:f32, 3.000000e-02:128>>
    %5 = "stablehlo.constant"() <{value = dense<[3, -4]> : tensor<2xi4>}> : () -> tensor<2x!quant.uniform<i4:f32, 5.000000e-01:-1>>
    %6 = "stablehlo.uniform_dequantize"(%5) : (tensor<2x!quant.uniform<i4:f32, 5.000000e-01:-1>>) -> tensor<2xf32>
    "func.return"(%2, %4, %6) : (tensor<2x3xf32>, tensor<4x2x!quant.uniform<u8:f32, 3.000000e-02:128>>, tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
