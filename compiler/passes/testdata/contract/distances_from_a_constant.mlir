// run: contract
module @distances_from_a_constant {
  func.func public @main(%c: tensor<8xf32>, %d: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>) {
    %one = stablehlo.constant dense<1.0> : tensor<8xf32>
    %two = stablehlo.constant dense<2> : tensor<8xi32>
    %0 = stablehlo.multiply %c, %d : tensor<8xf32>
    %1 = stablehlo.subtract %0, %one : tensor<8xf32>
    %2 = stablehlo.abs %1 : tensor<8xf32>
    %3 = stablehlo.multiply %c, %c : tensor<8xf32>
    %4 = stablehlo.multiply %3, %d : tensor<8xf32>
    %5 = stablehlo.add %one, %4 : tensor<8xf32>
    %6 = stablehlo.abs %5 : tensor<8xf32>
    %7 = stablehlo.subtract %0, %d : tensor<8xf32>
    %8 = stablehlo.abs %7 : tensor<8xf32>
    %9 = stablehlo.multiply %i, %i : tensor<8xi32>
    %10 = stablehlo.subtract %9, %two : tensor<8xi32>
    %11 = stablehlo.abs %10 : tensor<8xi32>
    return %0, %1, %2, %6, %8, %11 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>
  }
}
// ----
module @distances_from_a_constant attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>) {
    %0 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<8xf32>} : () -> tensor<8xf32>
    %1 = "stablehlo.constant"() {value = dense<2> : tensor<8xi32>} : () -> tensor<8xi32>
    %2 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.subtract"(%2, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%arg0, %arg1) {contracts = true} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.subtract"(%4, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.abs"(%5) : (tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %arg1) {contracts = true} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.add"(%0, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.abs"(%9) : (tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.subtract"(%2, %arg1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.abs"(%11) : (tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.multiply"(%arg2, %arg2) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    %14 = "stablehlo.subtract"(%13, %1) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    %15 = "stablehlo.abs"(%14) : (tensor<8xi32>) -> tensor<8xi32>
    "func.return"(%2, %3, %6, %10, %12, %15) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>) -> ()
  }
}
