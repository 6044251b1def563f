// run: canonicalize vector_product
func.func @main(%a: tensor<64x32xf32>, %x: tensor<32xf32>) -> tensor<64xf32> {
  %0 = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x32xf32>, %arg1: tensor<32xf32>) -> (tensor<64xf32>) {
    %0 = "stablehlo.reshape"(%arg1) : (tensor<32xf32>) -> tensor<32xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<64x32xf32>
    %2 = "stablehlo.multiply"(%arg0, %1) {contracts = true} : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    %3 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %4 = "stablehlo.reduce"(%2, %3) ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %5 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<64x32xf32>, tensor<f32>) -> tensor<64xf32>
    %6 = "stablehlo.reshape"(%4) : (tensor<64xf32>) -> tensor<64xf32>
    "func.return"(%6) : (tensor<64xf32>) -> ()
  }
}
