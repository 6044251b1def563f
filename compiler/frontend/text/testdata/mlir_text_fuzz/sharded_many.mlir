module @shardings attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  sdy.mesh @turned = <["a"=2, "b"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>
  sdy.mesh @one = <[], device_ids=[3]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}p1], replicated={"y"}>}, %arg1: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,4]0,2,4,6,1,3,5,7 last_tile_dim_replicate}"}, %arg2: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@turned, [{"b"}, {"a"}]>}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x":(1)2, "y", ?}, {}], unreduced={"x":(2)2}> : tensor<8x4xf32>
    %1 = sdy.manual_computation(%0, %arg1) in_shardings=[<@mesh, [{"x"}, {?}]>, <@mesh, [{"x"}, {?}]>] out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"} (%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) {
      %6 = stablehlo.add %a, %b : tensor<2x4xf32>
      sdy.return %6 : tensor<2x4xf32>
    } : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    sdy.sharding_group %1 group_id=3 : tensor<8x4xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<8x4xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<2x4xf32>) -> tensor<8x4xf32>
    %5 = stablehlo.add %4, %arg2 {mhlo.sharding = "{maximal device=1}"} : tensor<8x4xf32>
    return %5 : tensor<8x4xf32>
  }
}
