module @round_trip attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=4, \22y\22=2], device_ids=[0, 2, 1, 3, 4, 6, 5, 7]>}"}, mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2], device_ids=[0, 2, 1, 3, 4, 6, 5, 7]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}], device_ids = dense<[0, 2, 1, 3, 4, 6, 5, 7]> : tensor<8xi64>}}
  func.func public @main(%arg0: tensor<64x64xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}, {?}]>"}, mhlo.sharding = "{devices=[4,1,2]0,2,1,3,4,6,5,7 last_tile_dim_replicate}"}) -> (tensor<64x64xf32> {mhlo.sharding = "{devices=[4,2]0,2,1,3,4,6,5,7}"}, tensor<64xf32>) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22y\22}p1, {?}]>]>"}, mhlo.sharding = "{devices=[2,1,4]0,1,4,5,2,3,6,7 last_tile_dim_replicate}"} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22, ?}, {?}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>"}} : (tensor<64x64xf32>) -> tensor<16x64xf32>
    %2 = call @xla.sdy.manual_computation_body_0(%1) {mhlo.frontend_attributes = {inlineable = "false"}} : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22, ?}, {?}]>]>"}} : (tensor<16x64xf32>) -> tensor<64x64xf32>
    stablehlo.custom_call @xla.sdy.ShardingGroup(%3) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "3 : i64"}} : (tensor<64x64xf32>) -> ()
    stablehlo.custom_call @xla.sdy.ShardingGroup(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "3 : i64"}} : (tensor<64x64xf32>) -> ()
    %4 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%3) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.allowed_direction = "0 : i32"}} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.add %4, %4 : tensor<64x64xf32>
    %6 = call @xla.sdy.manual_computation_body_1() {mhlo.frontend_attributes = {inlineable = "false"}} : () -> tensor<16xf32>
    %7 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%6) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}]>]>"}} : (tensor<16xf32>) -> tensor<64xf32>
    %8 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%5) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {\22y\22, ?}]>]>"}} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    return %8, %7 : tensor<64x64xf32>, tensor<64xf32>
  }
  func.func @xla.sdy.manual_computation_body(%arg0: tensor<16x32xf32>) -> tensor<16x32xf32> {
    %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    return %0 : tensor<16x32xf32>
  }
  func.func @xla.sdy.manual_computation_body_0(%arg0: tensor<16x64xf32>) -> tensor<16x64xf32> {
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22y\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22y\22}>"}} : (tensor<16x64xf32>) -> tensor<16x32xf32>
    %1 = call @xla.sdy.manual_computation_body(%0) {mhlo.frontend_attributes = {inlineable = "false"}} : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22y\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22y\22}]>]>"}} : (tensor<16x32xf32>) -> tensor<16x64xf32>
    return %2 : tensor<16x64xf32>
  }
  func.func @xla.sdy.manual_computation_body_1() -> tensor<16xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<16xf32>
    return %cst : tensor<16xf32>
  }
}
