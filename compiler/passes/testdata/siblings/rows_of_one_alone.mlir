// run: fusion siblings
func.func @main(%x: tensor<7x9xf32>, %r: tensor<9xf32>) -> (tensor<7x9xf32>, tensor<7x9xf32>) {
  %wide = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<9xf32>) -> tensor<7x9xf32>
  %a = stablehlo.add %x, %wide : tensor<7x9xf32>
  %b = stablehlo.negate %x : tensor<7x9xf32>
  return %a, %b : tensor<7x9xf32>, tensor<7x9xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x9xf32>, %arg1: tensor<9xf32>) -> (tensor<7x9xf32>, tensor<7x9xf32>) {
    %0 = "gantry.fusion"(%arg1, %arg0) ({
    ^bb0(%arg2: tensor<9xf32>, %arg3: tensor<7x9xf32>):
      %1 = "stablehlo.broadcast_in_dim"(%arg2) {broadcast_dimensions = array<i64: 1>} : (tensor<9xf32>) -> tensor<7x9xf32>
      %2 = "stablehlo.add"(%arg3, %1) : (tensor<7x9xf32>, tensor<7x9xf32>) -> tensor<7x9xf32>
      "stablehlo.return"(%2) : (tensor<7x9xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<9xf32>, tensor<7x9xf32>) -> tensor<7x9xf32>
    %3 = "gantry.fusion"(%arg0) ({
    ^bb0(%arg4: tensor<7x9xf32>):
      %4 = "stablehlo.negate"(%arg4) : (tensor<7x9xf32>) -> tensor<7x9xf32>
      "stablehlo.return"(%4) : (tensor<7x9xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<7x9xf32>) -> tensor<7x9xf32>
    "func.return"(%0, %3) : (tensor<7x9xf32>, tensor<7x9xf32>) -> ()
  }
}
