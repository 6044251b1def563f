// run: simplify dce
func.func @main(%x: tensor<4xf32>, %p: tensor<4xi1>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<f32>) {
  %m = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xf32>
  %a = stablehlo.multiply %x, %m : tensor<4xf32>
  %b = stablehlo.multiply %m, %x : tensor<4xf32>
  %n = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xi32>
  %c = stablehlo.multiply %i, %n : tensor<4xi32>
  %d = stablehlo.dot_general %x, %m, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<f32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi1>, %arg2: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<f32>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %1 = "stablehlo.select"(%arg1, %arg0, %0) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %3 = "stablehlo.select"(%arg1, %arg0, %2) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.constant"() {value = dense<0> : tensor<4xi32>} : () -> tensor<4xi32>
    %5 = "stablehlo.select"(%arg1, %arg2, %4) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %6 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<4xf32>} : () -> tensor<4xf32>
    %7 = "stablehlo.select"(%arg1, %arg0, %6) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %9 = "stablehlo.reduce"(%7, %8) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %10 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%10) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.reshape"(%9) : (tensor<f32>) -> tensor<f32>
    "func.return"(%1, %3, %5, %11) : (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<f32>) -> ()
  }
}
