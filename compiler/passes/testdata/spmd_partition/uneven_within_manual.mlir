// run: spmd_propagate spmd_partition
module @module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  // Each half has three elements, which y does not divide: it is whole where it leaves the manual computation.
  func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %1 = "gantry.full_to_shard"(%a) {sharding = #sdy.sharding<@mesh, [{"x", ?}], manual={"x"}>} : (tensor<6xf32>) -> tensor<3xf32>
    %2 = "gantry.sharding_constraint"(%1) {sharding = #sdy.sharding<@mesh, [{"y"}]>} : (tensor<3xf32>) -> tensor<3xf32>
    %3 = "gantry.shard_to_full"(%2) {sharding = #sdy.sharding<@mesh, [{"x", ?}], manual={"x"}>} : (tensor<3xf32>) -> tensor<6xf32>
    return %3 : tensor<6xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<3xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2]>, [{"axis_0"}]>}) -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2]>, [{"axis_0"}]>}) {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.convert"(%0) : (tensor<ui32>) -> tensor<i64>
    %2 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %3 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %6 = "stablehlo.divide"(%1, %5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %8 = "stablehlo.remainder"(%6, %7) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %9 = "stablehlo.add"(%4, %8) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %10 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %11 = "stablehlo.multiply"(%9, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %13 = "stablehlo.pad"(%arg0, %12) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
    %14 = "stablehlo.dynamic_slice"(%13, %11) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<i64>) -> tensor<2xf32>
    %15 = "stablehlo.all_gather"(%14) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<2xf32>) -> tensor<4xf32>
    %16 = "stablehlo.slice"(%15) {start_indices = array<i64: 0>, limit_indices = array<i64: 3>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<3xf32>
    "func.return"(%16) : (tensor<3xf32>) -> ()
  }
}
