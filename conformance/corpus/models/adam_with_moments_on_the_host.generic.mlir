"builtin.module"() <{sym_name = "jit_adam_with_moments_on_the_host"}> ({
  "func.func"() <{function_type = (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>), res_attrs = [{jax.result_info = "result[0]", mhlo.memory_kind = "device"}, {jax.result_info = "result[1]", mhlo.memory_kind = "device"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<6x8xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<6x8xf32>):
    %0 = "stablehlo.custom_call"(%arg1) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %1 = "stablehlo.custom_call"(%0) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %2 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x8xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x8xf32>
    %7 = "stablehlo.multiply"(%6, %arg2) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %8 = "stablehlo.add"(%4, %7) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x8xf32>
    %11 = "stablehlo.multiply"(%10, %8) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %12 = "stablehlo.subtract"(%arg0, %11) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %13 = "stablehlo.custom_call"(%8) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %14 = "stablehlo.custom_call"(%13) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    "func.return"(%12, %14) : (tensor<6x8xf32>, tensor<6x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
