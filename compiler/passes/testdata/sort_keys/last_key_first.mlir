// run: sort_keys
func.func @main(%x: tensor<256xi32>, %y: tensor<256xf32>, %z: tensor<256xi8>) -> tensor<256xi8> {
  %0:3 = "stablehlo.sort"(%x, %y, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<i8>, %f: tensor<i8>):
    %1 = stablehlo.negate %c : tensor<f32>
    %2 = stablehlo.negate %d : tensor<f32>
    %3 = stablehlo.compare LT, %1, %2, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %5, %3 : tensor<i1>
    %7 = stablehlo.or %4, %6 : tensor<i1>
    stablehlo.return %7 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<256xi32>, tensor<256xf32>, tensor<256xi8>) -> (tensor<256xi32>, tensor<256xf32>, tensor<256xi8>)
  return %0#2 : tensor<256xi8>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256xi32>, %arg1: tensor<256xf32>, %arg2: tensor<256xi8>) -> (tensor<256xi8>) {
    %0:3 = "stablehlo.sort"(%arg0, %arg1, %arg2) ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<i8>, %arg8: tensor<i8>):
      %1 = "stablehlo.negate"(%arg5) : (tensor<f32>) -> tensor<f32>
      %2 = "stablehlo.negate"(%arg6) : (tensor<f32>) -> tensor<f32>
      %3 = "stablehlo.compare"(%1, %2) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%3) : (tensor<i1>) -> ()
    }) {dimension = 0 : i64, is_stable = true} : (tensor<256xi32>, tensor<256xf32>, tensor<256xi8>) -> (tensor<256xi32>, tensor<256xf32>, tensor<256xi8>)
    %4:2 = "stablehlo.sort"(%0#0, %0#2) ({
    ^bb0(%arg9: tensor<i32>, %arg10: tensor<i32>, %arg11: tensor<i8>, %arg12: tensor<i8>):
      %5 = "stablehlo.compare"(%arg9, %arg10) {comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%5) : (tensor<i1>) -> ()
    }) {dimension = 0 : i64, is_stable = true} : (tensor<256xi32>, tensor<256xi8>) -> (tensor<256xi32>, tensor<256xi8>)
    "func.return"(%4#1) : (tensor<256xi8>) -> ()
  }
}
