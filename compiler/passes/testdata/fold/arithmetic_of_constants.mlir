// run: fold dce
func.func @main(%x: tensor<3xi32>) -> tensor<3xi32> {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<10> : tensor<3xi32>
  %c = stablehlo.multiply %a, %b : tensor<3xi32>
  %d = stablehlo.add %x, %c : tensor<3xi32>
  return %d : tensor<3xi32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xi32>) -> (tensor<3xi32>) {
    %0 = "stablehlo.constant"() {value = dense<[10, 20, 30]> : tensor<3xi32>} : () -> tensor<3xi32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    "func.return"(%1) : (tensor<3xi32>) -> ()
  }
}
