// run: vector_product
func.func @main(%x: tensor<8x2x64xcomplex<f32>>, %g: tensor<2x2xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>> {
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [1] x [1] : (tensor<8x2x64xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<8x64x2xcomplex<f32>>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<8x64x2xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
  return %1 : tensor<8x2x64xcomplex<f32>>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2x64xcomplex<f32>>, %arg1: tensor<2x2xcomplex<f32>>) -> (tensor<8x2x64xcomplex<f32>>) {
    %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 8, 1, 64>, strides = array<i64: 1, 1, 1>} : (tensor<8x2x64xcomplex<f32>>) -> tensor<8x1x64xcomplex<f32>>
    %1 = "stablehlo.reshape"(%0) : (tensor<8x1x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
    %2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %3 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 1>, strides = array<i64: 1, 1>} : (tensor<2x2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
    %4 = "stablehlo.reshape"(%3) : (tensor<2x1xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    %5 = "stablehlo.broadcast_in_dim"(%4) {broadcast_dimensions = array<i64: 1>} : (tensor<2xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %6 = "stablehlo.multiply"(%2, %5) : (tensor<8x2x64xcomplex<f32>>, tensor<8x2x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %7 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 8, 2, 64>, strides = array<i64: 1, 1, 1>} : (tensor<8x2x64xcomplex<f32>>) -> tensor<8x1x64xcomplex<f32>>
    %8 = "stablehlo.reshape"(%7) : (tensor<8x1x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
    %9 = "stablehlo.broadcast_in_dim"(%8) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %10 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 2, 2>, strides = array<i64: 1, 1>} : (tensor<2x2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
    %11 = "stablehlo.reshape"(%10) : (tensor<2x1xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    %12 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64: 1>} : (tensor<2xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %13 = "stablehlo.multiply"(%9, %12) : (tensor<8x2x64xcomplex<f32>>, tensor<8x2x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    %14 = "stablehlo.add"(%6, %13) : (tensor<8x2x64xcomplex<f32>>, tensor<8x2x64xcomplex<f32>>) -> tensor<8x2x64xcomplex<f32>>
    "func.return"(%14) : (tensor<8x2x64xcomplex<f32>>) -> ()
  }
}
