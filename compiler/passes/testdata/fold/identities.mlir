// run: fold dce
func.func @main(%x: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<3xi32>
  %one = stablehlo.constant dense<1> : tensor<3xi32>
  %a = stablehlo.add %x, %zero : tensor<3xi32>
  %b = stablehlo.multiply %x, %one : tensor<3xi32>
  %c = stablehlo.subtract %x, %x : tensor<3xi32>
  return %a, %b, %c : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<3xi32>} : () -> tensor<3xi32>
    "func.return"(%arg0, %arg0, %0) : (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> ()
  }
}
