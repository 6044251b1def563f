// run: inline canonicalize
module attributes {mhlo.num_partitions = 4 : i32} {
func.func private @add_reducer(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.custom_call @"all-reduce-start"(%x) {called_computations = [@add_reducer], mhlo.frontend_attributes = {async_collective_config = "{\"replica_groups\": [[0, 2], [1, 3]], \"use_global_device_ids\": true, \"channel_id\": 1}"}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.custom_call @"reduce-scatter-start"(%x) {called_computations = [@add_reducer], mhlo.frontend_attributes = {async_collective_config = "{\"scatter_dimension\": 0, \"replica_groups\": [[0, 2], [1, 3]], \"tiled\": true, \"use_global_device_ids\": true, \"channel_id\": 1}"}} : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.custom_call @"all-gather-start"(%x) {mhlo.frontend_attributes = {async_collective_config = "{\"all_gather_dimension\": 0, \"replica_groups\": [[0, 2], [1, 3]], \"use_global_device_ids\": true, \"channel_id\": 1}"}} : (tensor<8x4xf32>) -> tensor<16x4xf32>
  %3 = stablehlo.custom_call @"all-to-all-start"(%x) {mhlo.frontend_attributes = {async_collective_config = "{\"split_dimension\": 1, \"concat_dimension\": 0, \"split_count\": 2, \"replica_groups\": [[0, 2], [1, 3]], \"channel_id\": 1}"}} : (tensor<8x4xf32>) -> tensor<16x2xf32>
  %4 = stablehlo.custom_call @"collective-permute-start"(%x) {mhlo.frontend_attributes = {async_collective_config = "{\"permutation\": [[0, 2], [2, 0]], \"channel_id\": 1}"}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %5 = stablehlo.custom_call @"all-reduce-done"(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %6 = stablehlo.custom_call @"reduce-scatter-done"(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = stablehlo.custom_call @"all-gather-done"(%2) : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %8 = stablehlo.custom_call @"all-to-all-done"(%3) : (tensor<16x2xf32>) -> tensor<16x2xf32>
  %9 = stablehlo.custom_call @"collective-permute-done"(%4) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %5, %6, %7, %8, %9 : tensor<8x4xf32>, tensor<4x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, tensor<8x4xf32>
}
}
// ----
module @module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, tensor<8x4xf32>) {
    %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %3 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %4 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<8x4xf32>) -> tensor<16x4xf32>
    %5 = "stablehlo.all_to_all"(%arg0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8x4xf32>) -> tensor<16x2xf32>
    %6 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 2], [2, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    "func.return"(%0, %2, %4, %5, %6) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, tensor<8x4xf32>) -> ()
  }
}
