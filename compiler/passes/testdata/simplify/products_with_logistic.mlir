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
    %0 = "stablehlo.constant"() {value = dense<5.000000e-01> : tensor<4xf32>} : () -> tensor<4xf32>
    %1 = "stablehlo.negate"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.exponential"(%1) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %4 = "stablehlo.add"(%2, %3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.divide"(%arg0, %4) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %6 = "stablehlo.constant"() {value = dense<2.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %7 = "stablehlo.multiply"(%arg1, %6) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.logistic"(%7) : (tensor<4xf32>) -> tensor<4xf32>
    %9 = "stablehlo.constant"() {value = dense<2.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %10 = "stablehlo.multiply"(%8, %9) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %11 = "stablehlo.multiply"(%10, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %12 = "stablehlo.multiply"(%arg1, %11) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %13 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %14 = "stablehlo.logistic"(%13) : (tensor<4xf32>) -> tensor<4xf32>
    %15 = "stablehlo.multiply"(%14, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %16 = "stablehlo.logistic"(%arg2) : (tensor<4xbf16>) -> tensor<4xbf16>
    %17 = "stablehlo.multiply"(%arg2, %16) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    "func.return"(%5, %12, %14, %15, %17) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>) -> ()
  }
}
