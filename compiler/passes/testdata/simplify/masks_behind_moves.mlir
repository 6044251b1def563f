// run: simplify dce
// Reshapes and transposes of a mask pass elementwise operations of tensors that are moved alike.
func.func @main(%x: tensor<6xf32>, %m: tensor<6xi1>, %s: tensor<f32>, %y: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = stablehlo.convert %m : (tensor<6xi1>) -> tensor<6xf32>
  %1 = stablehlo.reshape %0 : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = stablehlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %5 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
  %6 = stablehlo.add %4, %5 : tensor<3x2xf32>
  %7 = stablehlo.multiply %6, %2 : tensor<3x2xf32>
  %8 = stablehlo.multiply %2, %5 : tensor<3x2xf32>
  %9 = stablehlo.multiply %y, %2 : tensor<3x2xf32>
  return %7, %8, %9 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>, %arg1: tensor<6xi1>, %arg2: tensor<f32>, %arg3: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
    %0 = "stablehlo.convert"(%arg1) : (tensor<6xi1>) -> tensor<6xf32>
    %1 = "stablehlo.reshape"(%0) : (tensor<6xf32>) -> tensor<2x3xf32>
    %2 = "stablehlo.transpose"(%1) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %3 = "stablehlo.reshape"(%arg0) : (tensor<6xf32>) -> tensor<2x3xf32>
    %4 = "stablehlo.transpose"(%3) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %5 = "stablehlo.broadcast_in_dim"(%arg2) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<3x2xf32>
    %6 = "stablehlo.add"(%4, %5) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    %7 = "stablehlo.reshape"(%arg1) : (tensor<6xi1>) -> tensor<2x3xi1>
    %8 = "stablehlo.transpose"(%7) {permutation = array<i64: 1, 0>} : (tensor<2x3xi1>) -> tensor<3x2xi1>
    %9 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
    %10 = "stablehlo.select"(%8, %6, %9) : (tensor<3x2xi1>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    %11 = "stablehlo.reshape"(%arg1) : (tensor<6xi1>) -> tensor<2x3xi1>
    %12 = "stablehlo.transpose"(%11) {permutation = array<i64: 1, 0>} : (tensor<2x3xi1>) -> tensor<3x2xi1>
    %13 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
    %14 = "stablehlo.select"(%12, %5, %13) : (tensor<3x2xi1>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    %15 = "stablehlo.multiply"(%arg3, %2) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    "func.return"(%10, %14, %15) : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) -> ()
  }
}
