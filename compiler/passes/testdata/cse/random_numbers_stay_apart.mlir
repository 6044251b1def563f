// run: cse
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  %a = stablehlo.rng %x, %y, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  %b = stablehlo.rng %x, %y, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  return %a, %b : tensor<2xf32>, tensor<2xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0 = "stablehlo.constant"() {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
    %1 = "stablehlo.rng"(%arg0, %arg1, %0) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
    %2 = "stablehlo.rng"(%arg0, %arg1, %0) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
    "func.return"(%1, %2) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }
}
