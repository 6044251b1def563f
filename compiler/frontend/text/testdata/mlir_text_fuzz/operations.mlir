module @operations attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32> {mhlo.layout_mode = "auto", mhlo.memory_kind = "pinned_host"}, %arg1: tensor<4xi32> {jax.buffer_donor = true}, %arg2: !stablehlo.token, %arg3: tensor<8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<4x8xf32> {jax.result_info = "r", mhlo.memory_kind = "pinned_host"}, tensor<4xf32>, tensor<2x3xf32>, tensor<4xui32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0:2 = stablehlo.custom_call @lapack(%arg0, %arg1) {api_version = 4 : i32, backend_config = {at = dense<[1, 2]> : tensor<2xi64>, list = [1 : i32, 2.500000e+00 : f32], lower = true, n = 3 : i64, name = "ab\22c"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<4x8xf32>, tensor<4xi32>) -> (tensor<4x8xf32>, tensor<4xi32>)
    %1 = stablehlo.custom_call @annotate_device_placement(%0#0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[1,1]<=[1]}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %29 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %29 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %4 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %5 = "stablehlo.reduce_scatter"(%4) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %29 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      stablehlo.return %29 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = "stablehlo.all_to_all"(%5) <{concat_dimension = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 0 : i64}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %7 = "stablehlo.collective_permute"(%6) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %8 = "stablehlo.collective_broadcast"(%7) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %9 = "stablehlo.send"(%8, %arg2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = true}> {mhlo.frontend_attributes = {_xla_host_transfer_rendezvous = "cb"}} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %10:2 = "stablehlo.recv"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
    %11:2 = "stablehlo.infeed"(%10#1) <{infeed_config = "in", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
    %12 = "stablehlo.outfeed"(%11#0, %11#1) <{outfeed_config = "out"}> : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %13 = stablehlo.after_all %12, %10#1 : !stablehlo.token
    %14 = stablehlo.dot_general %10#0, %11#0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %15 = "stablehlo.batch_norm_inference"(%10#0, %arg3, %arg3, %arg3, %arg3) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %c = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %c_0 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    %16 = stablehlo.rng %cst, %cst, %c_0, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
    %17 = stablehlo.dynamic_iota %c_0, dim = 1 : (tensor<2xi64>) -> tensor<2x3xf32>
    %c_1 = stablehlo.constant dense<[2, 8]> : tensor<2xi64>
    %18 = stablehlo.dynamic_broadcast_in_dim %arg3, %c_1, dims = [1] {known_expanding_dimensions = array<i64>} : (tensor<8xf32>, tensor<2xi64>) -> tensor<2x8xf32>
    %19 = stablehlo.get_dimension_size %18, dim = 0 : (tensor<2x8xf32>) -> tensor<i32>
    %20 = stablehlo.tuple %10#0, %19 : tuple<tensor<4x8xf32>, tensor<i32>>
    %21 = stablehlo.get_tuple_element %20[0] : (tuple<tensor<4x8xf32>, tensor<i32>>) -> tensor<4x8xf32>
    %22 = stablehlo.composite "chlo.erf" %21 {composite_attributes = {kind = "exact"}, decomposition = @erf, version = 2 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %23:2 = stablehlo.optimization_barrier %22, %15 : tensor<4x8xf32>, tensor<4x8xf32>
    %24 = stablehlo.clamp %cst, %23#0, %cst : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %25 = stablehlo.compare LT, %24, %23#1, TOTALORDER : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %26 = stablehlo.select %25, %24, %23#1 : tensor<4x8xi1>, tensor<4x8xf32>
    %27 = stablehlo.reverse %26, dims = [0, 1] : tensor<4x8xf32>
    %28 = call @erf(%27) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %28, %14, %17, %output : tensor<4x8xf32>, tensor<4xf32>, tensor<2x3xf32>, tensor<4xui32>
  }
  func.func private @erf(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
