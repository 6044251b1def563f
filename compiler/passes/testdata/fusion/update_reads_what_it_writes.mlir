// run: fusion
func.func @main(%x: tensor<64xf32>, %y: tensor<4xf32>, %i: tensor<i32>) -> tensor<64xf32> {
  %s = stablehlo.dynamic_slice %x, %i, sizes = [4] : (tensor<64xf32>, tensor<i32>) -> tensor<4xf32>
  %a = stablehlo.add %s, %y : tensor<4xf32>
  %0 = stablehlo.dynamic_update_slice %x, %a, %i : (tensor<64xf32>, tensor<4xf32>, tensor<i32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> (tensor<64xf32>) {
    %0 = "gantry.fusion"(%arg0, %arg2, %arg1) ({
    ^bb0(%arg3: tensor<64xf32>, %arg4: tensor<i32>, %arg5: tensor<4xf32>):
      %1 = "stablehlo.dynamic_slice"(%arg3, %arg4) {slice_sizes = array<i64: 4>} : (tensor<64xf32>, tensor<i32>) -> tensor<4xf32>
      %2 = "stablehlo.add"(%1, %arg5) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %3 = "stablehlo.dynamic_update_slice"(%arg3, %2, %arg4) : (tensor<64xf32>, tensor<4xf32>, tensor<i32>) -> tensor<64xf32>
      "stablehlo.return"(%3) : (tensor<64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind UPDATE>} : (tensor<64xf32>, tensor<i32>, tensor<4xf32>) -> tensor<64xf32>
    "func.return"(%0) : (tensor<64xf32>) -> ()
  }
}
