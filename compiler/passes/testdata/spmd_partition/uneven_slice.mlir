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
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<9x4xf32>} : () -> tensor<9x4xf32>
    %1 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %2 = "stablehlo.convert"(%1) : (tensor<ui32>) -> tensor<i64>
    %3 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %4 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %5 = "stablehlo.multiply"(%3, %4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %6 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %7 = "stablehlo.divide"(%2, %6) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %8 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %9 = "stablehlo.remainder"(%7, %8) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %10 = "stablehlo.add"(%5, %9) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %11 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %12 = "stablehlo.multiply"(%10, %11) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %13 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %14 = "stablehlo.divide"(%2, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %15 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %16 = "stablehlo.remainder"(%14, %15) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %17 = "stablehlo.add"(%12, %16) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %18 = "stablehlo.constant"() {value = dense<[1, 1, 0, 0]> : tensor<4xi64>} : () -> tensor<4xi64>
    %19 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %20 = "stablehlo.dynamic_slice"(%18, %17) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %21 = "stablehlo.reshape"(%20) : (tensor<1xi64>) -> tensor<i64>
    %22 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %23 = "stablehlo.dynamic_slice"(%arg0, %21, %22) {slice_sizes = array<i64: 3, 4>} : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<3x4xf32>
    %24 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %25 = "stablehlo.convert"(%24) : (tensor<ui32>) -> tensor<i64>
    %26 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %27 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %28 = "stablehlo.multiply"(%26, %27) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %29 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %30 = "stablehlo.divide"(%25, %29) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %31 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %32 = "stablehlo.remainder"(%30, %31) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %33 = "stablehlo.add"(%28, %32) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %34 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %35 = "stablehlo.multiply"(%33, %34) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %36 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %37 = "stablehlo.divide"(%25, %36) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %38 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %39 = "stablehlo.remainder"(%37, %38) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %40 = "stablehlo.add"(%35, %39) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %41 = "stablehlo.constant"() {value = dense<[2, 3, 3, 4]> : tensor<4xi64>} : () -> tensor<4xi64>
    %42 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %43 = "stablehlo.dynamic_slice"(%41, %40) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %44 = "stablehlo.reshape"(%43) : (tensor<1xi64>) -> tensor<i64>
    %45 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %46 = "stablehlo.dynamic_update_slice"(%0, %23, %44, %45) : (tensor<9x4xf32>, tensor<3x4xf32>, tensor<i64>, tensor<i64>) -> tensor<9x4xf32>
    %47 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %48 = "stablehlo.convert"(%47) : (tensor<ui32>) -> tensor<i64>
    %49 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %50 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %51 = "stablehlo.multiply"(%49, %50) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %52 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %53 = "stablehlo.divide"(%48, %52) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %54 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %55 = "stablehlo.remainder"(%53, %54) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %56 = "stablehlo.add"(%51, %55) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %57 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %58 = "stablehlo.multiply"(%56, %57) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %59 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %60 = "stablehlo.divide"(%48, %59) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %61 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %62 = "stablehlo.remainder"(%60, %61) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %63 = "stablehlo.add"(%58, %62) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %64 = "stablehlo.constant"() {value = dense<[0, 0, 3, 0]> : tensor<4xi64>} : () -> tensor<4xi64>
    %65 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %66 = "stablehlo.dynamic_slice"(%64, %63) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %67 = "stablehlo.reshape"(%66) : (tensor<1xi64>) -> tensor<i64>
    %68 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %69 = "stablehlo.dynamic_slice"(%arg0, %67, %68) {slice_sizes = array<i64: 1, 4>} : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
    %70 = "stablehlo.collective_permute"(%69) {source_target_pairs = dense<[[1, 0], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %71 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %72 = "stablehlo.convert"(%71) : (tensor<ui32>) -> tensor<i64>
    %73 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %74 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %75 = "stablehlo.multiply"(%73, %74) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %76 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %77 = "stablehlo.divide"(%72, %76) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %78 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %79 = "stablehlo.remainder"(%77, %78) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %80 = "stablehlo.add"(%75, %79) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %81 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %82 = "stablehlo.multiply"(%80, %81) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %83 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %84 = "stablehlo.divide"(%72, %83) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %85 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %86 = "stablehlo.remainder"(%84, %85) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %87 = "stablehlo.add"(%82, %86) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %88 = "stablehlo.constant"() {value = dense<[5, 6, 6, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
    %89 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %90 = "stablehlo.dynamic_slice"(%88, %87) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %91 = "stablehlo.reshape"(%90) : (tensor<1xi64>) -> tensor<i64>
    %92 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %93 = "stablehlo.dynamic_update_slice"(%46, %70, %91, %92) : (tensor<9x4xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<9x4xf32>
    %94 = "stablehlo.slice"(%93) {start_indices = array<i64: 3, 0>, limit_indices = array<i64: 6, 4>, strides = array<i64: 1, 1>} : (tensor<9x4xf32>) -> tensor<3x4xf32>
    %95 = "stablehlo.slice"(%94) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 1>} : (tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%95) : (tensor<3x4xf32>) -> ()
  }
}
