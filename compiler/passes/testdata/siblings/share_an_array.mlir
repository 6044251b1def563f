// run: fusion siblings
func.func @main(%x: tensor<7x9xf32>, %y: tensor<7x9xi32>, %r: tensor<9xf32>) -> (tensor<7x9xf32>, tensor<7x9xi32>) {
  %wide = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<9xf32>) -> tensor<7x9xf32>
  %sum = stablehlo.add %x, %wide : tensor<7x9xf32>
  %least = stablehlo.minimum %x, %sum : tensor<7x9xf32>
  %wide2 = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<9xf32>) -> tensor<7x9xf32>
  %sum2 = stablehlo.add %x, %wide2 : tensor<7x9xf32>
  %less = stablehlo.compare LT, %sum2, %x : (tensor<7x9xf32>, tensor<7x9xf32>) -> tensor<7x9xi1>
  %one = stablehlo.constant dense<1> : tensor<7x9xi32>
  %via = stablehlo.select %less, %one, %y : tensor<7x9xi1>, tensor<7x9xi32>
  return %least, %via : tensor<7x9xf32>, tensor<7x9xi32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x9xf32>, %arg1: tensor<7x9xi32>, %arg2: tensor<9xf32>) -> (tensor<7x9xf32>, tensor<7x9xi32>) {
    %0:2 = "gantry.fusion"(%arg2, %arg0, %arg1) ({
    ^bb0(%arg3: tensor<9xf32>, %arg4: tensor<7x9xf32>, %arg5: tensor<7x9xi32>):
      %1 = "stablehlo.broadcast_in_dim"(%arg3) {broadcast_dimensions = array<i64: 1>} : (tensor<9xf32>) -> tensor<7x9xf32>
      %2 = "stablehlo.add"(%arg4, %1) : (tensor<7x9xf32>, tensor<7x9xf32>) -> tensor<7x9xf32>
      %3 = "stablehlo.minimum"(%arg4, %2) : (tensor<7x9xf32>, tensor<7x9xf32>) -> tensor<7x9xf32>
      %4 = "stablehlo.constant"() {value = dense<1> : tensor<7x9xi32>} : () -> tensor<7x9xi32>
      %5 = "stablehlo.compare"(%2, %arg4) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<7x9xf32>, tensor<7x9xf32>) -> tensor<7x9xi1>
      %6 = "stablehlo.select"(%5, %4, %arg5) : (tensor<7x9xi1>, tensor<7x9xi32>, tensor<7x9xi32>) -> tensor<7x9xi32>
      "stablehlo.return"(%3, %6) : (tensor<7x9xf32>, tensor<7x9xi32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<9xf32>, tensor<7x9xf32>, tensor<7x9xi32>) -> (tensor<7x9xf32>, tensor<7x9xi32>)
    "func.return"(%0#0, %0#1) : (tensor<7x9xf32>, tensor<7x9xi32>) -> ()
  }
}
