// run: inline
module @module attributes {mhlo.num_partitions = 1 : i32} {
  sdy.mesh @mesh = <["x"=1, "y"=1]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = "gantry.sharding_constraint"(%x) {sharding = #sdy.sharding<@mesh, [{"x", ?}]>} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "gantry.full_to_shard"(%0) {sharding = #sdy.sharding<@mesh, [{"x"}], manual={"x"}>} : (tensor<8xf32>) -> tensor<8xf32>
    %2 = stablehlo.negate %1 : tensor<8xf32>
    %3 = "gantry.shard_to_full"(%2) {sharding = #sdy.sharding<@mesh, [{"x"}], manual={"x"}>} : (tensor<8xf32>) -> tensor<8xf32>
    %4 = "gantry.sharding_group"(%3) {group = 7 : i64} : (tensor<8xf32>) -> tensor<8xf32>
    return %4 : tensor<8xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=1, "y"=1]>
  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>) {
    %0 = "stablehlo.negate"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    "func.return"(%0) : (tensor<8xf32>) -> ()
  }
}
