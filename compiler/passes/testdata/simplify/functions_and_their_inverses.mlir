// run: simplify dce
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %ex = stablehlo.exponential %x : tensor<4xf32>
  %ey = stablehlo.exponential %y : tensor<4xf32>
  %a = stablehlo.multiply %ex, %ey : tensor<4xf32>
  %b = stablehlo.divide %ex, %ey : tensor<4xf32>
  %c = stablehlo.log %ex : tensor<4xf32>
  %pow = stablehlo.power %x, %y : tensor<4xf32>
  %d = stablehlo.log %pow : tensor<4xf32>
  %square = stablehlo.multiply %x, %x : tensor<4xf32>
  %e = stablehlo.sqrt %square : tensor<4xf32>
  %f = stablehlo.compare GE, %ex, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %a, %b, %c, %d, %e, %f : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %1 = "stablehlo.exponential"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.exponential"(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.multiply"(%1, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.divide"(%1, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.log"(%1) : (tensor<4xf32>) -> tensor<4xf32>
    %6 = "stablehlo.power"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %7 = "stablehlo.log"(%6) : (tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %9 = "stablehlo.sqrt"(%8) : (tensor<4xf32>) -> tensor<4xf32>
    %10 = "stablehlo.compare"(%1, %0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    "func.return"(%3, %4, %5, %7, %9, %10) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) -> ()
  }
}
