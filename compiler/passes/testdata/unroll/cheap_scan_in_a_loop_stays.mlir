// run: unroll
func.func @main(%x: tensor<f32>, %stack: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %n = stablehlo.constant dense<1000> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %v = %x, %s = %stack) : tensor<i32>, tensor<f32>, tensor<4xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %stacked:3 = stablehlo.while(%j = %zero, %w = %v, %t = %s) : tensor<i32>, tensor<f32>, tensor<4xf32>
    cond {
      %c = stablehlo.compare LT, %j, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %k = stablehlo.add %j, %one : tensor<i32>
      %a = stablehlo.sine %w : tensor<f32>
      %u = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>
      %new = stablehlo.dynamic_update_slice %t, %u, %j : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
      stablehlo.return %k, %a, %new : tensor<i32>, tensor<f32>, tensor<4xf32>
    }
    %plain:2 = stablehlo.while(%j = %zero, %w = %stacked#1) : tensor<i32>, tensor<f32>
    cond {
      %c = stablehlo.compare LT, %j, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %k = stablehlo.add %j, %one : tensor<i32>
      %a = stablehlo.cosine %w : tensor<f32>
      stablehlo.return %k, %a : tensor<i32>, tensor<f32>
    }
    %m = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %m, %plain#1, %stacked#2 : tensor<i32>, tensor<f32>, tensor<4xf32>
  }
  return %r#2, %r#1 : tensor<4xf32>, tensor<f32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<4> : tensor<i32>} : () -> tensor<i32>
    %3 = "stablehlo.constant"() {value = dense<1000> : tensor<i32>} : () -> tensor<i32>
    %4:3 = "stablehlo.while"(%0, %arg0, %arg1) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<f32>, %arg4: tensor<4xf32>):
      %5 = "stablehlo.compare"(%arg2, %3) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%5) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<f32>, %arg7: tensor<4xf32>):
      %6:3 = "stablehlo.while"(%0, %arg6, %arg7) ({
      ^bb0(%arg8: tensor<i32>, %arg9: tensor<f32>, %arg10: tensor<4xf32>):
        %7 = "stablehlo.compare"(%arg8, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%7) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg11: tensor<i32>, %arg12: tensor<f32>, %arg13: tensor<4xf32>):
        %8 = "stablehlo.add"(%arg11, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %9 = "stablehlo.sine"(%arg12) : (tensor<f32>) -> tensor<f32>
        %10 = "stablehlo.reshape"(%9) : (tensor<f32>) -> tensor<1xf32>
        %11 = "stablehlo.dynamic_update_slice"(%arg13, %10, %arg11) : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
        "stablehlo.return"(%8, %9, %11) : (tensor<i32>, tensor<f32>, tensor<4xf32>) -> ()
      }) : (tensor<i32>, tensor<f32>, tensor<4xf32>) -> (tensor<i32>, tensor<f32>, tensor<4xf32>)
      %12 = "stablehlo.add"(%0, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %13 = "stablehlo.cosine"(%6#1) : (tensor<f32>) -> tensor<f32>
      %14 = "stablehlo.add"(%12, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %15 = "stablehlo.cosine"(%13) : (tensor<f32>) -> tensor<f32>
      %16 = "stablehlo.add"(%14, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %17 = "stablehlo.cosine"(%15) : (tensor<f32>) -> tensor<f32>
      %18 = "stablehlo.add"(%16, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %19 = "stablehlo.cosine"(%17) : (tensor<f32>) -> tensor<f32>
      %20 = "stablehlo.add"(%arg5, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%20, %19, %6#2) : (tensor<i32>, tensor<f32>, tensor<4xf32>) -> ()
    }) : (tensor<i32>, tensor<f32>, tensor<4xf32>) -> (tensor<i32>, tensor<f32>, tensor<4xf32>)
    "func.return"(%4#2, %4#1) : (tensor<4xf32>, tensor<f32>) -> ()
  }
}
