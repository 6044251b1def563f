// run: spmd_partition
module @uneven_slice attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  // Places differ between partitions: what they receive is written into their ranges.
  func.func @main(%x: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
    %0 = stablehlo.slice %x [2:14, 0:4] : (tensor<16x4xf32>) -> tensor<12x4xf32>
    return %0 : tensor<12x4xf32>
  }
}
// ----
module @uneven_slice attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<3x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.convert"(%0) : (tensor<ui32>) -> tensor<i64>
    %2 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %3 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %6 = "stablehlo.divide"(%1, %5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %8 = "stablehlo.remainder"(%6, %7) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %9 = "stablehlo.add"(%4, %8) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %10 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %11 = "stablehlo.multiply"(%9, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %13 = "stablehlo.divide"(%1, %12) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %14 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %15 = "stablehlo.remainder"(%13, %14) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %16 = "stablehlo.add"(%11, %15) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %17 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<9x4xf32>} : () -> tensor<9x4xf32>
    %18 = "stablehlo.constant"() {value = dense<[1, 1, 0, 0]> : tensor<4xi64>} : () -> tensor<4xi64>
    %19 = "stablehlo.dynamic_slice"(%18, %16) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %20 = "stablehlo.reshape"(%19) : (tensor<1xi64>) -> tensor<i64>
    %21 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %22 = "stablehlo.dynamic_slice"(%arg0, %20, %21) {slice_sizes = array<i64: 3, 4>} : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<3x4xf32>
    %23 = "stablehlo.constant"() {value = dense<[2, 3, 3, 4]> : tensor<4xi64>} : () -> tensor<4xi64>
    %24 = "stablehlo.dynamic_slice"(%23, %16) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %25 = "stablehlo.reshape"(%24) : (tensor<1xi64>) -> tensor<i64>
    %26 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %27 = "stablehlo.dynamic_update_slice"(%17, %22, %25, %26) : (tensor<9x4xf32>, tensor<3x4xf32>, tensor<i64>, tensor<i64>) -> tensor<9x4xf32>
    %28 = "stablehlo.constant"() {value = dense<[0, 0, 3, 0]> : tensor<4xi64>} : () -> tensor<4xi64>
    %29 = "stablehlo.dynamic_slice"(%28, %16) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %30 = "stablehlo.reshape"(%29) : (tensor<1xi64>) -> tensor<i64>
    %31 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %32 = "stablehlo.dynamic_slice"(%arg0, %30, %31) {slice_sizes = array<i64: 1, 4>} : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
    %33 = "stablehlo.collective_permute"(%32) {source_target_pairs = dense<[[1, 0], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %34 = "stablehlo.constant"() {value = dense<[5, 6, 6, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
    %35 = "stablehlo.dynamic_slice"(%34, %16) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xi64>) -> tensor<i64>
    %37 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %38 = "stablehlo.dynamic_update_slice"(%27, %33, %36, %37) : (tensor<9x4xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<9x4xf32>
    %39 = "stablehlo.slice"(%38) {start_indices = array<i64: 3, 0>, limit_indices = array<i64: 6, 4>, strides = array<i64: 1, 1>} : (tensor<9x4xf32>) -> tensor<3x4xf32>
    %40 = "stablehlo.slice"(%39) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 1>} : (tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%40) : (tensor<3x4xf32>) -> ()
  }
}
