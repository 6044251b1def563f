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
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.exponential"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.exponential"(%2) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %5 = "stablehlo.abs"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %6 = "stablehlo.log"(%5) : (tensor<4xf32>) -> tensor<4xf32>
    %7 = "stablehlo.multiply"(%6, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.compare"(%arg1, %4) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %9 = "stablehlo.select"(%8, %4, %7) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %10 = "stablehlo.abs"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %11 = "stablehlo.constant"() {value = dense<true> : tensor<4xi1>} : () -> tensor<4xi1>
    "func.return"(%1, %3, %arg0, %9, %10, %11) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) -> ()
  }
}
