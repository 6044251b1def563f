// run: canonicalize
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %a, %b : tensor<f32>
    %2 = stablehlo.add %1, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%arg0: tensor<3xf32>) -> (tensor<3xf32>) {
    %0 = "stablehlo.reshape"(%arg0) : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<1x1x3xf32>) -> tensor<1x2x3xf32>
    %2 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 1, 1, 3>, strides = array<i64: 1, 1, 1>} : (tensor<1x2x3xf32>) -> tensor<1x1x3xf32>
    %3 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 1, 2, 3>, strides = array<i64: 1, 1, 1>} : (tensor<1x2x3xf32>) -> tensor<1x1x3xf32>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %5 = "stablehlo.add"(%4, %3) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<1x1x3xf32>) -> tensor<3xf32>
    "func.return"(%6) : (tensor<3xf32>) -> ()
  }
}
