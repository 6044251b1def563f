// run: spmd_partition
module @gather_of_sharded_rows attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%arg0: tensor<1024x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %arg1: tensor<6x1xi32>) -> (tensor<6x8xf32>) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<1024x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
    return %0 : tensor<6x8xf32>
  }
}
// ----
module @gather_of_sharded_rows attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<256x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %arg1: tensor<6x1xi32>) -> (tensor<6x8xf32>) {
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
    %17 = "stablehlo.constant"() {value = dense<256> : tensor<i64>} : () -> tensor<i64>
    %18 = "stablehlo.multiply"(%16, %17) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %19 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 6, 1>, strides = array<i64: 1, 1>} : (tensor<6x1xi32>) -> tensor<6x1xi32>
    %20 = "stablehlo.reshape"(%19) : (tensor<6x1xi32>) -> tensor<6xi32>
    %21 = "stablehlo.convert"(%20) : (tensor<6xi32>) -> tensor<6xi64>
    %22 = "stablehlo.constant"() {value = dense<0> : tensor<6xi64>} : () -> tensor<6xi64>
    %23 = "stablehlo.maximum"(%21, %22) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %24 = "stablehlo.constant"() {value = dense<1023> : tensor<6xi64>} : () -> tensor<6xi64>
    %25 = "stablehlo.minimum"(%23, %24) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %26 = "stablehlo.broadcast_in_dim"(%18) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<6xi64>
    %27 = "stablehlo.subtract"(%25, %26) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %28 = "stablehlo.constant"() {value = dense<0> : tensor<6xi64>} : () -> tensor<6xi64>
    %29 = "stablehlo.compare"(%27, %28) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %30 = "stablehlo.constant"() {value = dense<256> : tensor<6xi64>} : () -> tensor<6xi64>
    %31 = "stablehlo.compare"(%27, %30) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %32 = "stablehlo.and"(%29, %31) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %33 = "stablehlo.convert"(%arg1) : (tensor<6x1xi32>) -> tensor<6x1xi64>
    %34 = "stablehlo.broadcast_in_dim"(%18) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<6x1xi64>
    %35 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<6x1xi64>
    %36 = "stablehlo.constant"() {value = dense<0> : tensor<6x1xi64>} : () -> tensor<6x1xi64>
    %37 = "stablehlo.compare"(%35, %36) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x1xi1>
    %38 = "stablehlo.constant"() {value = dense<0> : tensor<6x1xi64>} : () -> tensor<6x1xi64>
    %39 = "stablehlo.select"(%37, %34, %38) : (tensor<6x1xi1>, tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x1xi64>
    %40 = "stablehlo.subtract"(%33, %39) : (tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x1xi64>
    %41 = "stablehlo.gather"(%arg0, %40) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>} : (tensor<256x8xf32>, tensor<6x1xi64>) -> tensor<6x8xf32>
    %42 = "stablehlo.broadcast_in_dim"(%32) {broadcast_dimensions = array<i64: 0>} : (tensor<6xi1>) -> tensor<6x8xi1>
    %43 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<6x8xf32>} : () -> tensor<6x8xf32>
    %44 = "stablehlo.select"(%42, %41, %43) : (tensor<6x8xi1>, tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %45 = "stablehlo.all_reduce"(%44) ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %46 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%46) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    "func.return"(%45) : (tensor<6x8xf32>) -> ()
  }
}
