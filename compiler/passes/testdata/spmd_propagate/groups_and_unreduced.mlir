// run: spmd_propagate
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  // Members of a group get equal shardings. A product stays a partial sum along y where only an unreduced constraint uses
  // it and its operands are sharded so; the second one's are not.
  func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x8xf32>, %c: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.negate %a : tensor<8x8xf32>
    %1 = "gantry.sharding_group"(%0) {group = 3 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = "gantry.sharding_group"(%b) {group = 3 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = "gantry.sharding_constraint"(%3) {sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = "gantry.sharding_constraint"(%4) {sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.dot_general %c, %c, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %7 = "gantry.sharding_constraint"(%6) {sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %8 = "gantry.sharding_constraint"(%7) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %1, %2, %5, %8 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_2"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {}]>}) {
    %0 = "stablehlo.negate"(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %1 = "gantry.sharding_group"(%0) {group = 3 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %2 = "gantry.sharding_group"(%arg1) {group = 3 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %3 = "stablehlo.dot_general"(%arg0, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> // [{"axis_0", "axis_1"}, {}], unreduced={"axis_2"}
    %4 = "gantry.sharding_constraint"(%3) {sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}], unreduced={"axis_2"}>} : (tensor<8x8xf32>) -> tensor<8x8xf32> // [{"axis_0", "axis_1"}, {}], unreduced={"axis_2"}
    %5 = "gantry.sharding_constraint"(%4) {sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32> // [{"axis_0", "axis_1"}, {}]
    %6 = "stablehlo.dot_general"(%arg2, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> // [{"axis_2"}, {}]
    %7 = "gantry.sharding_constraint"(%6) {sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {}], unreduced={"axis_0", "axis_1"}>} : (tensor<8x8xf32>) -> tensor<8x8xf32> // [{}, {}], unreduced={"axis_0", "axis_1"}
    %8 = "gantry.sharding_constraint"(%7) {sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32> // [{}, {}]
    "func.return"(%1, %2, %5, %8) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> ()
  }
}
