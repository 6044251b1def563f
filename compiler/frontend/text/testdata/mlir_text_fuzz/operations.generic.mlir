"builtin.module"() <{sym_name = "operations"}> ({
  "func.func"() <{arg_attrs = [{mhlo.layout_mode = "auto", mhlo.memory_kind = "pinned_host"}, {jax.buffer_donor = true}, {}, {mhlo.sharding = "{replicated}"}], function_type = (tensor<4x8xf32>, tensor<4xi32>, !stablehlo.token, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<2x3xf32>, tensor<4xui32>), res_attrs = [{jax.result_info = "r", mhlo.memory_kind = "pinned_host"}, {}, {}, {}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<4x8xf32>, %arg2: tensor<4xi32>, %arg3: !stablehlo.token, %arg4: tensor<8xf32>):
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2:2 = "stablehlo.custom_call"(%arg1, %arg2) <{api_version = 4 : i32, backend_config = {at = dense<[1, 2]> : tensor<2xi64>, list = [1 : i32, 2.500000e+00 : f32], lower = true, n = 3 : i64, name = "ab\22c"}, call_target_name = "lapack", operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}> : (tensor<4x8xf32>, tensor<4xi32>) -> (tensor<4x8xf32>, tensor<4xi32>)
    %3 = "stablehlo.custom_call"(%2#0) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %4 = "stablehlo.custom_call"(%3) <{call_target_name = "Sharding"}> {mhlo.sharding = "{devices=[1,1]<=[1]}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %5 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %36 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%36) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = "stablehlo.all_gather"(%5) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %7 = "stablehlo.reduce_scatter"(%6) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %35 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%35) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %8 = "stablehlo.all_to_all"(%7) <{concat_dimension = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 0 : i64}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %9 = "stablehlo.collective_permute"(%8) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %10 = "stablehlo.collective_broadcast"(%9) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %11 = "stablehlo.send"(%10, %arg3) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = true}> {mhlo.frontend_attributes = {_xla_host_transfer_rendezvous = "cb"}} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %12:2 = "stablehlo.recv"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
    %13:2 = "stablehlo.infeed"(%12#1) <{infeed_config = "in", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
    %14 = "stablehlo.outfeed"(%13#0, %13#1) <{outfeed_config = "out"}> : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %15 = "stablehlo.after_all"(%14, %12#1) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
    %16 = "stablehlo.dot_general"(%12#0, %13#0) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %17 = "stablehlo.batch_norm_inference"(%12#0, %arg4, %arg4, %arg4, %arg4) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %18 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %19:2 = "stablehlo.rng_bit_generator"(%18) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %20 = "stablehlo.constant"() <{value = dense<[2, 3]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %21 = "stablehlo.rng"(%1, %1, %20) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
    %22 = "stablehlo.dynamic_iota"(%20) <{iota_dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<2x3xf32>
    %23 = "stablehlo.constant"() <{value = dense<[2, 8]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %24 = "stablehlo.dynamic_broadcast_in_dim"(%arg4, %23) <{broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64>}> : (tensor<8xf32>, tensor<2xi64>) -> tensor<2x8xf32>
    %25 = "stablehlo.get_dimension_size"(%24) <{dimension = 0 : i64}> : (tensor<2x8xf32>) -> tensor<i32>
    %26 = "stablehlo.tuple"(%12#0, %25) : (tensor<4x8xf32>, tensor<i32>) -> tuple<tensor<4x8xf32>, tensor<i32>>
    %27 = "stablehlo.get_tuple_element"(%26) <{index = 0 : i32}> : (tuple<tensor<4x8xf32>, tensor<i32>>) -> tensor<4x8xf32>
    %28 = "stablehlo.composite"(%27) <{composite_attributes = {kind = "exact"}, decomposition = @erf, name = "chlo.erf", version = 2 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %29:2 = "stablehlo.optimization_barrier"(%28, %17) : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %30 = "stablehlo.clamp"(%1, %29#0, %1) : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %31 = "stablehlo.compare"(%30, %29#1) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %32 = "stablehlo.select"(%31, %30, %29#1) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %33 = "stablehlo.reverse"(%32) <{dimensions = array<i64: 0, 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %34 = "func.call"(%33) <{callee = @erf}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    "func.return"(%34, %16, %22, %19#1) : (tensor<4x8xf32>, tensor<4xf32>, tensor<2x3xf32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x8xf32>) -> tensor<4x8xf32>, sym_name = "erf", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x8xf32>):
    %0 = "stablehlo.tanh"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    "func.return"(%0) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
