// run: vector_product
func.func @main(%x: tensor<8x2x64xcomplex<f32>>, %g: tensor<2x2xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>> {
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [1] x [1] : (tensor<8x2x64xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<8x64x2xcomplex<f32>>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<8x64x2xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
  return %1 : tensor<8x2x64xcomplex<f32>>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2x64xcomplex<f32>>, %arg1: tensor<2x2xcomplex<f32>>) -> (tensor<8x2x64xcomplex<f32>>) {
    %0 = "stablehlo.constant"() {value = dense<(0.000000e+00,0.000000e+00)> : tensor<8x2x64xcomplex<f32>>} : () -> tensor<8x2x64xcomplex<f32>>
    %1 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 8, 1, 64>, strides = array<i64: 1, 1, 1>} : (tensor<8x2x64xcomplex<f32>>) -> tensor<8x1x64xcomplex<f32>>
    %2 = "stablehlo.reshape"(%1) : (tensor<8x1x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %4 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 1>, strides = array<i64: 1, 1>} : (tensor<2x2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
    %5 = "stablehlo.reshape"(%4) : (tensor<2x1xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    %6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64: 1>} : (tensor<2xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %7 = "stablehlo.multiply"(%3, %6) : (tensor<8x2x64xcomplex<f32>>, tensor<8x2x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %8 = "stablehlo.add"(%0, %7) : (tensor<8x2x64xcomplex<f32>>, tensor<8x2x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %9 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 8, 2, 64>, strides = array<i64: 1, 1, 1>} : (tensor<8x2x64xcomplex<f32>>) -> tensor<8x1x64xcomplex<f32>>
    %10 = "stablehlo.reshape"(%9) : (tensor<8x1x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
    %11 = "stablehlo.broadcast_in_dim"(%10) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %12 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 2, 2>, strides = array<i64: 1, 1>} : (tensor<2x2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
    %13 = "stablehlo.reshape"(%12) : (tensor<2x1xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    %14 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64: 1>} : (tensor<2xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %15 = "stablehlo.multiply"(%11, %14) : (tensor<8x2x64xcomplex<f32>>, tensor<8x2x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %16 = "stablehlo.add"(%8, %15) : (tensor<8x2x64xcomplex<f32>>, tensor<8x2x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    "func.return"(%16) : (tensor<8x2x64xcomplex<f32>>) -> ()
  }
}
