// run: spmd_annotations
module @module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<8x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dims={manual}}"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.custom_call @Sharding(%3) {mhlo.sharding = "{manual}"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dims={manual}}"} : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %6 = stablehlo.custom_call @Sharding(%5) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<2x4xf32>) -> tensor<8x4xf32>
    return %7 : tensor<8x4xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32>) -> (tensor<8x4xf32>) {
    %0 = "gantry.sharding_constraint"(%arg0) {sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices":(1)4, ?}, {?}]>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = "gantry.full_to_shard"(%0) {sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices":(1)4, ?}, {?}], manual={"devices":(1)4}>} : (tensor<8x4xf32>) -> tensor<2x4xf32>
    %2 = "gantry.sharding_constraint"(%1) {sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices":(4)2}, {}]>} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = "gantry.full_to_shard"(%2) {sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices":(4)2}, {}], manual={"devices":(4)2}>} : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %4 = "gantry.shard_to_full"(%3) {sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices":(4)2}, {}], manual={"devices":(4)2}>} : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %5 = "gantry.sharding_constraint"(%4) {sharding = #sdy.sharding<mesh<["devices"=8]>, [{?}, {?}]>} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %6 = "gantry.shard_to_full"(%5) {sharding = #sdy.sharding<mesh<["devices"=8]>, [{"devices":(1)4}, {?}], manual={"devices":(1)4}>} : (tensor<2x4xf32>) -> tensor<8x4xf32>
    "func.return"(%6) : (tensor<8x4xf32>) -> ()
  }
}
