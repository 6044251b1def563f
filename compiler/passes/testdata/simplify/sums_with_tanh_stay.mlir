// run: simplify fold dce
func.func @main(%x: tensor<4xf32>, %y: tensor<4xbf16>, %z: tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf16>) {
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
  %least = stablehlo.constant dense<1.0> : tensor<4xf16>
  %5 = stablehlo.tanh %z : tensor<4xf16>
  %e = stablehlo.add %5, %least : tensor<4xf16>
  return %a, %b, %c, %t, %d, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xbf16>, %arg2: tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf16>) {
    %0 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %1 = "stablehlo.constant"() {value = dense<5.000000e-01> : tensor<4xf32>} : () -> tensor<4xf32>
    %2 = "stablehlo.constant"() {value = dense<7.500000e-01> : tensor<4xf32>} : () -> tensor<4xf32>
    %3 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<4xbf16>} : () -> tensor<4xbf16>
    %4 = "stablehlo.multiply"(%arg0, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.tanh"(%4) : (tensor<4xf32>) -> tensor<4xf32>
    %6 = "stablehlo.add"(%5, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %7 = "stablehlo.multiply"(%6, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.tanh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %9 = "stablehlo.add"(%8, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %10 = "stablehlo.tanh"(%7) : (tensor<4xf32>) -> tensor<4xf32>
    %11 = "stablehlo.add"(%10, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %12 = "stablehlo.tanh"(%arg1) : (tensor<4xbf16>) -> tensor<4xbf16>
    %13 = "stablehlo.add"(%12, %3) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    %14 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<4xf16>} : () -> tensor<4xf16>
    %15 = "stablehlo.tanh"(%arg2) : (tensor<4xf16>) -> tensor<4xf16>
    %16 = "stablehlo.add"(%15, %14) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
    "func.return"(%7, %9, %11, %10, %13, %16) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf16>) -> ()
  }
}
