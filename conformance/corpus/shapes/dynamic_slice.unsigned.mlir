module @shapes_dynamic_slice_unsigned {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<ui8>, %arg2: tensor<ui8>) -> tensor<2x3xf32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [2, 3] : (tensor<4x5xf32>, tensor<ui8>, tensor<ui8>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
