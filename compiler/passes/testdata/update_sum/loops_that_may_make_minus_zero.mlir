// run: update_sum dce
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<64> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<64xf32>
  %r:2 = stablehlo.while(%i = %zero, %a = %none) : tensor<i32>, tensor<64xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<64xf32>, tensor<i32>) -> tensor<1xf32>
    %u = stablehlo.dynamic_update_slice %none, %s, %i : (tensor<64xf32>, tensor<1xf32>, tensor<i32>) -> tensor<64xf32>
    %n = stablehlo.negate %a : tensor<64xf32>
    %a2 = stablehlo.add %n, %u : tensor<64xf32>
    stablehlo.return %j, %a2 : tensor<i32>, tensor<64xf32>
  }
  return %r#1 : tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf32>) -> (tensor<64xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<64> : tensor<i32>} : () -> tensor<i32>
    %3 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<64xf32>} : () -> tensor<64xf32>
    %4:2 = "stablehlo.while"(%0, %3) ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<64xf32>):
      %5 = "stablehlo.compare"(%arg1, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%5) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<64xf32>):
      %6 = "stablehlo.add"(%arg3, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %7 = "stablehlo.dynamic_slice"(%arg0, %arg3) {slice_sizes = array<i64: 1>} : (tensor<64xf32>, tensor<i32>) -> tensor<1xf32>
      %8 = "stablehlo.negate"(%arg4) : (tensor<64xf32>) -> tensor<64xf32>
      %9 = "stablehlo.dynamic_slice"(%8, %arg3) {slice_sizes = array<i64: 1>} : (tensor<64xf32>, tensor<i32>) -> tensor<1xf32>
      %10 = "stablehlo.add"(%9, %7) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
      %11 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<64xf32>} : () -> tensor<64xf32>
      %12 = "stablehlo.add"(%8, %11) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %13 = "stablehlo.dynamic_update_slice"(%12, %10, %arg3) : (tensor<64xf32>, tensor<1xf32>, tensor<i32>) -> tensor<64xf32>
      "stablehlo.return"(%6, %13) : (tensor<i32>, tensor<64xf32>) -> ()
    }) : (tensor<i32>, tensor<64xf32>) -> (tensor<i32>, tensor<64xf32>)
    "func.return"(%4#1) : (tensor<64xf32>) -> ()
  }
}
