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
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 3, 0>, limit_indices = array<i64: 4, 4>, strides = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %2 = "stablehlo.collective_permute"(%1) {source_target_pairs = dense<[[3, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %3 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<3x4xf32>} : () -> tensor<3x4xf32>
    %4 = "stablehlo.concatenate"(%2, %3) {dimension = 0 : i64} : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %5 = "stablehlo.collective_permute"(%1) {source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %6 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<3x4xf32>
    %7 = "stablehlo.concatenate"(%5, %6) {dimension = 0 : i64} : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %8 = "stablehlo.convert"(%0) : (tensor<ui32>) -> tensor<i64>
    %9 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %10 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %11 = "stablehlo.multiply"(%9, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.divide"(%8, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %13 = "stablehlo.remainder"(%12, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %14 = "stablehlo.add"(%11, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %15 = "stablehlo.multiply"(%14, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %16 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %17 = "stablehlo.divide"(%8, %16) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %18 = "stablehlo.remainder"(%17, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %19 = "stablehlo.add"(%15, %18) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %20 = "stablehlo.constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
    %21 = "stablehlo.multiply"(%19, %20) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %22 = "stablehlo.constant"() {value = dense<-1> : tensor<i64>} : () -> tensor<i64>
    %23 = "stablehlo.add"(%21, %22) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %24 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<4xi64>
    %25 = "stablehlo.broadcast_in_dim"(%23) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4xi64>
    %26 = "stablehlo.add"(%24, %25) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %27 = "stablehlo.constant"() {value = dense<0> : tensor<4xi64>} : () -> tensor<4xi64>
    %28 = "stablehlo.compare"(%26, %27) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %29 = "stablehlo.broadcast_in_dim"(%28) {broadcast_dimensions = array<i64: 0>} : (tensor<4xi1>) -> tensor<4x4xi1>
    %30 = "stablehlo.select"(%29, %7, %4) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%30) : (tensor<4x4xf32>) -> ()
  }
}
