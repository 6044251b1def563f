// run: spmd_propagate
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  // Both operands want x for a dimension of the product: the larger operand wins, as with parameters that are sharded like
  // the batch. Along the other dimension the second product's operands disagree, and keep their shardings.
  func.func @main(%x: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    %1 = stablehlo.add %x, %b : tensor<64x32xf32>
    return %0, %1 : tensor<64x32xf32>, tensor<64x32xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, %arg1: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_0", "axis_1"}]>}, %arg2: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_2"}, {}]>}) -> (tensor<64x32xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, tensor<64x32xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {}]>}) {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32> // [{"axis_0", "axis_1"}, {}]
    %1 = "stablehlo.add"(%arg0, %arg2) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32> // [{}, {}]
    "func.return"(%0, %1) : (tensor<64x32xf32>, tensor<64x32xf32>) -> ()
  }
}
