// run: dce
func.func @main(%n: tensor<i32>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %v = %x, %w = %y) : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.negate %v : tensor<2xf32>
    %b = stablehlo.sine %w : tensor<2xf32>
    stablehlo.return %j, %a, %b : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  }
  return %r#1 : tensor<2xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2:2 = "stablehlo.while"(%0, %arg1) ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<2xf32>):
      %3 = "stablehlo.compare"(%arg3, %arg0) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%3) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<2xf32>):
      %4 = "stablehlo.add"(%arg5, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %5 = "stablehlo.negate"(%arg6) : (tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%4, %5) : (tensor<i32>, tensor<2xf32>) -> ()
    }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
    "func.return"(%2#1) : (tensor<2xf32>) -> ()
  }
}
