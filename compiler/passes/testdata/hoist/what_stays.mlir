// run: hoist
func.func @main(%x: tensor<1024xf32>, %few: tensor<4xf32>, %k: tensor<i32>) -> tensor<1024x2048xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %start = stablehlo.constant dense<0.0> : tensor<1024x2048xf32>
  %r:2 = stablehlo.while(%i = %zero, %v = %start) : tensor<i32>, tensor<1024x2048xf32>
  cond {
    %c = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %large = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<1024xf32>) -> tensor<1024x2048xf32>
    %grown = stablehlo.exponential %large : tensor<1024x2048xf32>
    %short = stablehlo.exponential %few : tensor<4xf32>
    %w = stablehlo.slice %short [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %f = stablehlo.custom_call @pure(%x) : (tensor<1024xf32>) -> tensor<1024x2048xf32>
    %s = stablehlo.reshape %w : (tensor<1xf32>) -> tensor<f32>
    %t = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<1024x2048xf32>
    %a = stablehlo.add %v, %grown : tensor<1024x2048xf32>
    %b = stablehlo.add %a, %t : tensor<1024x2048xf32>
    %e = stablehlo.add %b, %f : tensor<1024x2048xf32>
    stablehlo.return %j, %e : tensor<i32>, tensor<1024x2048xf32>
  }
  return %r#1 : tensor<1024x2048xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> (tensor<1024x2048xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1024x2048xf32>} : () -> tensor<1024x2048xf32>
    %3:2 = "stablehlo.while"(%0, %2) ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<1024x2048xf32>):
      %4 = "stablehlo.compare"(%arg3, %arg2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<1024x2048xf32>):
      %5 = "stablehlo.add"(%arg5, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %6 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0>} : (tensor<1024xf32>) -> tensor<1024x2048xf32>
      %7 = "stablehlo.exponential"(%6) : (tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
      %8 = "stablehlo.exponential"(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
      %9 = "stablehlo.slice"(%8) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
      %10 = "stablehlo.custom_call"(%arg0) {call_target_name = "pure", has_side_effect = false, backend_config = "", api_version = 1 : i32, on_one_device = false, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<1024xf32>) -> tensor<1024x2048xf32>
      %11 = "stablehlo.reshape"(%9) : (tensor<1xf32>) -> tensor<f32>
      %12 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<1024x2048xf32>
      %13 = "stablehlo.add"(%arg6, %7) : (tensor<1024x2048xf32>, tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
      %14 = "stablehlo.add"(%13, %12) : (tensor<1024x2048xf32>, tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
      %15 = "stablehlo.add"(%14, %10) : (tensor<1024x2048xf32>, tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
      "stablehlo.return"(%5, %15) : (tensor<i32>, tensor<1024x2048xf32>) -> ()
    }) : (tensor<i32>, tensor<1024x2048xf32>) -> (tensor<i32>, tensor<1024x2048xf32>)
    "func.return"(%3#1) : (tensor<1024x2048xf32>) -> ()
  }
}
