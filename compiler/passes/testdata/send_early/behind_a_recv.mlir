// run: send_early
module @behind attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %t = stablehlo.create_token : !stablehlo.token
    %r:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %y = stablehlo.sine %r#0 : tensor<4xf32>
    %z = stablehlo.cosine %x : tensor<4xf32>
    %s = "stablehlo.send"(%z, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %u:2 = "stablehlo.recv"(%s) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %v = "stablehlo.send"(%y, %u#1) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    return %y, %u#0 : tensor<4xf32>, tensor<4xf32>
  }
}
// ----
module @behind attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = "stablehlo.create_token"() : () -> !stablehlo.token
    %1 = "stablehlo.cosine"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.send"(%1, %0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, on_one_device = false, device = 0 : i64} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %3:2 = "stablehlo.recv"(%0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, on_one_device = false, device = 0 : i64} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %4 = "stablehlo.sine"(%3#0) : (tensor<4xf32>) -> tensor<4xf32>
    %5:2 = "stablehlo.recv"(%2) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, on_one_device = false, device = 0 : i64} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %6 = "stablehlo.send"(%4, %5#1) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, on_one_device = false, device = 0 : i64} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    "func.return"(%4, %5#0) : (tensor<4xf32>, tensor<4xf32>) -> ()
  }
}
