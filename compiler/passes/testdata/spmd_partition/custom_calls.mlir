// run: spmd_partition dce
module @module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  sdy.mesh @third = <[], device_ids=[2]>
  // The first call runs on one device, with the whole value, and its result goes to all; the second
  // one on each device, with its shard.
  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %0 = stablehlo.custom_call @ask(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@third, []>]>} : (tensor<8xf32>) -> tensor<3xf32>
    stablehlo.custom_call @xla_ffi_partitioned_python_cpu_callback(%a) {has_side_effect = true, mhlo.sharding = "{maximal device=0}"} : (tensor<8xf32>) -> ()
    return %0 : tensor<3xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  sdy.mesh @third = <[], device_ids=[2]>
  func.func public @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<4xf32>) -> tensor<8xf32>
    %1 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %2 = "stablehlo.constant"() {value = dense<2> : tensor<ui32>} : () -> tensor<ui32>
    %3 = "stablehlo.compare"(%1, %2) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %4 = "stablehlo.if"(%3) ({
      %5 = "stablehlo.custom_call"(%0) {call_target_name = "ask", has_side_effect = true, backend_config = "", api_version = 1 : i32, on_one_device = true, device = 2 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<8xf32>) -> tensor<3xf32>
      "stablehlo.return"(%5) : (tensor<3xf32>) -> ()
    }, {
      %6 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<3xf32>} : () -> tensor<3xf32>
      "stablehlo.return"(%6) : (tensor<3xf32>) -> ()
    }) : (tensor<i1>) -> tensor<3xf32>
    %7 = "stablehlo.all_reduce"(%4) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %8 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, use_global_device_ids = true} : (tensor<3xf32>) -> tensor<3xf32>
    "stablehlo.custom_call"(%arg0) {call_target_name = "xla_ffi_partitioned_python_cpu_callback", has_side_effect = true, backend_config = "", api_version = 1 : i32, on_one_device = true, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32, mhlo.sharding = "{maximal device=0}"} : (tensor<4xf32>) -> ()
    "func.return"(%7) : (tensor<3xf32>) -> ()
  }
}
