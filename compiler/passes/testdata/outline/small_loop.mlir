// run: fusion outline
func.func @main(%n: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
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
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1:2 = "gantry.fusion"(%arg1, %arg0) ({
    ^bb0(%arg2: tensor<2xf32>, %arg3: tensor<i32>):
      %2 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %3:2 = "stablehlo.while"(%2, %arg2) ({
      ^bb0(%arg4: tensor<i32>, %arg5: tensor<2xf32>):
        %4 = "gantry.fusion"(%arg4, %arg3) ({
        ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>):
          %5 = "stablehlo.compare"(%arg6, %arg7) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
          "stablehlo.return"(%5) : (tensor<i1>) -> ()
        }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%4) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg8: tensor<i32>, %arg9: tensor<2xf32>):
        %6 = "gantry.fusion"(%arg8) ({
        ^bb0(%arg10: tensor<i32>):
          %7 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
          %8 = "stablehlo.add"(%arg10, %7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
          "stablehlo.return"(%8) : (tensor<i32>) -> ()
        }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
        %9 = "gantry.fusion"(%arg9) ({
        ^bb0(%arg11: tensor<2xf32>):
          %10 = "stablehlo.sine"(%arg11) : (tensor<2xf32>) -> tensor<2xf32>
          "stablehlo.return"(%10) : (tensor<2xf32>) -> ()
        }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<2xf32>) -> tensor<2xf32>
        "stablehlo.return"(%6, %9) : (tensor<i32>, tensor<2xf32>) -> ()
      }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
      "stablehlo.return"(%3#0, %3#1) : (tensor<i32>, tensor<2xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind REGION>} : (tensor<2xf32>, tensor<i32>) -> (tensor<i32>, tensor<2xf32>)
    "func.return"(%1#1) : (tensor<2xf32>) -> ()
  }
}
