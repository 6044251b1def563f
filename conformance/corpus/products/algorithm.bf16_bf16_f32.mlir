module @products_algorithm_bf16_bf16_f32 {
  func.func public @main(%arg0: tensor<2x3x5xbf16>, %arg1: tensor<5x2x4xbf16>) -> tensor<2x3x4xbf16> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x5xbf16>, tensor<5x2x4xbf16>) -> tensor<2x3x4xbf16>
    return %0 : tensor<2x3x4xbf16>
  }
}
