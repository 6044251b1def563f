// run: spmd_partition canonicalize cse dce
module @rolled_shards attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  // A roll by one row: each partition sends one row.
  func.func @main(%x: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
    %0 = stablehlo.slice %x [15:16, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.slice %x [0:15, 0:4] : (tensor<16x4xf32>) -> tensor<15x4xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x4xf32>, tensor<15x4xf32>) -> tensor<16x4xf32>
    return %2 : tensor<16x4xf32>
  }
}
// ----
module @rolled_shards attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
    %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 3, 0>, limit_indices = array<i64: 4, 4>, strides = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %1 = "stablehlo.collective_permute"(%0) {source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %2 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<3x4xf32>
    %3 = "stablehlo.concatenate"(%1, %2) {dimension = 0 : i64} : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    "func.return"(%3) : (tensor<4x4xf32>) -> ()
  }
}
