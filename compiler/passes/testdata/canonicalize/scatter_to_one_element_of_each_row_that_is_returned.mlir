// run: canonicalize
func.func @main(%i: tensor<5x1x1xi32>, %u: tensor<2x5x1xf32>, %x: tensor<2x5x7xf32>) -> tensor<2x5x7xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<2x5x7xf32>
  %0 = "stablehlo.scatter"(%zero, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [2], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x5x7xf32>, tensor<5x1x1xi32>, tensor<2x5x1xf32>) -> tensor<2x5x7xf32>
  return %0 : tensor<2x5x7xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x1x1xi32>, %arg1: tensor<2x5x1xf32>, %arg2: tensor<2x5x7xf32>) -> (tensor<2x5x7xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x5x7xf32>} : () -> tensor<2x5x7xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %2 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [2], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>, unique_indices = false} : (tensor<2x5x7xf32>, tensor<5x1x1xi32>, tensor<2x5x1xf32>) -> tensor<2x5x7xf32>
    "func.return"(%1) : (tensor<2x5x7xf32>) -> ()
  }
}
