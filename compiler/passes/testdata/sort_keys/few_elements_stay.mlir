// run: sort_keys
func.func @main(%x: tensor<255xi32>, %y: tensor<255xi32>) -> tensor<255xi32> {
  %0:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %3, %1 : tensor<i1>
    %5 = stablehlo.or %2, %4 : tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<255xi32>, tensor<255xi32>) -> (tensor<255xi32>, tensor<255xi32>)
  return %0#1 : tensor<255xi32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<255xi32>, %arg1: tensor<255xi32>) -> (tensor<255xi32>) {
    %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
      %1 = "stablehlo.compare"(%arg4, %arg5) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = "stablehlo.compare"(%arg2, %arg3) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = "stablehlo.compare"(%arg2, %arg3) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = "stablehlo.and"(%3, %1) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %5 = "stablehlo.or"(%2, %4) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%5) : (tensor<i1>) -> ()
    }) {dimension = 0 : i64, is_stable = true} : (tensor<255xi32>, tensor<255xi32>) -> (tensor<255xi32>, tensor<255xi32>)
    "func.return"(%0#1) : (tensor<255xi32>) -> ()
  }
}
