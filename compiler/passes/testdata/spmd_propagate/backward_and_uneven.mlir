// run: spmd_propagate
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  // Free arguments and results get shardings, cut to whole axes that divide their sizes evenly.
  func.func @main(%a: tensor<12x7xf32>, %b: tensor<6x16xf32>, %c: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}, %d: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<12x7xf32>, tensor<6x16xf32>, tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}) {
    %0 = "gantry.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} : (tensor<12x7xf32>) -> tensor<12x7xf32>
    %1 = "gantry.sharding_constraint"(%b) {sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} : (tensor<6x16xf32>) -> tensor<6x16xf32>
    %2 = stablehlo.add %c, %d : tensor<16xf32>
    return %0, %1, %2 : tensor<12x7xf32>, tensor<6x16xf32>, tensor<16xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<12x7xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, %arg1: tensor<6x16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_2"}]>}, %arg2: tensor<16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_2", "axis_0", "axis_1"}]>}, %arg3: tensor<16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}]>}) -> (tensor<12x7xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, tensor<6x16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_2"}]>}, tensor<16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_2", "axis_0", "axis_1"}]>}) {
    %0 = "gantry.sharding_constraint"(%arg0) {sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>} : (tensor<12x7xf32>) -> tensor<12x7xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %1 = "gantry.sharding_constraint"(%arg1) {sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>} : (tensor<6x16xf32>) -> tensor<6x16xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %2 = "stablehlo.add"(%arg2, %arg3) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> // [{"axis_2", "axis_0", "axis_1"}]
    "func.return"(%0, %1, %2) : (tensor<12x7xf32>, tensor<6x16xf32>, tensor<16xf32>) -> ()
  }
}
