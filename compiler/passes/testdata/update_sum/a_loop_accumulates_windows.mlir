// run: update_sum dce
func.func @main(%x: tensor<64x8xf32>, %t: tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<64> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<64x8xf32>
  %r:3 = stablehlo.while(%i = %zero, %a = %none, %b = %t) : tensor<i32>, tensor<64x8xf32>, tensor<64x8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 8] : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %u = stablehlo.dynamic_update_slice %none, %s, %i, %zero : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>
    %a2 = stablehlo.add %u, %a : tensor<64x8xf32>
    %b2 = stablehlo.add %b, %u : tensor<64x8xf32>
    stablehlo.return %j, %a2, %b2 : tensor<i32>, tensor<64x8xf32>, tensor<64x8xf32>
  }
  return %r#1, %r#2 : tensor<64x8xf32>, tensor<64x8xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x8xf32>, %arg1: tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<64> : tensor<i32>} : () -> tensor<i32>
    %3 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<64x8xf32>} : () -> tensor<64x8xf32>
    %4:3 = "stablehlo.while"(%0, %3, %arg1) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<64x8xf32>, %arg4: tensor<64x8xf32>):
      %5 = "stablehlo.compare"(%arg2, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%5) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<64x8xf32>, %arg7: tensor<64x8xf32>):
      %6 = "stablehlo.add"(%arg5, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %7 = "stablehlo.dynamic_slice"(%arg0, %arg5, %0) {slice_sizes = array<i64: 1, 8>} : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %8 = "stablehlo.dynamic_slice"(%arg6, %arg5, %0) {slice_sizes = array<i64: 1, 8>} : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %9 = "stablehlo.add"(%8, %7) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
      %10 = "stablehlo.dynamic_update_slice"(%arg6, %9, %arg5, %0) : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>
      %11 = "stablehlo.dynamic_slice"(%arg7, %arg5, %0) {slice_sizes = array<i64: 1, 8>} : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %12 = "stablehlo.add"(%11, %7) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
      %13 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<64x8xf32>} : () -> tensor<64x8xf32>
      %14 = "stablehlo.add"(%arg7, %13) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %15 = "stablehlo.dynamic_update_slice"(%14, %12, %arg5, %0) : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>
      "stablehlo.return"(%6, %10, %15) : (tensor<i32>, tensor<64x8xf32>, tensor<64x8xf32>) -> ()
    }) : (tensor<i32>, tensor<64x8xf32>, tensor<64x8xf32>) -> (tensor<i32>, tensor<64x8xf32>, tensor<64x8xf32>)
    "func.return"(%4#1, %4#2) : (tensor<64x8xf32>, tensor<64x8xf32>) -> ()
  }
}
