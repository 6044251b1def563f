module @products_algorithm_f32_f32_f32 {
  func.func public @main(%arg0: tensor<2x3x5xf32>, %arg1: tensor<5x2x4xf32>) -> tensor<2x3x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x5xf32>, tensor<5x2x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
}
