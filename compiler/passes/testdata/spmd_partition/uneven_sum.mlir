// run: spmd_partition
module @uneven_sum attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%arg0: tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<4xf32>) {
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", "y"}, {}]> : tensor<7x4xf32>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<7x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// ----
module @uneven_sum attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<4xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2x4xi64>
    %3 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %4 = "stablehlo.convert"(%3) : (tensor<ui32>) -> tensor<i64>
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
    %22 = "stablehlo.broadcast_in_dim"(%21) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<2x4xi64>
    %23 = "stablehlo.add"(%2, %22) : (tensor<2x4xi64>, tensor<2x4xi64>) -> tensor<2x4xi64>
    %24 = "stablehlo.constant"() {value = dense<7> : tensor<2x4xi64>} : () -> tensor<2x4xi64>
    %25 = "stablehlo.compare"(%23, %24) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<2x4xi64>, tensor<2x4xi64>) -> tensor<2x4xi1>
    %26 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x4xf32>
    %27 = "stablehlo.select"(%25, %arg0, %26) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %28 = "stablehlo.reduce"(%27, %0) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %29 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%29) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %30 = "stablehlo.all_reduce"(%28) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %31 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%31) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%30) : (tensor<4xf32>) -> ()
  }
}
