"builtin.module"() <{sym_name = "round_trip"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=4, "y"=2], device_ids=[0, 2, 1, 3, 4, 6, 5, 7]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}], device_ids = dense<[0, 2, 1, 3, 4, 6, 5, 7]> : tensor<8xi64>}} : () -> ()
  "func.func"() <{arg_attrs = [{mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}, {?}]>"}, mhlo.sharding = "{devices=[4,1,2]0,2,1,3,4,6,5,7 last_tile_dim_replicate}"}], function_type = (tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>), res_attrs = [{mhlo.sharding = "{devices=[4,2]0,2,1,3,4,6,5,7}"}, {}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<64x64xf32>):
    %6 = "stablehlo.custom_call"(%arg4) <{call_target_name = "Sharding"}> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22y\22}p1, {?}]>]>"}, mhlo.sharding = "{devices=[2,1,4]0,1,4,5,2,3,6,7 last_tile_dim_replicate}"} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %7 = "stablehlo.custom_call"(%6) <{call_target_name = "xla.sdy.GlobalToLocalShape", has_side_effect = true}> {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22, ?}, {?}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>"}} : (tensor<64x64xf32>) -> tensor<16x64xf32>
    %8 = "func.call"(%7) <{callee = @xla.sdy.manual_computation_body_0}> {mhlo.frontend_attributes = {inlineable = "false"}} : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %9 = "stablehlo.custom_call"(%8) <{call_target_name = "xla.sdy.LocalToGlobalShape", has_side_effect = true}> {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22, ?}, {?}]>]>"}} : (tensor<16x64xf32>) -> tensor<64x64xf32>
    "stablehlo.custom_call"(%9) <{call_target_name = "xla.sdy.ShardingGroup", has_side_effect = true}> {mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "3 : i64"}} : (tensor<64x64xf32>) -> ()
    "stablehlo.custom_call"(%arg4) <{call_target_name = "xla.sdy.ShardingGroup", has_side_effect = true}> {mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "3 : i64"}} : (tensor<64x64xf32>) -> ()
    %10 = "stablehlo.custom_call"(%9) <{call_target_name = "xla.sdy.PropagationBarrier", has_side_effect = true}> {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "0 : i32"}} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %11 = "stablehlo.add"(%10, %10) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %12 = "func.call"() <{callee = @xla.sdy.manual_computation_body_1}> {mhlo.frontend_attributes = {inlineable = "false"}} : () -> tensor<16xf32>
    %13 = "stablehlo.custom_call"(%12) <{call_target_name = "xla.sdy.LocalToGlobalShape", has_side_effect = true}> {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}]>]>"}} : (tensor<16xf32>) -> tensor<64xf32>
    %14 = "stablehlo.custom_call"(%11) <{call_target_name = "xla.sdy.FuncResultSharding", has_side_effect = true}> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {\22y\22, ?}]>]>"}} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    "func.return"(%14, %13) : (tensor<64x64xf32>, tensor<64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<16x32xf32>) -> tensor<16x32xf32>, sym_name = "xla.sdy.manual_computation_body"}> ({
  ^bb0(%arg1: tensor<16x32xf32>):
    %4 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %5 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    "func.return"(%4) : (tensor<16x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<16x64xf32>) -> tensor<16x64xf32>, sym_name = "xla.sdy.manual_computation_body_0"}> ({
  ^bb0(%arg0: tensor<16x64xf32>):
    %1 = "stablehlo.custom_call"(%arg0) <{call_target_name = "xla.sdy.GlobalToLocalShape", has_side_effect = true}> {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22y\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22y\22}>"}} : (tensor<16x64xf32>) -> tensor<16x32xf32>
    %2 = "func.call"(%1) <{callee = @xla.sdy.manual_computation_body}> {mhlo.frontend_attributes = {inlineable = "false"}} : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %3 = "stablehlo.custom_call"(%2) <{call_target_name = "xla.sdy.LocalToGlobalShape", has_side_effect = true}> {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22y\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22y\22}]>]>"}} : (tensor<16x32xf32>) -> tensor<16x64xf32>
    "func.return"(%3) : (tensor<16x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> tensor<16xf32>, sym_name = "xla.sdy.manual_computation_body_1"}> ({
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<16xf32>}> : () -> tensor<16xf32>
    "func.return"(%0) : (tensor<16xf32>) -> ()
  }) : () -> ()
}) {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=4, \22y\22=2], device_ids=[0, 2, 1, 3, 4, 6, 5, 7]>}"}, mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
