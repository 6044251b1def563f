// run: inline
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func @main(%x: tensor<8xf32>) -> tensor<f32> {
    %n = stablehlo.negate %x : tensor<8xf32>
    %s = stablehlo.add %n, %n : tensor<8xf32>
    %unused = "gantry.sharding_constraint"(%n) {sharding = #sdy.sharding<@mesh, [{"x", "y":(1)2, ?}p3], replicated={"y":(2)1}>} : (tensor<8xf32>) -> tensor<8xf32>
    %second = "gantry.sharding_constraint"(%n) {sharding = #sdy.sharding<mesh<["a"=8]>, [{"a":(2)4}]>} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "gantry.full_to_shard"(%s) {sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}, manual={"x"}>} : (tensor<8xf32>) -> tensor<2xf32>
    %3 = "gantry.shard_to_full"(%1) {sharding = #sdy.sharding<@mesh, [{"x"}], manual={"x"}>} : (tensor<2xf32>) -> tensor<8xf32>
    %4 = "gantry.sharding_group"(%3) {group = 7 : i64} : (tensor<8xf32>) -> tensor<8xf32>
    %5 = "gantry.sharding_constraint"(%4) {sharding = #sdy.sharding<mesh<[], device_ids=[3]>, []>} : (tensor<8xf32>) -> tensor<8xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %r = "stablehlo.reduce"(%5, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      %d = "gantry.sharding_constraint"(%c) {sharding = #sdy.sharding<@mesh, []>} : (tensor<f32>) -> tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %r : tensor<f32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<f32>) {
    %0 = "stablehlo.negate"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "gantry.sharding_constraint"(%0) {sharding = #sdy.sharding<@mesh, [{"x", "y", ?}p3], replicated={"y":(2)1}>} : (tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.add"(%1, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "gantry.sharding_constraint"(%1) {sharding = #sdy.sharding<mesh<["a"=8]>, [{"a":(2)4}]>} : (tensor<8xf32>) -> tensor<8xf32>
    %4 = "gantry.full_to_shard"(%2) {sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}, manual={"x"}>} : (tensor<8xf32>) -> tensor<2xf32>
    %5 = "gantry.shard_to_full"(%4) {sharding = #sdy.sharding<@mesh, [{"x"}], manual={"x"}>} : (tensor<2xf32>) -> tensor<8xf32>
    %6 = "gantry.sharding_group"(%5) {group = 7 : i64} : (tensor<8xf32>) -> tensor<8xf32>
    %7 = "gantry.sharding_constraint"(%6) {sharding = #sdy.sharding<mesh<[], device_ids=[3]>, []>} : (tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %9 = "stablehlo.reduce"(%7, %8) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %10 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%10) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%9) : (tensor<f32>) -> ()
  }
}
