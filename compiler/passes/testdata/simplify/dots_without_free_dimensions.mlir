// run: simplify dce
func.func @main(%z: tensor<3x2xcomplex<f32>>, %m: tensor<3x2xi1>, %n: tensor<2x3xi1>, %x: tensor<2x1xf16>, %y: tensor<1x3xf16>) -> (tensor<3xcomplex<f32>>, tensor<2x3xf16>, tensor<3xcomplex<f32>>) {
  %0 = stablehlo.convert %m : (tensor<3x2xi1>) -> tensor<3x2xcomplex<f32>>
  %t = stablehlo.convert %n : (tensor<2x3xi1>) -> tensor<2x3xcomplex<f32>>
  %1 = stablehlo.dot_general %z, %0, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x2xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %3 = stablehlo.dot_general %z, %t, batching_dims = [0] x [1], contracting_dims = [1] x [0] : (tensor<3x2xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %2 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x1xf16>, tensor<1x3xf16>) -> tensor<2x3xf16>
  return %1, %2, %3 : tensor<3xcomplex<f32>>, tensor<2x3xf16>, tensor<3xcomplex<f32>>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2xcomplex<f32>>, %arg1: tensor<3x2xi1>, %arg2: tensor<2x3xi1>, %arg3: tensor<2x1xf16>, %arg4: tensor<1x3xf16>) -> (tensor<3xcomplex<f32>>, tensor<2x3xf16>, tensor<3xcomplex<f32>>) {
    %0 = "stablehlo.convert"(%arg2) : (tensor<2x3xi1>) -> tensor<2x3xcomplex<f32>>
    %1 = "stablehlo.constant"() {value = dense<(0.000000e+00,0.000000e+00)> : tensor<3x2xcomplex<f32>>} : () -> tensor<3x2xcomplex<f32>>
    %2 = "stablehlo.select"(%arg1, %arg0, %1) : (tensor<3x2xi1>, tensor<3x2xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
    %3 = "stablehlo.constant"() {value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>} : () -> tensor<complex<f32>>
    %4 = "stablehlo.reduce"(%2, %3) ({
    ^bb0(%arg5: tensor<complex<f32>>, %arg6: tensor<complex<f32>>):
      %5 = "stablehlo.add"(%arg5, %arg6) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%5) : (tensor<complex<f32>>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %6 = "stablehlo.reshape"(%4) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
    %7 = "stablehlo.dot_general"(%arg0, %0) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x2xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
    %8 = "stablehlo.reshape"(%arg3) : (tensor<2x1xf16>) -> tensor<2xf16>
    %9 = "stablehlo.convert"(%8) : (tensor<2xf16>) -> tensor<2xf32>
    %10 = "stablehlo.broadcast_in_dim"(%9) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x3xf32>
    %11 = "stablehlo.transpose"(%arg4) {permutation = array<i64: 1, 0>} : (tensor<1x3xf16>) -> tensor<3x1xf16>
    %12 = "stablehlo.reshape"(%11) : (tensor<3x1xf16>) -> tensor<3xf16>
    %13 = "stablehlo.convert"(%12) : (tensor<3xf16>) -> tensor<3xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<2x3xf32>
    %15 = "stablehlo.multiply"(%10, %14) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %16 = "stablehlo.convert"(%15) : (tensor<2x3xf32>) -> tensor<2x3xf16>
    "func.return"(%6, %16, %7) : (tensor<3xcomplex<f32>>, tensor<2x3xf16>, tensor<3xcomplex<f32>>) -> ()
  }
}
