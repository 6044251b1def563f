// run: spmd_partition dce canonicalize cse dce
module @rotated_value attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  // By five elements: one from two shards before, three from the shard before.
  func.func @main(%x: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.slice %x [11:16, 0:2] : (tensor<16x2xf32>) -> tensor<5x2xf32>
    %1 = stablehlo.slice %x [0:11, 0:2] : (tensor<16x2xf32>) -> tensor<11x2xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<5x2xf32>, tensor<11x2xf32>) -> tensor<16x2xf32>
    return %2 : tensor<16x2xf32>
  }
}
// ----
module @rotated_value attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 3, 0>, limit_indices = array<i64: 4, 2>, strides = array<i64: 1, 1>} : (tensor<4x2xf32>) -> tensor<1x2xf32>
    %1 = "stablehlo.collective_permute"(%0) {source_target_pairs = dense<[[0, 2], [1, 3], [2, 0], [3, 1]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 2>, strides = array<i64: 1, 1>} : (tensor<4x2xf32>) -> tensor<3x2xf32>
    %3 = "stablehlo.collective_permute"(%2) {source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 6, type = 0>} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %4 = "stablehlo.concatenate"(%1, %3) {dimension = 0 : i64} : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    "func.return"(%4) : (tensor<4x2xf32>) -> ()
  }
}
