// run: fusion
func.func @main(%x: tensor<64x64xf32>) -> (tensor<67x64xf32>, tensor<65x64xf32>) {
  %0 = stablehlo.slice %x [1:4, 0:64] : (tensor<64x64xf32>) -> tensor<3x64xf32>
  %1 = stablehlo.sine %0 : tensor<3x64xf32>
  %2 = stablehlo.concatenate %1, %x, dim = 0 : (tensor<3x64xf32>, tensor<64x64xf32>) -> tensor<67x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %4 = stablehlo.reshape %3 : (tensor<64xf32>) -> tensor<1x64xf32>
  %5 = stablehlo.concatenate %4, %x, dim = 0 : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<65x64xf32>
  return %2, %5 : tensor<67x64xf32>, tensor<65x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x64xf32>) -> (tensor<67x64xf32>, tensor<65x64xf32>) {
    %0 = "gantry.fusion"(%arg0) ({
    ^bb0(%arg1: tensor<64x64xf32>):
      %1 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 4, 64>, strides = array<i64: 1, 1>} : (tensor<64x64xf32>) -> tensor<3x64xf32>
      %2 = "stablehlo.sine"(%1) : (tensor<3x64xf32>) -> tensor<3x64xf32>
      %3 = "stablehlo.concatenate"(%2, %arg1) {dimension = 0 : i64} : (tensor<3x64xf32>, tensor<64x64xf32>) -> tensor<67x64xf32>
      "stablehlo.return"(%3) : (tensor<67x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<64x64xf32>) -> tensor<67x64xf32>
    %4 = "gantry.fusion"(%arg0) ({
    ^bb0(%arg2: tensor<64x64xf32>):
      %5 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
      %6 = "stablehlo.reduce"(%arg2, %5) ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        %7 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%7) : (tensor<f32>) -> ()
      }) {dimensions = array<i64: 0>} : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
      "stablehlo.return"(%6) : (tensor<64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<64x64xf32>) -> tensor<64xf32>
    %8 = "gantry.fusion"(%4, %arg0) ({
    ^bb0(%arg5: tensor<64xf32>, %arg6: tensor<64x64xf32>):
      %9 = "stablehlo.reshape"(%arg5) : (tensor<64xf32>) -> tensor<1x64xf32>
      %10 = "stablehlo.concatenate"(%9, %arg6) {dimension = 0 : i64} : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<65x64xf32>
      "stablehlo.return"(%10) : (tensor<65x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<65x64xf32>
    "func.return"(%0, %8) : (tensor<67x64xf32>, tensor<65x64xf32>) -> ()
  }
}
