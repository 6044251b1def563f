// run: contract
module @polynomial_and_square {
  func.func public @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
    %a = stablehlo.constant dense<2.0> : tensor<8xf32>
    %b = stablehlo.constant dense<3.0> : tensor<8xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.multiply %a, %x : tensor<8xf32>
    %1 = stablehlo.add %0, %b : tensor<8xf32>
    %2 = stablehlo.multiply %1, %x : tensor<8xf32>
    %3 = stablehlo.subtract %x, %2 : tensor<8xf32>
    %4 = stablehlo.tanh %3 : tensor<8xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<8xf32>
    %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %3, %6 : tensor<8xf32>, tensor<f32>
  }
}
// ----
module @polynomial_and_square attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
    %0 = "stablehlo.constant"() {value = dense<2.000000e+00> : tensor<8xf32>} : () -> tensor<8xf32>
    %1 = "stablehlo.constant"() {value = dense<3.000000e+00> : tensor<8xf32>} : () -> tensor<8xf32>
    %2 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %3 = "stablehlo.multiply"(%0, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.add"(%3, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.subtract"(%arg0, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.tanh"(%6) : (tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %7) {contracts = true} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.reduce"(%8, %2) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %10 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%10) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%6, %9) : (tensor<8xf32>, tensor<f32>) -> ()
  }
}
