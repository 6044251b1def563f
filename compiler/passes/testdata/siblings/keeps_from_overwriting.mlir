// run: fusion siblings
func.func @main(%x: tensor<9x9xf32>, %y: tensor<9x9xf32>, %k: tensor<i32>) -> (tensor<9x9xf32>, tensor<9x9xf32>) {
  %row = "stablehlo.dynamic_slice"(%x, %k, %k) {slice_sizes = array<i64: 1, 9>} : (tensor<9x9xf32>, tensor<i32>, tensor<i32>) -> tensor<1x9xf32>
  %wide = stablehlo.broadcast_in_dim %row, dims = [0, 1] : (tensor<1x9xf32>) -> tensor<9x9xf32>
  %a = stablehlo.add %y, %wide : tensor<9x9xf32>
  %b = stablehlo.negate %x : tensor<9x9xf32>
  return %a, %b : tensor<9x9xf32>, tensor<9x9xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x9xf32>, %arg1: tensor<9x9xf32>, %arg2: tensor<i32>) -> (tensor<9x9xf32>, tensor<9x9xf32>) {
    %0 = "gantry.fusion"(%arg0, %arg2, %arg1) ({
    ^bb0(%arg3: tensor<9x9xf32>, %arg4: tensor<i32>, %arg5: tensor<9x9xf32>):
      %1 = "stablehlo.dynamic_slice"(%arg3, %arg4, %arg4) {slice_sizes = array<i64: 1, 9>} : (tensor<9x9xf32>, tensor<i32>, tensor<i32>) -> tensor<1x9xf32>
      %2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x9xf32>) -> tensor<9x9xf32>
      %3 = "stablehlo.add"(%arg5, %2) : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
      "stablehlo.return"(%3) : (tensor<9x9xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<9x9xf32>, tensor<i32>, tensor<9x9xf32>) -> tensor<9x9xf32>
    %4 = "gantry.fusion"(%arg0) ({
    ^bb0(%arg6: tensor<9x9xf32>):
      %5 = "stablehlo.negate"(%arg6) : (tensor<9x9xf32>) -> tensor<9x9xf32>
      "stablehlo.return"(%5) : (tensor<9x9xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<9x9xf32>) -> tensor<9x9xf32>
    "func.return"(%0, %4) : (tensor<9x9xf32>, tensor<9x9xf32>) -> ()
  }
}
