// run: spmd_partition canonicalize cse dce
module @scanned_shards attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  // A cumulative sum and a cumulative maximum from the end on: only the shards' totals are gathered.
  func.func @main(%x: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 16, 1>, padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<16x2xf32>, tensor<f32>) -> tensor<16x2xf32>
    %1 = "stablehlo.reduce_window"(%x, %least) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {window_dimensions = array<i64: 16, 1>, padding = dense<[[0, 15], [0, 0]]> : tensor<2x2xi64>} : (tensor<16x2xf32>, tensor<f32>) -> tensor<16x2xf32>
    return %0, %1 : tensor<16x2xf32>, tensor<16x2xf32>
  }
}
// ----
module @scanned_shards attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
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
    %13 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %14 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce_window"(%arg0, %13) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %16 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%16) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %17 = "stablehlo.slice"(%15) {start_indices = array<i64: 3, 0>, limit_indices = array<i64: 4, 2>, strides = array<i64: 1, 1>} : (tensor<4x2xf32>) -> tensor<1x2xf32>
    %18 = "stablehlo.all_gather"(%17) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<1x2xf32>) -> tensor<4x2xf32>
    %19 = "stablehlo.negate"(%12) : (tensor<i64>) -> tensor<i64>
    %20 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<4xi64>
    %21 = "stablehlo.broadcast_in_dim"(%19) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4xi64>
    %22 = "stablehlo.add"(%20, %21) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %23 = "stablehlo.constant"() {value = dense<0> : tensor<4xi64>} : () -> tensor<4xi64>
    %24 = "stablehlo.compare"(%22, %23) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %25 = "stablehlo.broadcast_in_dim"(%24) {broadcast_dimensions = array<i64: 0>} : (tensor<4xi1>) -> tensor<4x2xi1>
    %26 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<4x2xf32>
    %27 = "stablehlo.select"(%25, %18, %26) : (tensor<4x2xi1>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %28 = "stablehlo.reduce"(%27, %13) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %29 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%29) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
    %30 = "stablehlo.broadcast_in_dim"(%28) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<4x2xf32>
    %31 = "stablehlo.add"(%30, %15) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %32 = "stablehlo.reduce_window"(%arg0, %14) ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %33 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%33) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 3], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %34 = "stablehlo.slice"(%32) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 2>, strides = array<i64: 1, 1>} : (tensor<4x2xf32>) -> tensor<1x2xf32>
    %35 = "stablehlo.all_gather"(%34) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, use_global_device_ids = true} : (tensor<1x2xf32>) -> tensor<4x2xf32>
    %36 = "stablehlo.constant"() {value = dense<1> : tensor<4xi64>} : () -> tensor<4xi64>
    %37 = "stablehlo.compare"(%22, %36) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %38 = "stablehlo.broadcast_in_dim"(%37) {broadcast_dimensions = array<i64: 0>} : (tensor<4xi1>) -> tensor<4x2xi1>
    %39 = "stablehlo.broadcast_in_dim"(%14) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<4x2xf32>
    %40 = "stablehlo.select"(%38, %35, %39) : (tensor<4x2xi1>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %41 = "stablehlo.reduce"(%40, %14) ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %42 = "stablehlo.maximum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%42) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
    %43 = "stablehlo.broadcast_in_dim"(%41) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<4x2xf32>
    %44 = "stablehlo.maximum"(%43, %32) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    "func.return"(%31, %44) : (tensor<4x2xf32>, tensor<4x2xf32>) -> ()
  }
}
