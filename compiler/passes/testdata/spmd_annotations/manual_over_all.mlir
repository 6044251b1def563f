// run: spmd_annotations
module @module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"}) {
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "", mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8x4xf32>) -> tensor<1x4xf32>
    %2 = call @body(%1) : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<1x4xf32>) -> tensor<8x4xf32>
    %5 = stablehlo.custom_call @Sharding(%4) {has_side_effect = true, mhlo.sharding = "{unknown shard_as 3}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %5 : tensor<8x4xf32>
  }
  func.func private @body(%x: tensor<1x4xf32> {mhlo.sharding = "{manual}"}) -> tensor<1x4xf32> {
    %0 = stablehlo.negate %x {mhlo.sharding = "{manual}"} : tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices":(1)4}, {}]>}) {
    %0 = "gantry.sharding_constraint"(%arg0) {sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices"}, {}]>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = "gantry.full_to_shard"(%0) {sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices"}, {}], manual={"devices"}>} : (tensor<8x4xf32>) -> tensor<1x4xf32>
    %2 = "func.call"(%1) {callee = @body} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %3 = "gantry.shard_to_full"(%2) {sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices"}, {}], manual={"devices"}>} : (tensor<1x4xf32>) -> tensor<8x4xf32>
    %4 = "gantry.sharding_group"(%3) {group = 3 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    "func.return"(%3) : (tensor<8x4xf32>) -> ()
  }
  func.func private @body(%arg0: tensor<1x4xf32>) -> (tensor<1x4xf32>) {
    %0 = "stablehlo.negate"(%arg0) {mhlo.sharding = "{manual}"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    "func.return"(%0) : (tensor<1x4xf32>) -> ()
  }
}
