// run: contract
module @products_that_may_be_results {
  func.func public @main(%x: tensor<8xf32>, %w: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>) {
    %c = stablehlo.constant dense<2.0> : tensor<8xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.multiply %x, %w : tensor<8xf32>
    %1 = stablehlo.add %0, %b : tensor<8xf32>
    %2 = stablehlo.multiply %x, %c : tensor<8xf32>
    %3 = stablehlo.add %2, %c : tensor<8xf32>
    %4 = stablehlo.maximum %2, %3 : tensor<8xf32>
    %5 = stablehlo.multiply %x, %x : tensor<8xf32>
    %6 = stablehlo.multiply %x, %c : tensor<8xf32>
    %7 = stablehlo.subtract %5, %6 : tensor<8xf32>
    %8 = stablehlo.multiply %x, %w : tensor<8xf32>
    %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %10 = stablehlo.tanh %x : tensor<8xf32>
    %11 = stablehlo.multiply %x, %10 : tensor<8xf32>
    %12 = stablehlo.add %11, %c : tensor<8xf32>
    return %1, %4, %7, %9, %12 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>
  }
}
// ----
module @products_that_may_be_results attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>) {
    %0 = "stablehlo.constant"() {value = dense<2.000000e+00> : tensor<8xf32>} : () -> tensor<8xf32>
    %1 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.add"(%2, %arg2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%arg0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%4, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.maximum"(%4, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%arg0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.subtract"(%7, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.reduce"(%10, %1) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %12 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%12) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %13 = "stablehlo.tanh"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %14 = "stablehlo.multiply"(%arg0, %13) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.add"(%14, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    "func.return"(%3, %6, %9, %11, %15) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>) -> ()
  }
}
