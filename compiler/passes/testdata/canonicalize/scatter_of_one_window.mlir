// run: canonicalize
func.func @main(%x: tensor<21x21x3xf32>, %u: tensor<20x20x3xf32>) -> tensor<21x21x3xf32> {
  %c = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %0 = "stablehlo.scatter"(%x, %c, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<21x21x3xf32>, tensor<2xi32>, tensor<20x20x3xf32>) -> tensor<21x21x3xf32>
  return %0 : tensor<21x21x3xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<21x21x3xf32>, %arg1: tensor<20x20x3xf32>) -> (tensor<21x21x3xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
    %1 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0, 0>, limit_indices = array<i64: 21, 20, 3>, strides = array<i64: 1, 1, 1>} : (tensor<21x21x3xf32>) -> tensor<20x20x3xf32>
    %2 = "stablehlo.add"(%1, %arg1) : (tensor<20x20x3xf32>, tensor<20x20x3xf32>) -> tensor<20x20x3xf32>
    %3 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %4 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %5 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %6 = "stablehlo.dynamic_update_slice"(%arg0, %2, %3, %4, %5) : (tensor<21x21x3xf32>, tensor<20x20x3xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<21x21x3xf32>
    "func.return"(%6) : (tensor<21x21x3xf32>) -> ()
  }
}
