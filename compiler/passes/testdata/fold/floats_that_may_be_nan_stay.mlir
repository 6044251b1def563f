// run: fold dce
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>) {
  %a = stablehlo.subtract %x, %x : tensor<3xf32>
  %b = stablehlo.compare EQ, %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return %a, %b : tensor<3xf32>, tensor<3xi1>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>) {
    %0 = "stablehlo.subtract"(%arg0, %arg0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %1 = "stablehlo.compare"(%arg0, %arg0) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    "func.return"(%0, %1) : (tensor<3xf32>, tensor<3xi1>) -> ()
  }
}
