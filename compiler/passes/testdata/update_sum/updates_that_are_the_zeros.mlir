// run: update_sum dce
func.func @main(%x: tensor<4xi32>, %i: tensor<4x1xi32>) -> tensor<4xi32> {
  %0 = stablehlo.constant dense<0> : tensor<4xi32>
  %1 = "stablehlo.scatter"(%0, %i, %0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %t = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<4xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = stablehlo.add %x, %1 : tensor<4xi32>
  return %2 : tensor<4xi32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<4x1xi32>) -> (tensor<4xi32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<4xi32>} : () -> tensor<4xi32>
    %1 = "stablehlo.scatter"(%arg0, %arg1, %0) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %2 = "stablehlo.add"(%arg2, %arg3) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%2) : (tensor<i32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<4xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<4xi32>
    "func.return"(%1) : (tensor<4xi32>) -> ()
  }
}
