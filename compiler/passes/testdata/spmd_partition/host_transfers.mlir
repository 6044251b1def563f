// run: spmd_partition dce
module @module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  // Both happen on the one device that the client has put them on, with whole values.
  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %token = stablehlo.after_all : !stablehlo.token
    %sent = "stablehlo.send"(%a, %token) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>, is_host_transfer = true, mhlo.sharding = "{maximal device=1}"} : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
    %0, %received = "stablehlo.recv"(%sent) {channel_handle = #stablehlo.channel_handle<handle = 8, type = 3>, is_host_transfer = true, mhlo.sharding = "{{maximal device=1}, {maximal device=1}}"} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
    return %0 : tensor<3xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %0 = "stablehlo.after_all"() : () -> !stablehlo.token
    %1 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<4xf32>) -> tensor<8xf32>
    %2 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %3 = "stablehlo.constant"() {value = dense<1> : tensor<ui32>} : () -> tensor<ui32>
    %4 = "stablehlo.compare"(%2, %3) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %5 = "stablehlo.if"(%4) ({
      %6 = "stablehlo.send"(%1, %0) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>, is_host_transfer = true, on_one_device = true, device = 1 : i64, mhlo.sharding = "{maximal device=1}"} : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
      "stablehlo.return"(%6) : (!stablehlo.token) -> ()
    }, {
      %7 = "stablehlo.after_all"() : () -> !stablehlo.token
      "stablehlo.return"(%7) : (!stablehlo.token) -> ()
    }) : (tensor<i1>) -> !stablehlo.token
    %8 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %9 = "stablehlo.constant"() {value = dense<1> : tensor<ui32>} : () -> tensor<ui32>
    %10 = "stablehlo.compare"(%8, %9) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %11 = "stablehlo.if"(%10) ({
      %12:2 = "stablehlo.recv"(%5) {channel_handle = #stablehlo.channel_handle<handle = 8, type = 3>, is_host_transfer = true, on_one_device = true, device = 1 : i64, mhlo.sharding = "{{maximal device=1}, {maximal device=1}}"} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
      "stablehlo.return"(%12#0) : (tensor<3xf32>) -> ()
    }, {
      %13 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<3xf32>} : () -> tensor<3xf32>
      "stablehlo.return"(%13) : (tensor<3xf32>) -> ()
    }) : (tensor<i1>) -> tensor<3xf32>
    %14 = "stablehlo.all_reduce"(%11) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %15 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%15) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, use_global_device_ids = true} : (tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%14) : (tensor<3xf32>) -> ()
  }
}
