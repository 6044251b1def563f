// run: spmd_partition
module @uneven_sum_from_five attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%arg0: tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<4xf32>) {
    %c = stablehlo.constant dense<5.0> : tensor<f32>
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", "y"}, {}]> : tensor<7x4xf32>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<7x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// ----
module @uneven_sum_from_five attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<4xf32>) {
    %0 = "stablehlo.constant"() {value = dense<5.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %3 = "stablehlo.convert"(%2) : (tensor<ui32>) -> tensor<i64>
    %4 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %5 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %6 = "stablehlo.multiply"(%4, %5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %8 = "stablehlo.divide"(%3, %7) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %9 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %10 = "stablehlo.remainder"(%8, %9) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %11 = "stablehlo.add"(%6, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %13 = "stablehlo.multiply"(%11, %12) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %14 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %15 = "stablehlo.divide"(%3, %14) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %16 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %17 = "stablehlo.remainder"(%15, %16) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %18 = "stablehlo.add"(%13, %17) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %19 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %20 = "stablehlo.multiply"(%18, %19) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %21 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2xi64>
    %22 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<2xi64>
    %23 = "stablehlo.add"(%21, %22) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %24 = "stablehlo.constant"() {value = dense<7> : tensor<2xi64>} : () -> tensor<2xi64>
    %25 = "stablehlo.compare"(%23, %24) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %26 = "stablehlo.broadcast_in_dim"(%25) {broadcast_dimensions = array<i64: 0>} : (tensor<2xi1>) -> tensor<2x4xi1>
    %27 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x4xf32>
    %28 = "stablehlo.select"(%26, %arg0, %27) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %29 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %30 = "stablehlo.convert"(%29) : (tensor<ui32>) -> tensor<i64>
    %31 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %32 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %33 = "stablehlo.multiply"(%31, %32) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %34 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %35 = "stablehlo.divide"(%30, %34) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %36 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %37 = "stablehlo.remainder"(%35, %36) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %38 = "stablehlo.add"(%33, %37) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %39 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %40 = "stablehlo.multiply"(%38, %39) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %41 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %42 = "stablehlo.divide"(%30, %41) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %43 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %44 = "stablehlo.remainder"(%42, %43) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %45 = "stablehlo.add"(%40, %44) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %46 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %47 = "stablehlo.compare"(%45, %46) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %48 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %49 = "stablehlo.select"(%47, %0, %48) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %50 = "stablehlo.reduce"(%28, %49) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %51 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%51) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %52 = "stablehlo.all_reduce"(%50) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %53 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%53) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%52) : (tensor<4xf32>) -> ()
  }
}
