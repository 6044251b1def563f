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
    %19 = "stablehlo.reshape"(%arg1) : (tensor<6x1xi32>) -> tensor<6xi32>
    %20 = "stablehlo.convert"(%19) : (tensor<6xi32>) -> tensor<6xi64>
    %21 = "stablehlo.constant"() {value = dense<0> : tensor<6xi64>} : () -> tensor<6xi64>
    %22 = "stablehlo.maximum"(%20, %21) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %23 = "stablehlo.constant"() {value = dense<1023> : tensor<6xi64>} : () -> tensor<6xi64>
    %24 = "stablehlo.minimum"(%22, %23) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %25 = "stablehlo.broadcast_in_dim"(%18) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<6xi64>
    %26 = "stablehlo.subtract"(%24, %25) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %27 = "stablehlo.constant"() {value = dense<0> : tensor<6xi64>} : () -> tensor<6xi64>
    %28 = "stablehlo.compare"(%26, %27) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %29 = "stablehlo.constant"() {value = dense<256> : tensor<6xi64>} : () -> tensor<6xi64>
    %30 = "stablehlo.compare"(%26, %29) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %31 = "stablehlo.and"(%28, %30) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %32 = "stablehlo.convert"(%arg1) : (tensor<6x1xi32>) -> tensor<6x1xi64>
    %33 = "stablehlo.broadcast_in_dim"(%18) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<6x1xi64>
    %34 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<6x1xi64>
    %35 = "stablehlo.constant"() {value = dense<0> : tensor<6x1xi64>} : () -> tensor<6x1xi64>
    %36 = "stablehlo.compare"(%34, %35) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x1xi1>
    %37 = "stablehlo.constant"() {value = dense<0> : tensor<6x1xi64>} : () -> tensor<6x1xi64>
    %38 = "stablehlo.select"(%36, %33, %37) : (tensor<6x1xi1>, tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x1xi64>
    %39 = "stablehlo.subtract"(%32, %38) : (tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x1xi64>
    %40 = "stablehlo.gather"(%arg0, %39) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>} : (tensor<256x8xf32>, tensor<6x1xi64>) -> tensor<6x8xf32>
    %41 = "stablehlo.broadcast_in_dim"(%31) {broadcast_dimensions = array<i64: 0>} : (tensor<6xi1>) -> tensor<6x8xi1>
    %42 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<6x8xf32>} : () -> tensor<6x8xf32>
    %43 = "stablehlo.select"(%41, %40, %42) : (tensor<6x8xi1>, tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %44 = "stablehlo.all_reduce"(%43) ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %45 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%45) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    "func.return"(%44) : (tensor<6x8xf32>) -> ()
  }
}
