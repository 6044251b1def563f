// run: simplify dce
func.func @main(%z: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
  %0 = stablehlo.constant dense<(0.0,0.0)> : tensor<4xcomplex<f32>>
  %1 = stablehlo.constant dense<(0.0,4.0)> : tensor<4xcomplex<f32>>
  %2 = stablehlo.add %z, %0 : tensor<4xcomplex<f32>>
  %3 = stablehlo.subtract %z, %0 : tensor<4xcomplex<f32>>
  %4 = stablehlo.divide %z, %1 : tensor<4xcomplex<f32>>
  return %2, %3, %4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
    %0 = "stablehlo.constant"() {value = dense<(0.000000e+00,0.000000e+00)> : tensor<4xcomplex<f32>>} : () -> tensor<4xcomplex<f32>>
    %1 = "stablehlo.constant"() {value = dense<(0.000000e+00,4.000000e+00)> : tensor<4xcomplex<f32>>} : () -> tensor<4xcomplex<f32>>
    %2 = "stablehlo.add"(%arg0, %0) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %3 = "stablehlo.subtract"(%arg0, %0) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %4 = "stablehlo.divide"(%arg0, %1) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    "func.return"(%2, %3, %4) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> ()
  }
}
