// run: canonicalize
func.func @main(%i: tensor<5x1x1xi64>, %u: tensor<2x5x1xf32>, %x: tensor<2x5x7xf32>) -> tensor<2x5x7xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<2x5x7xf32>
  %0 = "stablehlo.scatter"(%zero, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [2], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x5x7xf32>, tensor<5x1x1xi64>, tensor<2x5x1xf32>) -> tensor<2x5x7xf32>
  %1 = stablehlo.add %0, %x : tensor<2x5x7xf32>
  return %1 : tensor<2x5x7xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x1x1xi64>, %arg1: tensor<2x5x1xf32>, %arg2: tensor<2x5x7xf32>) -> (tensor<2x5x7xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x5x7xf32>} : () -> tensor<2x5x7xf32>
    %1 = "stablehlo.reshape"(%arg1) : (tensor<2x5x1xf32>) -> tensor<2x5xf32>
    %2 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x5xf32>} : () -> tensor<2x5xf32>
    %3 = "stablehlo.add"(%2, %1) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %4 = "stablehlo.broadcast_in_dim"(%3) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x5xf32>) -> tensor<2x5x7xf32>
    %5 = "stablehlo.constant"() {value = dense<-1> : tensor<5x1x1xi64>} : () -> tensor<5x1x1xi64>
    %6 = "stablehlo.maximum"(%arg0, %5) : (tensor<5x1x1xi64>, tensor<5x1x1xi64>) -> tensor<5x1x1xi64>
    %7 = "stablehlo.constant"() {value = dense<7> : tensor<5x1x1xi64>} : () -> tensor<5x1x1xi64>
    %8 = "stablehlo.minimum"(%6, %7) : (tensor<5x1x1xi64>, tensor<5x1x1xi64>) -> tensor<5x1x1xi64>
    %9 = "stablehlo.convert"(%8) : (tensor<5x1x1xi64>) -> tensor<5x1x1xi32>
    %10 = "stablehlo.reshape"(%9) : (tensor<5x1x1xi32>) -> tensor<5xi32>
    %11 = "stablehlo.broadcast_in_dim"(%10) {broadcast_dimensions = array<i64: 1>} : (tensor<5xi32>) -> tensor<2x5x7xi32>
    %12 = "stablehlo.iota"() {iota_dimension = 2 : i64} : () -> tensor<2x5x7xi32>
    %13 = "stablehlo.compare"(%12, %11) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<2x5x7xi32>, tensor<2x5x7xi32>) -> tensor<2x5x7xi1>
    %14 = "stablehlo.select"(%13, %4, %0) : (tensor<2x5x7xi1>, tensor<2x5x7xf32>, tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
    %15 = "stablehlo.add"(%14, %arg2) : (tensor<2x5x7xf32>, tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
    "func.return"(%15) : (tensor<2x5x7xf32>) -> ()
  }
}
