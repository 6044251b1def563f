// run: hoist
func.func @main(%x: tensor<64x8xf32>, %k: tensor<i32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %start = stablehlo.constant dense<0.0> : tensor<64xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %start) : tensor<i32>, tensor<64xf32>
  cond {
    %c = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.multiply %x, %x : tensor<64x8xf32>
    %s = stablehlo.reduce(%y init: %none) applies stablehlo.add across dimensions = [1] : (tensor<64x8xf32>, tensor<f32>) -> tensor<64xf32>
    %z = stablehlo.slice %y [0:64, 0:1] : (tensor<64x8xf32>) -> tensor<64x1xf32>
    %w = stablehlo.reshape %z : (tensor<64x1xf32>) -> tensor<64xf32>
    %a = stablehlo.add %v, %s : tensor<64xf32>
    %b = stablehlo.add %a, %w : tensor<64xf32>
    stablehlo.return %j, %b : tensor<i32>, tensor<64xf32>
  }
  return %r#1 : tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x8xf32>, %arg1: tensor<i32>) -> (tensor<64xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<64xf32>} : () -> tensor<64xf32>
    %3 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %4 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %5 = "stablehlo.reduce"(%4, %1) ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %6 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<64x8xf32>, tensor<f32>) -> tensor<64xf32>
    %7:2 = "stablehlo.while"(%0, %2) ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<64xf32>):
      %8 = "stablehlo.compare"(%arg4, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%8) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<64xf32>):
      %9 = "stablehlo.add"(%arg6, %3) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %10 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %11 = "stablehlo.slice"(%10) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 64, 1>, strides = array<i64: 1, 1>} : (tensor<64x8xf32>) -> tensor<64x1xf32>
      %12 = "stablehlo.reshape"(%11) : (tensor<64x1xf32>) -> tensor<64xf32>
      %13 = "stablehlo.add"(%arg7, %5) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %14 = "stablehlo.add"(%13, %12) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      "stablehlo.return"(%9, %14) : (tensor<i32>, tensor<64xf32>) -> ()
    }) : (tensor<i32>, tensor<64xf32>) -> (tensor<i32>, tensor<64xf32>)
    "func.return"(%7#1) : (tensor<64xf32>) -> ()
  }
}
