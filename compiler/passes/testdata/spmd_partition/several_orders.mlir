// run: spmd_propagate spmd_partition
module @several_orders attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @a = <["x"=2, "y"=2], device_ids=[0, 3, 1, 2]>
  sdy.mesh @b = <["x"=2, "y"=2]>
  sdy.mesh @c = <["z"=4], device_ids=[3, 1, 0, 2]>
  func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}, {"y"}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}, {"y"}]>}, %arg2: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@b, [{}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}, {"y"}]>}, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@c, [{"z"}, {}]>}, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}, {"y"}]>}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<8x4xf32>
    %1 = stablehlo.multiply %arg0, %arg0 : tensor<8x4xf32>
    return %0, %arg2, %1 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
}
// ----
module @several_orders attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @a = <["x"=2, "y"=2], device_ids=[0, 3, 1, 2]>
  sdy.mesh @b = <["x"=2, "y"=2]>
  sdy.mesh @c = <["z"=4], device_ids=[3, 1, 0, 2]>
  func.func public @main(%arg0: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2], device_ids=[0, 3, 1, 2]>, [{"axis_0"}, {"axis_1"}]>}, %arg1: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}, {"y"}]>}, %arg2: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@b, [{}, {}]>}) -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}, {"y"}]>}, tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@c, [{"z"}, {}]>}, tensor<4x2xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2], device_ids=[0, 3, 1, 2]>, [{"axis_0"}, {"axis_1"}]>}) {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.convert"(%0) : (tensor<ui32>) -> tensor<i64>
    %2 = "stablehlo.constant"() {value = dense<[0, 2, 3, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
    %3 = "stablehlo.dynamic_slice"(%2, %1) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %4 = "stablehlo.reshape"(%3) : (tensor<1xi64>) -> tensor<i64>
    %5 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %6 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %7 = "stablehlo.multiply"(%5, %6) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %8 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %9 = "stablehlo.divide"(%4, %8) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %10 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %11 = "stablehlo.remainder"(%9, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.add"(%7, %11) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %13 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %14 = "stablehlo.multiply"(%12, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %15 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %16 = "stablehlo.divide"(%4, %15) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %17 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %18 = "stablehlo.remainder"(%16, %17) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %19 = "stablehlo.add"(%14, %18) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %20 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %21 = "stablehlo.multiply"(%19, %20) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %22 = "stablehlo.collective_permute"(%arg1) {source_target_pairs = dense<[[0, 0], [1, 3], [2, 1], [3, 2]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %23 = "stablehlo.add"(%arg0, %22) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %24 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %25 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %26 = "stablehlo.dynamic_slice"(%arg2, %21, %25) {slice_sizes = array<i64: 2, 4>} : (tensor<8x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x4xf32>
    %27 = "stablehlo.collective_permute"(%23) {source_target_pairs = dense<[[0, 0], [3, 1], [1, 2], [2, 3]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %28 = "stablehlo.collective_permute"(%26) {source_target_pairs = dense<[[0, 3], [3, 1], [1, 0], [2, 2]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%27, %28, %24) : (tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>) -> ()
  }
}
