// run: fusion
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<64x64xf32>
  %tanh = stablehlo.tanh %x : tensor<64x64xf32>
  %less = stablehlo.subtract %one, %tanh : tensor<64x64xf32>
  %h = stablehlo.multiply %tanh, %y : tensor<64x64xf32>
  %later = stablehlo.sqrt %less : tensor<64x64xf32>
  return %h, %tanh, %later : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
    %0:2 = "gantry.fusion"(%arg0, %arg1) ({
    ^bb0(%arg2: tensor<64x64xf32>, %arg3: tensor<64x64xf32>):
      %1 = "stablehlo.tanh"(%arg2) : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %2 = "stablehlo.multiply"(%1, %arg3) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      "stablehlo.return"(%2, %1) : (tensor<64x64xf32>, tensor<64x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>)
    %3 = "gantry.fusion"(%0#1) ({
    ^bb0(%arg4: tensor<64x64xf32>):
      %4 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<64x64xf32>} : () -> tensor<64x64xf32>
      %5 = "stablehlo.subtract"(%4, %arg4) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %6 = "stablehlo.sqrt"(%5) : (tensor<64x64xf32>) -> tensor<64x64xf32>
      "stablehlo.return"(%6) : (tensor<64x64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    "func.return"(%0#0, %0#1, %3) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> ()
  }
}
