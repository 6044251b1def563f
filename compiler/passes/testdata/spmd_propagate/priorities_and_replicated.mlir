// run: spmd_propagate
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  // The later priority loses although it is the larger value; y is kept out of the open dimension of the last result.
  func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p0, {}]>}, %b: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}p1]>}, %c: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<8x64xf32>, tensor<16xf32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %1 = stablehlo.negate %c : tensor<16xf32>
    %2 = "gantry.sharding_constraint"(%1) {sharding = #sdy.sharding<@mesh, [{?}], replicated={"y"}>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %2 : tensor<8x64xf32>, tensor<16xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, %arg1: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_0", "axis_1"}]>}, %arg2: tensor<16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1", "axis_2"}]>}) -> (tensor<8x64xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, tensor<16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}]>}) {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32> // [{"axis_0", "axis_1"}, {}]
    %1 = "stablehlo.negate"(%arg2) : (tensor<16xf32>) -> tensor<16xf32> // [{"axis_0", "axis_1", "axis_2"}]
    %2 = "gantry.sharding_constraint"(%1) {sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}]>} : (tensor<16xf32>) -> tensor<16xf32> // [{"axis_0", "axis_1"}]
    "func.return"(%0, %2) : (tensor<8x64xf32>, tensor<16xf32>) -> ()
  }
}
