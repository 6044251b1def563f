// run: spmd_partition canonicalize cse dce
module @update_at_index attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  // Each partition writes two of its rows: the update's, or those that they hold.
  func.func @main(%x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %u: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %i: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %j: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<16x8xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32>
    return %0 : tensor<16x8xf32>
  }
}
// ----
module @update_at_index attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg3: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.convert"(%0) : (tensor<ui32>) -> tensor<i64>
    %2 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %3 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.divide"(%1, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %6 = "stablehlo.remainder"(%5, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.add"(%4, %6) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %8 = "stablehlo.multiply"(%7, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %9 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %10 = "stablehlo.divide"(%1, %9) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %11 = "stablehlo.remainder"(%10, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.add"(%8, %11) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %13 = "stablehlo.constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
    %14 = "stablehlo.multiply"(%12, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %15 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<i64>
    %16 = "stablehlo.maximum"(%15, %2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %17 = "stablehlo.constant"() {value = dense<14> : tensor<i64>} : () -> tensor<i64>
    %18 = "stablehlo.minimum"(%16, %17) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %19 = "stablehlo.subtract"(%18, %14) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %20 = "stablehlo.maximum"(%19, %2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %21 = "stablehlo.minimum"(%20, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %22 = "stablehlo.subtract"(%21, %19) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %23 = "stablehlo.convert"(%21) : (tensor<i64>) -> tensor<i32>
    %24 = "stablehlo.dynamic_slice"(%arg0, %23, %arg3) {slice_sizes = array<i64: 2, 4>} : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    %25 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2xi64>
    %26 = "stablehlo.broadcast_in_dim"(%22) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<2xi64>
    %27 = "stablehlo.add"(%25, %26) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %28 = "stablehlo.constant"() {value = dense<0> : tensor<2xi64>} : () -> tensor<2xi64>
    %29 = "stablehlo.compare"(%27, %28) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %30 = "stablehlo.constant"() {value = dense<2> : tensor<2xi64>} : () -> tensor<2xi64>
    %31 = "stablehlo.compare"(%27, %30) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %32 = "stablehlo.and"(%29, %31) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
    %33 = "stablehlo.broadcast_in_dim"(%32) {broadcast_dimensions = array<i64: 0>} : (tensor<2xi1>) -> tensor<2x4xi1>
    %34 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %35 = "stablehlo.pad"(%arg1, %34) {edge_padding_low = array<i64: 2, 0>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 0, 0>} : (tensor<2x4xf32>, tensor<f32>) -> tensor<6x4xf32>
    %36 = "stablehlo.add"(%22, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %37 = "stablehlo.dynamic_slice"(%35, %36, %2) {slice_sizes = array<i64: 2, 4>} : (tensor<6x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x4xf32>
    %38 = "stablehlo.select"(%33, %37, %24) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %39 = "stablehlo.dynamic_update_slice"(%arg0, %38, %23, %arg3) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    "func.return"(%39) : (tensor<4x8xf32>) -> ()
  }
}
