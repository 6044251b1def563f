// run: fold dce
func.func @main(%x: tensor<4x3xf32>, %i: tensor<2xi32>) -> (tensor<5x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %positions = stablehlo.iota dim = 0 : tensor<5xf32>
  %half = stablehlo.constant dense<0.5> : tensor<5xf32>
  %scale = stablehlo.constant dense<0.8> : tensor<5xf32>
  %centers = stablehlo.add %positions, %half : tensor<5xf32>
  %scaled = stablehlo.multiply %centers, %scale : tensor<5xf32>
  %floor = stablehlo.floor %scaled : tensor<5xf32>
  %converted = stablehlo.convert %floor : (tensor<5xf32>) -> tensor<5xi32>
  %indices = stablehlo.reshape %converted : (tensor<5xi32>) -> tensor<5x1xi32>
  %rows = "stablehlo.gather"(%x, %indices) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  %few = stablehlo.iota dim = 0 : tensor<2xi32>
  %sum = stablehlo.add %few, %i : tensor<2xi32>
  %others = stablehlo.reshape %sum : (tensor<2xi32>) -> tensor<2x1xi32>
  %more = "stablehlo.gather"(%x, %others) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %next = stablehlo.add %few, %one : tensor<2xi32>
  %adjacent = stablehlo.reshape %next : (tensor<2xi32>) -> tensor<2x1xi32>
  %vectors = "stablehlo.gather"(%x, %adjacent) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %rows, %more, %vectors : tensor<5x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<2xi32>) -> (tensor<5x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[[0], [1], [2], [2], [3]]> : tensor<5x1xi32>} : () -> tensor<5x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
    %2 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2xi32>
    %3 = "stablehlo.add"(%2, %arg1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %4 = "stablehlo.reshape"(%3) : (tensor<2xi32>) -> tensor<2x1xi32>
    %5 = "stablehlo.gather"(%arg0, %4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
    %6 = "stablehlo.constant"() {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
    %7 = "stablehlo.add"(%2, %6) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2xi32>) -> tensor<2x1xi32>
    %9 = "stablehlo.gather"(%arg0, %8) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>} : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
    "func.return"(%1, %5, %9) : (tensor<5x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  }
}
