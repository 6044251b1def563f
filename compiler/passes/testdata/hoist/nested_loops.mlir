// run: hoist
func.func @main(%x: tensor<300xf32>, %k: tensor<i32>) -> tensor<300xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<300xf32>
  cond {
    %c = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %t:2 = stablehlo.while(%l = %zero, %u = %v) : tensor<i32>, tensor<300xf32>
    cond {
      %d = stablehlo.compare LT, %l, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %d : tensor<i1>
    } do {
      %m = stablehlo.add %l, %one : tensor<i32>
      %outermost = stablehlo.sine %x : tensor<300xf32>
      %outer = stablehlo.sine %v : tensor<300xf32>
      %inner = stablehlo.sine %u : tensor<300xf32>
      %cheap = stablehlo.negate %x : tensor<300xf32>
      %a = stablehlo.add %outermost, %outer : tensor<300xf32>
      %b = stablehlo.add %a, %inner : tensor<300xf32>
      %e = stablehlo.add %b, %cheap : tensor<300xf32>
      stablehlo.return %m, %e : tensor<i32>, tensor<300xf32>
    }
    stablehlo.return %j, %t#1 : tensor<i32>, tensor<300xf32>
  }
  return %r#1 : tensor<300xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<300xf32>, %arg1: tensor<i32>) -> (tensor<300xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.sine"(%arg0) : (tensor<300xf32>) -> tensor<300xf32>
    %3:2 = "stablehlo.while"(%0, %arg0) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<300xf32>):
      %4 = "stablehlo.compare"(%arg2, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<300xf32>):
      %5 = "stablehlo.add"(%arg4, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %6 = "stablehlo.sine"(%arg5) : (tensor<300xf32>) -> tensor<300xf32>
      %7 = "stablehlo.add"(%2, %6) : (tensor<300xf32>, tensor<300xf32>) -> tensor<300xf32>
      %8:2 = "stablehlo.while"(%0, %arg5) ({
      ^bb0(%arg6: tensor<i32>, %arg7: tensor<300xf32>):
        %9 = "stablehlo.compare"(%arg6, %arg4) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%9) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg8: tensor<i32>, %arg9: tensor<300xf32>):
        %10 = "stablehlo.add"(%arg8, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %11 = "stablehlo.sine"(%arg9) : (tensor<300xf32>) -> tensor<300xf32>
        %12 = "stablehlo.negate"(%arg0) : (tensor<300xf32>) -> tensor<300xf32>
        %13 = "stablehlo.add"(%7, %11) : (tensor<300xf32>, tensor<300xf32>) -> tensor<300xf32>
        %14 = "stablehlo.add"(%13, %12) : (tensor<300xf32>, tensor<300xf32>) -> tensor<300xf32>
        "stablehlo.return"(%10, %14) : (tensor<i32>, tensor<300xf32>) -> ()
      }) : (tensor<i32>, tensor<300xf32>) -> (tensor<i32>, tensor<300xf32>)
      "stablehlo.return"(%5, %8#1) : (tensor<i32>, tensor<300xf32>) -> ()
    }) : (tensor<i32>, tensor<300xf32>) -> (tensor<i32>, tensor<300xf32>)
    "func.return"(%3#1) : (tensor<300xf32>) -> ()
  }
}
