// run: fusion
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = stablehlo.negate %x : tensor<64xf32>
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare LT, %p, %q, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf32>) -> (tensor<64xf32>) {
    %0 = "gantry.fusion"(%arg0) ({
    ^bb0(%arg1: tensor<64xf32>):
      %1 = "stablehlo.negate"(%arg1) : (tensor<64xf32>) -> tensor<64xf32>
      "stablehlo.return"(%1) : (tensor<64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<64xf32>) -> tensor<64xf32>
    %2 = "gantry.fusion"(%0) ({
    ^bb0(%arg2: tensor<64xf32>):
      %3 = "stablehlo.sort"(%arg2) ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        %4 = "stablehlo.compare"(%arg3, %arg4) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%4) : (tensor<i1>) -> ()
      }) {dimension = 0 : i64, is_stable = true} : (tensor<64xf32>) -> tensor<64xf32>
      "stablehlo.return"(%3) : (tensor<64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind STANDALONE>} : (tensor<64xf32>) -> tensor<64xf32>
    "func.return"(%2) : (tensor<64xf32>) -> ()
  }
}
