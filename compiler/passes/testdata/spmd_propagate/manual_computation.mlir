// run: spmd_propagate
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  // Inside, x is manual and only y propagates; a constant that is used on both sides gets a copy for each.
  func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
    %c = stablehlo.constant dense<2.0> : tensor<4x8xf32>
    %0 = "gantry.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %1 = "gantry.full_to_shard"(%0) {sharding = #sdy.sharding<@mesh, [{"x"}, {?}], manual={"x"}>} : (tensor<16x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.multiply %1, %c : tensor<4x8xf32>
    %3 = "gantry.shard_to_full"(%2) {sharding = #sdy.sharding<@mesh, [{"x"}, {?}], manual={"x"}>} : (tensor<4x8xf32>) -> tensor<16x8xf32>
    %4 = stablehlo.slice %a [0:4, 0:8] : (tensor<16x8xf32>) -> tensor<4x8xf32>
    %5 = stablehlo.add %4, %c : tensor<4x8xf32>
    %6 = stablehlo.concatenate %5, %5, %5, %5, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
    return %3, %6 : tensor<16x8xf32>, tensor<16x8xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}, tensor<16x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>}) {
    %0 = "stablehlo.constant"() {value = dense<2.000000e+00> : tensor<4x8xf32>} : () -> tensor<4x8xf32> // [{}, {"axis_2"}]
    %1 = "stablehlo.constant"() {value = dense<2.000000e+00> : tensor<4x8xf32>} : () -> tensor<4x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %2 = "gantry.sharding_constraint"(%arg0) {sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {"axis_2"}]>} : (tensor<16x8xf32>) -> tensor<16x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %3 = "gantry.full_to_shard"(%2) {sharding = #sdy.sharding<@mesh, [{"x"}, {?}], manual={"x"}>} : (tensor<16x8xf32>) -> tensor<4x8xf32> // [{}, {"axis_2"}]
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> // [{}, {"axis_2"}]
    %5 = "gantry.shard_to_full"(%4) {sharding = #sdy.sharding<@mesh, [{"x"}, {?}], manual={"x"}>} : (tensor<4x8xf32>) -> tensor<16x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %6 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 4, 8>, strides = array<i64: 1, 1>} : (tensor<16x8xf32>) -> tensor<4x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %7 = "stablehlo.add"(%6, %1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    %8 = "stablehlo.concatenate"(%7, %7, %7, %7) {dimension = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<16x8xf32> // [{"axis_0", "axis_1"}, {"axis_2"}]
    "func.return"(%5, %8) : (tensor<16x8xf32>, tensor<16x8xf32>) -> ()
  }
}
