// run: unroll
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<1000> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.sine %v : tensor<2xf32>
    stablehlo.return %j, %a : tensor<i32>, tensor<2xf32>
  }
  return %r#1 : tensor<2xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<1000> : tensor<i32>} : () -> tensor<i32>
    %3:2 = "stablehlo.while"(%0, %arg0) ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<2xf32>):
      %4 = "stablehlo.compare"(%arg1, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<2xf32>):
      %5 = "stablehlo.add"(%arg3, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %6 = "stablehlo.sine"(%arg4) : (tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%5, %6) : (tensor<i32>, tensor<2xf32>) -> ()
    }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
    "func.return"(%3#1) : (tensor<2xf32>) -> ()
  }
}
