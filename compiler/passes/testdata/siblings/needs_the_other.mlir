// run: fusion siblings
func.func @main(%x: tensor<300xf32>) -> (tensor<300xf32>, tensor<300xf32>) {
  %a = stablehlo.sine %x : tensor<300xf32>
  %sorted = "stablehlo.sort"(%a) ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<300xf32>) -> tensor<300xf32>
  %b = stablehlo.multiply %x, %sorted : tensor<300xf32>
  return %a, %b : tensor<300xf32>, tensor<300xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<300xf32>) -> (tensor<300xf32>, tensor<300xf32>) {
    %0 = "gantry.fusion"(%arg0) ({
    ^bb0(%arg1: tensor<300xf32>):
      %1 = "stablehlo.sine"(%arg1) : (tensor<300xf32>) -> tensor<300xf32>
      "stablehlo.return"(%1) : (tensor<300xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<300xf32>) -> tensor<300xf32>
    %2 = "gantry.fusion"(%0) ({
    ^bb0(%arg2: tensor<300xf32>):
      %3 = "stablehlo.sort"(%arg2) ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        %4 = "stablehlo.compare"(%arg3, %arg4) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%4) : (tensor<i1>) -> ()
      }) {dimension = 0 : i64, is_stable = true} : (tensor<300xf32>) -> tensor<300xf32>
      "stablehlo.return"(%3) : (tensor<300xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind STANDALONE>} : (tensor<300xf32>) -> tensor<300xf32>
    %5 = "gantry.fusion"(%arg0, %2) ({
    ^bb0(%arg5: tensor<300xf32>, %arg6: tensor<300xf32>):
      %6 = "stablehlo.multiply"(%arg5, %arg6) : (tensor<300xf32>, tensor<300xf32>) -> tensor<300xf32>
      "stablehlo.return"(%6) : (tensor<300xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<300xf32>, tensor<300xf32>) -> tensor<300xf32>
    "func.return"(%0, %5) : (tensor<300xf32>, tensor<300xf32>) -> ()
  }
}
