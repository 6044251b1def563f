// run: spmd_annotations spmd_propagate spmd_partition
module @m attributes {mhlo.num_partitions = 8 : i32} {
  // Four shards enter, each of two devices, and eight leave: there, no axis is left that could shard the shard.
  func.func @main(%arg0: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,4]0,2,4,6,1,3,5,7 last_tile_dim_replicate}"}) -> tensor<8x4xf32> {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<8x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<2x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.add %2, %arg0 : tensor<8x4xf32>
    return %3 : tensor<8x4xf32>
  }
}
// ----
module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_2"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {}]>}) {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.convert"(%0) : (tensor<ui32>) -> tensor<i64>
    %2 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %3 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
    %6 = "stablehlo.divide"(%1, %5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %8 = "stablehlo.remainder"(%6, %7) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %9 = "stablehlo.add"(%4, %8) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %10 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %11 = "stablehlo.multiply"(%9, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %13 = "stablehlo.convert"(%12) : (tensor<ui32>) -> tensor<i64>
    %14 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %15 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %16 = "stablehlo.multiply"(%14, %15) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %17 = "stablehlo.constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
    %18 = "stablehlo.divide"(%13, %17) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %19 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %20 = "stablehlo.remainder"(%18, %19) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %21 = "stablehlo.add"(%16, %20) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %22 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %23 = "stablehlo.multiply"(%21, %22) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %24 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %25 = "stablehlo.divide"(%13, %24) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %26 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %27 = "stablehlo.remainder"(%25, %26) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %28 = "stablehlo.add"(%23, %27) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %29 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %30 = "stablehlo.dynamic_slice"(%arg0, %28, %29) {slice_sizes = array<i64: 1, 4>} : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
    %31 = "stablehlo.collective_permute"(%30) {source_target_pairs = dense<[[0, 0], [2, 1], [4, 2], [6, 3], [1, 4], [3, 5], [5, 6], [7, 7]]> : tensor<8x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %32 = "stablehlo.all_gather"(%31) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, use_global_device_ids = true} : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %33 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %34 = "stablehlo.dynamic_slice"(%arg0, %11, %33) {slice_sizes = array<i64: 2, 4>} : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x4xf32>
    %35 = "stablehlo.collective_permute"(%34) {source_target_pairs = dense<[[0, 0], [2, 1], [4, 2], [6, 3], [1, 4], [3, 5], [5, 6], [7, 7]]> : tensor<8x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %36 = "stablehlo.add"(%32, %35) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %37 = "stablehlo.all_gather"(%36) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 4, type = 0>, use_global_device_ids = true} : (tensor<2x4xf32>) -> tensor<8x4xf32>
    "func.return"(%37) : (tensor<8x4xf32>) -> ()
  }
}
