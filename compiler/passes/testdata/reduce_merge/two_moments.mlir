// run: reduce_merge
func.func @main(%x: tensor<1024x128xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024x128xf32>, tensor<f32>) -> tensor<128xf32>
  %1 = stablehlo.multiply %x, %x : tensor<1024x128xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024x128xf32>, tensor<f32>) -> tensor<128xf32>
  return %0, %2 : tensor<128xf32>, tensor<128xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024x128xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<1024x128xf32>, tensor<1024x128xf32>) -> tensor<1024x128xf32>
    %2:2 = "stablehlo.reduce"(%arg0, %1, %0, %0) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>):
      %3 = "stablehlo.add"(%arg1, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %4 = "stablehlo.add"(%arg2, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3, %4) : (tensor<f32>, tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<1024x128xf32>, tensor<1024x128xf32>, tensor<f32>, tensor<f32>) -> (tensor<128xf32>, tensor<128xf32>)
    "func.return"(%2#0, %2#1) : (tensor<128xf32>, tensor<128xf32>) -> ()
  }
}
