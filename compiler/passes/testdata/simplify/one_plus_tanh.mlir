// run: simplify fold dce
func.func @main(%x: tensor<4xf32>, %y: tensor<4xbf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>) {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %scale = stablehlo.constant dense<0.75> : tensor<4xf32>
  %narrow = stablehlo.constant dense<1.0> : tensor<4xbf16>
  %0 = stablehlo.multiply %x, %scale : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %one : tensor<4xf32>
  %a = stablehlo.multiply %2, %half : tensor<4xf32>
  %3 = stablehlo.tanh %x : tensor<4xf32>
  %b = stablehlo.add %one, %3 : tensor<4xf32>
  %t = stablehlo.tanh %a : tensor<4xf32>
  %c = stablehlo.add %t, %one : tensor<4xf32>
  %4 = stablehlo.tanh %y : tensor<4xbf16>
  %d = stablehlo.add %4, %narrow : tensor<4xbf16>
  return %a, %b, %c, %t, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xbf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>) {
    %0 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %1 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<4xbf16>} : () -> tensor<4xbf16>
    %2 = "stablehlo.constant"() {value = dense<1.500000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %3 = "stablehlo.multiply"(%arg0, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.logistic"(%3) : (tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.tanh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %6 = "stablehlo.add"(%5, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %7 = "stablehlo.tanh"(%4) : (tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.add"(%7, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %9 = "stablehlo.tanh"(%arg1) : (tensor<4xbf16>) -> tensor<4xbf16>
    %10 = "stablehlo.add"(%9, %1) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    "func.return"(%4, %6, %8, %7, %10) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>) -> ()
  }
}
