// run: collective_combine
module @gradients attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%w: tensor<4xf32>, %v: tensor<2x3xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x3xf32>, tensor<4xf32>) {
    %a = "stablehlo.all_reduce"(%w) ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
    %new_w = stablehlo.subtract %w, %a : tensor<4xf32>
    %g = stablehlo.sine %v : tensor<2x3xf32>
    %b = "stablehlo.all_reduce"(%g) ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, use_global_device_ids} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %new_v = stablehlo.subtract %v, %b : tensor<2x3xf32>
    %c = "stablehlo.all_reduce"(%new_w) ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
    return %new_w, %new_v, %c : tensor<4xf32>, tensor<2x3xf32>, tensor<4xf32>
  }
}
// ----
module @gradients attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x3xf32>, tensor<4xf32>) {
    %0 = "stablehlo.sine"(%arg1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1:2 = "stablehlo.all_reduce"(%arg0, %0) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %2 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<4xf32>, tensor<2x3xf32>) -> (tensor<4xf32>, tensor<2x3xf32>)
    %3 = "stablehlo.subtract"(%arg0, %1#0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.subtract"(%arg1, %1#1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %5 = "stablehlo.all_reduce"(%3) ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %6 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>, use_global_device_ids = true} : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%3, %4, %5) : (tensor<4xf32>, tensor<2x3xf32>, tensor<4xf32>) -> ()
  }
}
