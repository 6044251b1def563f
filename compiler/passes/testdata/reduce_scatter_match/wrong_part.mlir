// run: reduce_scatter_match dce
module @wrong_part attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %id = stablehlo.partition_id : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %size = stablehlo.constant dense<2> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %place = stablehlo.remainder %id, %two : tensor<ui32>
    %signed = stablehlo.convert %place : (tensor<ui32>) -> tensor<i32>
    %start = stablehlo.multiply %signed, %size : tensor<i32>
    %sum = "stablehlo.all_reduce"(%x) ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<3x8xf32>) -> tensor<3x8xf32>
    %part = stablehlo.dynamic_slice %sum, %zero, %start, sizes = [3, 4] : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    return %part : tensor<3x4xf32>
  }
}
// ----
module @wrong_part attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x8xf32>) -> (tensor<3x4xf32>) {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.constant"() {value = dense<2> : tensor<ui32>} : () -> tensor<ui32>
    %2 = "stablehlo.constant"() {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %3 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %4 = "stablehlo.remainder"(%0, %1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = "stablehlo.convert"(%4) : (tensor<ui32>) -> tensor<i32>
    %6 = "stablehlo.multiply"(%5, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %8 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<3x8xf32>) -> tensor<3x8xf32>
    %9 = "stablehlo.dynamic_slice"(%7, %3, %6) {slice_sizes = array<i64: 3, 4>} : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    "func.return"(%9) : (tensor<3x4xf32>) -> ()
  }
}
