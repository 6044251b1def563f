// run: canonicalize
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<3xf8E5M2>) -> tensor<3xf8E5M2> {
  %0 = "stablehlo.cross-replica-sum"(%x) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<3xf8E5M2>) -> tensor<3xf8E5M2>
  return %0 : tensor<3xf8E5M2>
}
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%arg0: tensor<3xf8E5M2>) -> (tensor<3xf8E5M2>) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<3xf8E5M2>) -> tensor<3xf32>
    %1 = "stablehlo.all_reduce"(%0) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids = false} : (tensor<3xf32>) -> tensor<3xf32>
    %3 = "stablehlo.convert"(%1) : (tensor<3xf32>) -> tensor<3xf8E5M2>
    "func.return"(%3) : (tensor<3xf8E5M2>) -> ()
  }
}
