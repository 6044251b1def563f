module @products_algorithm_f16_f16_f32 {
  func.func public @main(%arg0: tensor<2x3x5xf16>, %arg1: tensor<5x2x4xf16>) -> tensor<2x3x4xf16> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0], algorithm = <lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x5xf16>, tensor<5x2x4xf16>) -> tensor<2x3x4xf16>
    return %0 : tensor<2x3x4xf16>
  }
}
