// run: simplify dce
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<4.0> : tensor<4xf32>
  %d = stablehlo.constant dense<3.0> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.add %x, %c : tensor<4xf32>
  %a = stablehlo.subtract %0, %c : tensor<4xf32>
  %1 = stablehlo.multiply %x, %c : tensor<4xf32>
  %b = stablehlo.divide %1, %d : tensor<4xf32>
  %2 = stablehlo.subtract %c, %x : tensor<4xf32>
  %e = stablehlo.add %2, %d : tensor<4xf32>
  %f = stablehlo.add %x, %zero : tensor<4xf32>
  return %a, %b, %e, %f : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = "stablehlo.constant"() {value = dense<4.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %1 = "stablehlo.constant"() {value = dense<3.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %2 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %3 = "stablehlo.add"(%arg0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.subtract"(%3, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.multiply"(%arg0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %6 = "stablehlo.constant"() {value = dense<3.33333343e-01> : tensor<4xf32>} : () -> tensor<4xf32>
    %7 = "stablehlo.multiply"(%5, %6) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.subtract"(%0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %9 = "stablehlo.add"(%8, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %10 = "stablehlo.add"(%arg0, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%4, %7, %9, %10) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
  }
}
