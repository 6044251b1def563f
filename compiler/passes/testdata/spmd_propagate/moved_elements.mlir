// run: spmd_propagate
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  // Slices and concatenations keep a dimension sharded as far as there are elements; gathered rows are sharded like their
  // indices, updates like the operand but along what they index.
  func.func @main(%x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %i: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %u: tensor<2x8xf32>, %k: tensor<i32>) -> (tensor<2x8xf32>, tensor<32x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
    %0 = stablehlo.slice %x [3:5, 0:8] : (tensor<16x8xf32>) -> tensor<2x8xf32>
    %1 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
    %2 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<16x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %x, %u, %k, %zero : (tensor<16x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32>
    %4 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %l = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    return %0, %1, %2, %3, %4 : tensor<2x8xf32>, tensor<32x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}, %arg1: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, %arg2: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_2"}]>}, %arg3: tensor<i32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, []>}) -> (tensor<2x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_2"}]>}, tensor<32x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}, tensor<16x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}, tensor<16x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}) {
    %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 3, 0>, limit_indices = array<i64: 5, 8>, strides = array<i64: 1, 1>} : (tensor<16x8xf32>) -> tensor<2x8xf32> // [{"axis_0"}, {"axis_2"}]
    %1 = "stablehlo.concatenate"(%arg0, %arg0) {dimension = 0 : i64} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<32x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %2 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>} : (tensor<16x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %3 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32> // []
    %4 = "stablehlo.dynamic_update_slice"(%arg0, %arg2, %arg3, %3) : (tensor<16x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %5 = "stablehlo.sort"(%arg0) ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %6 = "stablehlo.compare"(%arg4, %arg5) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%6) : (tensor<i1>) -> ()
    }) {dimension = 0 : i64, is_stable = true} : (tensor<16x8xf32>) -> tensor<16x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    "func.return"(%0, %1, %2, %4, %5) : (tensor<2x8xf32>, tensor<32x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> ()
  }
}
