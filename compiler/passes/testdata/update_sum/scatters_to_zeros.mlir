// run: update_sum dce
func.func @main(%n: tensor<64xi32>, %x: tensor<64xf32>, %i: tensor<1xi32>, %u: tensor<f32>, %w: tensor<i32>, %many: tensor<3x1xi32>, %v: tensor<3xf32>) -> (tensor<64xi32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = stablehlo.constant dense<0> : tensor<64xi32>
  %f0 = stablehlo.constant dense<0.0> : tensor<64xf32>
  %1 = "stablehlo.scatter"(%0, %i, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %t = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<64xi32>, tensor<1xi32>, tensor<i32>) -> tensor<64xi32>
  %2 = stablehlo.add %n, %1 : tensor<64xi32>
  %3 = "stablehlo.scatter"(%f0, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<64xf32>, tensor<1xi32>, tensor<f32>) -> tensor<64xf32>
  %4 = stablehlo.add %x, %3 : tensor<64xf32>
  %5 = "stablehlo.scatter"(%f0, %many, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<64xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<64xf32>
  %6 = stablehlo.add %x, %5 : tensor<64xf32>
  return %2, %4, %6 : tensor<64xi32>, tensor<64xf32>, tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xi32>, %arg1: tensor<64xf32>, %arg2: tensor<1xi32>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<3x1xi32>, %arg6: tensor<3xf32>) -> (tensor<64xi32>, tensor<64xf32>, tensor<64xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<64xf32>} : () -> tensor<64xf32>
    %1 = "stablehlo.scatter"(%arg0, %arg2, %arg4) ({
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<i32>):
      %2 = "stablehlo.add"(%arg7, %arg8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%2) : (tensor<i32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>, unique_indices = false} : (tensor<64xi32>, tensor<1xi32>, tensor<i32>) -> tensor<64xi32>
    %3 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<64xf32>} : () -> tensor<64xf32>
    %4 = "stablehlo.add"(%arg1, %3) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %5 = "stablehlo.scatter"(%4, %arg2, %arg3) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %6 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>, unique_indices = false} : (tensor<64xf32>, tensor<1xi32>, tensor<f32>) -> tensor<64xf32>
    %7 = "stablehlo.scatter"(%0, %arg5, %arg6) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %8 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<64xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<64xf32>
    %9 = "stablehlo.add"(%arg1, %7) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    "func.return"(%1, %5, %9) : (tensor<64xi32>, tensor<64xf32>, tensor<64xf32>) -> ()
  }
}
