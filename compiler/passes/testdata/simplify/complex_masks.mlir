// run: fold simplify dce
// Only a predicate that is converted in one step is a mask.
func.func @main(%z: tensor<4xcomplex<f32>>, %m: tensor<4xi1>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
  %0 = stablehlo.convert %m : (tensor<4xi1>) -> tensor<4xcomplex<f32>>
  %1 = stablehlo.multiply %z, %0 : tensor<4xcomplex<f32>>
  %2 = stablehlo.convert %m : (tensor<4xi1>) -> tensor<4xi32>
  %3 = stablehlo.convert %2 : (tensor<4xi32>) -> tensor<4xcomplex<f32>>
  %4 = stablehlo.multiply %z, %3 : tensor<4xcomplex<f32>>
  return %1, %4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xcomplex<f32>>, %arg1: tensor<4xi1>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
    %0 = "stablehlo.constant"() {value = dense<(0.000000e+00,0.000000e+00)> : tensor<4xcomplex<f32>>} : () -> tensor<4xcomplex<f32>>
    %1 = "stablehlo.select"(%arg1, %arg0, %0) : (tensor<4xi1>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %2 = "stablehlo.convert"(%arg1) : (tensor<4xi1>) -> tensor<4xi32>
    %3 = "stablehlo.convert"(%2) : (tensor<4xi32>) -> tensor<4xcomplex<f32>>
    %4 = "stablehlo.multiply"(%arg0, %3) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    "func.return"(%1, %4) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> ()
  }
}
