// run: fusion updates
func.func @main(%h: tensor<8x32xf32>, %a: tensor<5x8x32xf32>, %b: tensor<5x8x32xf32>, %c: tensor<5x8x32xf32>) -> (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:5 = "stablehlo.while"(%zero, %h, %a, %b, %c) ({
  ^bb0(%i: tensor<i32>, %h0: tensor<8x32xf32>, %a0: tensor<5x8x32xf32>, %b0: tensor<5x8x32xf32>, %c0: tensor<5x8x32xf32>):
    %end = stablehlo.constant dense<5> : tensor<i32>
    %less = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %h0: tensor<8x32xf32>, %a0: tensor<5x8x32xf32>, %b0: tensor<5x8x32xf32>, %c0: tensor<5x8x32xf32>):
    %none = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %exp = stablehlo.exponential %h0 : tensor<8x32xf32>
    %tanh = stablehlo.tanh %exp : tensor<8x32xf32>
    %before = stablehlo.reshape %h0 : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
    %a1 = stablehlo.dynamic_update_slice %a0, %before, %i, %none, %none : (tensor<5x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x32xf32>
    %kept = stablehlo.reshape %exp : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
    %b1 = stablehlo.dynamic_update_slice %b0, %kept, %i, %none, %none : (tensor<5x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x32xf32>
    %twice = stablehlo.add %exp, %exp : tensor<8x32xf32>
    %other = stablehlo.reshape %twice : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
    %c1 = stablehlo.dynamic_update_slice %c0, %other, %i, %none, %none : (tensor<5x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x32xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %tanh, %a1, %b1, %c1 : tensor<i32>, tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>
  }) : (tensor<i32>, tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>) -> (tensor<i32>, tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>)
  return %0#1, %0#2, %0#3, %0#4 : tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x32xf32>, %arg1: tensor<5x8x32xf32>, %arg2: tensor<5x8x32xf32>, %arg3: tensor<5x8x32xf32>) -> (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1:5 = "stablehlo.while"(%0, %arg0, %arg1, %arg2, %arg3) ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<8x32xf32>, %arg6: tensor<5x8x32xf32>, %arg7: tensor<5x8x32xf32>, %arg8: tensor<5x8x32xf32>):
      %2 = "gantry.fusion"(%arg4) ({
      ^bb0(%arg9: tensor<i32>):
        %3 = "stablehlo.constant"() {value = dense<5> : tensor<i32>} : () -> tensor<i32>
        %4 = "stablehlo.compare"(%arg9, %3) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%4) : (tensor<i1>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg10: tensor<i32>, %arg11: tensor<8x32xf32>, %arg12: tensor<5x8x32xf32>, %arg13: tensor<5x8x32xf32>, %arg14: tensor<5x8x32xf32>):
      %5:4 = "gantry.fusion"(%arg11, %arg12, %arg10, %arg13, %arg14) ({
      ^bb0(%arg15: tensor<8x32xf32>, %arg16: tensor<5x8x32xf32>, %arg17: tensor<i32>, %arg18: tensor<5x8x32xf32>, %arg19: tensor<5x8x32xf32>):
        %6 = "stablehlo.exponential"(%arg15) : (tensor<8x32xf32>) -> tensor<8x32xf32>
        %7 = "stablehlo.tanh"(%6) : (tensor<8x32xf32>) -> tensor<8x32xf32>
        %8 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
        %9 = "stablehlo.reshape"(%arg15) : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
        %10 = "stablehlo.dynamic_update_slice"(%arg16, %9, %arg17, %8, %8) : (tensor<5x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x32xf32>
        %11 = "stablehlo.reshape"(%6) : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
        %12 = "stablehlo.dynamic_update_slice"(%arg18, %11, %arg17, %8, %8) : (tensor<5x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x32xf32>
        %13 = "stablehlo.add"(%6, %6) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
        %14 = "stablehlo.reshape"(%13) : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
        %15 = "stablehlo.dynamic_update_slice"(%arg19, %14, %arg17, %8, %8) : (tensor<5x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x32xf32>
        "stablehlo.return"(%7, %10, %12, %15) : (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind UPDATE>} : (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<i32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>) -> (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>)
      %16 = "gantry.fusion"(%arg10) ({
      ^bb0(%arg20: tensor<i32>):
        %17 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %18 = "stablehlo.add"(%arg20, %17) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%18) : (tensor<i32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%16, %5#0, %5#1, %5#2, %5#3) : (tensor<i32>, tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>) -> ()
    }) : (tensor<i32>, tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>) -> (tensor<i32>, tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>)
    "func.return"(%1#1, %1#2, %1#3, %1#4) : (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>) -> ()
  }
}
