module @jit_chlo attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>) -> (tensor<4x2xf32> {jax.result_info = "result[0][0]"}, tensor<4x2xi32> {jax.result_info = "result[0][1]"}, tensor<4x4xf32> {jax.result_info = "result[1]"}, tensor<4x4xf32> {jax.result_info = "result[2]"}, tensor<4x4xf32> {jax.result_info = "result[3]"}, tensor<4x4xf32> {jax.result_info = "result[4]"}, tensor<4x4xf32> {jax.result_info = "result[5]"}) {
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4x4xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %0 = chlo.erf_inv %arg0 : tensor<4x4xf32> -> tensor<4x4xf32>
    %1 = chlo.lgamma %arg0 : tensor<4x4xf32> -> tensor<4x4xf32>
    %2 = chlo.erf %arg0 : tensor<4x4xf32> -> tensor<4x4xf32>
    %3 = chlo.asin %arg0 : tensor<4x4xf32> -> tensor<4x4xf32>
    %4 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return %values, %indices, %0, %1, %2, %3, %4 : tensor<4x2xf32>, tensor<4x2xi32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
}
