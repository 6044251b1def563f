// run: contract
module @exponentials {
  func.func public @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf64>) {
    %a = stablehlo.constant dense<-0.5> : tensor<8xf32>
    %b = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
    %c = stablehlo.constant dense<-0.5> : tensor<8xf64>
    %0 = stablehlo.multiply %x, %a : tensor<8xf32>
    %1 = stablehlo.exponential %0 : tensor<8xf32>
    %2 = stablehlo.multiply %x, %y : tensor<8xf32>
    %3 = stablehlo.exponential %2 : tensor<8xf32>
    %4 = stablehlo.multiply %x, %b : tensor<8xf32>
    %5 = stablehlo.exponential %4 : tensor<8xf32>
    %6 = stablehlo.multiply %a, %y : tensor<8xf32>
    %7 = stablehlo.exponential %6 : tensor<8xf32>
    %8 = stablehlo.multiply %c, %z : tensor<8xf64>
    %9 = stablehlo.exponential %8 : tensor<8xf64>
    return %1, %3, %5, %6, %9 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf64>
  }
}
// ----
module @exponentials attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf64>) {
    %0 = "stablehlo.constant"() {value = dense<-5.000000e-01> : tensor<8xf32>} : () -> tensor<8xf32>
    %1 = "stablehlo.constant"() {value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : tensor<8xf32>} : () -> tensor<8xf32>
    %2 = "stablehlo.constant"() {value = dense<-5.000000e-01> : tensor<8xf64>} : () -> tensor<8xf64>
    %3 = "stablehlo.multiply"(%arg0, %0) {contracts = true} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.exponential"(%3) : (tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.exponential"(%5) : (tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%arg0, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.exponential"(%7) : (tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%0, %arg1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.exponential"(%9) : (tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%2, %arg2) : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %12 = "stablehlo.exponential"(%11) : (tensor<8xf64>) -> tensor<8xf64>
    "func.return"(%4, %6, %8, %9, %12) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf64>) -> ()
  }
}
