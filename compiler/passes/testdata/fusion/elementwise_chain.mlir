// run: fusion
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %a = stablehlo.multiply %x, %y : tensor<64xf32>
  %b = stablehlo.add %a, %y : tensor<64xf32>
  %c = stablehlo.negate %b : tensor<64xf32>
  return %c : tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> (tensor<64xf32>) {
    %0 = "gantry.fusion"(%arg0, %arg1) ({
    ^bb0(%arg2: tensor<64xf32>, %arg3: tensor<64xf32>):
      %1 = "stablehlo.multiply"(%arg2, %arg3) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %2 = "stablehlo.add"(%1, %arg3) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %3 = "stablehlo.negate"(%2) : (tensor<64xf32>) -> tensor<64xf32>
      "stablehlo.return"(%3) : (tensor<64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    "func.return"(%0) : (tensor<64xf32>) -> ()
  }
}
