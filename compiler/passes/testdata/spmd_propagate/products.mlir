// run: spmd_propagate
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  // Forward: rows along x, columns along y. The loss of x, a reduction, stays in the operands.
  func.func @main(%x: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %v: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<16x4xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
    %1 = stablehlo.tanh %0 : tensor<16x8xf32>
    %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
    return %2 : tensor<16x4xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, %arg1: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_2"}]>}, %arg2: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_2"}, {}]>}) -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}) {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %1 = "stablehlo.tanh"(%0) : (tensor<16x8xf32>) -> tensor<16x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %2 = "stablehlo.dot_general"(%1, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32> // [{"axis_0", "axis_1"}, {}]
    "func.return"(%2) : (tensor<16x4xf32>) -> ()
  }
}
