// run: contract
module @inverse_error_function {
  func.func public @main(%w: tensor<8xf32>) -> tensor<8xf32> {
    %a = stablehlo.constant dense<2.0> : tensor<8xf32>
    %b = stablehlo.constant dense<3.0> : tensor<8xf32>
    %c = stablehlo.constant dense<4.0> : tensor<8xf32>
    %d = stablehlo.constant dense<5.0> : tensor<8xf32>
    %0 = stablehlo.compare LT, %w, %d : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %1 = stablehlo.sqrt %w : tensor<8xf32>
    %2 = stablehlo.subtract %1, %b : tensor<8xf32>
    %3 = stablehlo.subtract %w, %a : tensor<8xf32>
    %4 = stablehlo.select %0, %3, %2 : tensor<8xi1>, tensor<8xf32>
    %5 = stablehlo.select %0, %a, %b : tensor<8xi1>, tensor<8xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<8xf32>
    %7 = stablehlo.select %0, %c, %d : tensor<8xi1>, tensor<8xf32>
    %8 = stablehlo.add %7, %6 : tensor<8xf32>
    return %8 : tensor<8xf32>
  }
}
// ----
module @inverse_error_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = "stablehlo.constant"() {value = dense<2.000000e+00> : tensor<8xf32>} : () -> tensor<8xf32>
    %1 = "stablehlo.constant"() {value = dense<3.000000e+00> : tensor<8xf32>} : () -> tensor<8xf32>
    %2 = "stablehlo.constant"() {value = dense<4.000000e+00> : tensor<8xf32>} : () -> tensor<8xf32>
    %3 = "stablehlo.constant"() {value = dense<5.000000e+00> : tensor<8xf32>} : () -> tensor<8xf32>
    %4 = "stablehlo.compare"(%arg0, %3) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %5 = "stablehlo.sqrt"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.subtract"(%5, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.subtract"(%arg0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.select"(%4, %7, %6) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.select"(%4, %0, %1) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.select"(%4, %2, %3) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.add"(%11, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    "func.return"(%12) : (tensor<8xf32>) -> ()
  }
}
