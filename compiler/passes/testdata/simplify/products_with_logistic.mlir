// run: simplify fold dce
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xbf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>) {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %silu = stablehlo.multiply %x, %0 : tensor<4xf32>
  %1 = stablehlo.tanh %y : tensor<4xf32>
  %2 = stablehlo.add %1, %one : tensor<4xf32>
  %3 = stablehlo.multiply %2, %half : tensor<4xf32>
  %gelu = stablehlo.multiply %y, %3 : tensor<4xf32>
  %4 = stablehlo.subtract %x, %y : tensor<4xf32>
  %twice = stablehlo.logistic %4 : tensor<4xf32>
  %product = stablehlo.multiply %twice, %x : tensor<4xf32>
  %5 = stablehlo.logistic %z : tensor<4xbf16>
  %narrow = stablehlo.multiply %z, %5 : tensor<4xbf16>
  return %silu, %gelu, %twice, %product, %narrow : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xbf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>) {
    %0 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %1 = "stablehlo.constant"() {value = dense<5.000000e-01> : tensor<4xf32>} : () -> tensor<4xf32>
    %2 = "stablehlo.negate"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.exponential"(%2) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %5 = "stablehlo.add"(%3, %4) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %6 = "stablehlo.divide"(%arg0, %5) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %7 = "stablehlo.tanh"(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.add"(%7, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %9 = "stablehlo.multiply"(%8, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %10 = "stablehlo.multiply"(%arg1, %9) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %11 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %12 = "stablehlo.logistic"(%11) : (tensor<4xf32>) -> tensor<4xf32>
    %13 = "stablehlo.multiply"(%12, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %14 = "stablehlo.logistic"(%arg2) : (tensor<4xbf16>) -> tensor<4xbf16>
    %15 = "stablehlo.multiply"(%arg2, %14) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    "func.return"(%6, %10, %12, %13, %15) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>) -> ()
  }
}
