// run: fusion updates
func.func @main(%x: tensor<8x32xf32>, %a: tensor<5x8x32xf32>, %b: tensor<4x6x32xf32>, %c: tensor<5x8x32xf32>, %i: tensor<i32>) -> (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<4x6x32xf32>, tensor<5x8x32xf32>) {
  %none = stablehlo.constant dense<0> : tensor<i32>
  %exp = stablehlo.exponential %x : tensor<8x32xf32>
  %kept = stablehlo.reshape %exp : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
  %a1 = stablehlo.dynamic_update_slice %a, %kept, %i, %none, %none : (tensor<5x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x32xf32>
  %read = stablehlo.negate %a : tensor<5x8x32xf32>
  %rows = stablehlo.slice %exp [0:6, 0:32] : (tensor<8x32xf32>) -> tensor<6x32xf32>
  %part = stablehlo.reshape %rows : (tensor<6x32xf32>) -> tensor<1x6x32xf32>
  %b1 = stablehlo.dynamic_update_slice %b, %part, %i, %none, %none : (tensor<4x6x32xf32>, tensor<1x6x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x6x32xf32>
  %back = stablehlo.reverse %exp, dims = [0] : tensor<8x32xf32>
  %turned = stablehlo.reshape %back : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
  %c1 = stablehlo.dynamic_update_slice %c, %turned, %i, %none, %none : (tensor<5x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x32xf32>
  return %exp, %a1, %read, %b1, %c1 : tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<4x6x32xf32>, tensor<5x8x32xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x32xf32>, %arg1: tensor<5x8x32xf32>, %arg2: tensor<4x6x32xf32>, %arg3: tensor<5x8x32xf32>, %arg4: tensor<i32>) -> (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<4x6x32xf32>, tensor<5x8x32xf32>) {
    %0 = "gantry.fusion"(%arg0) ({
    ^bb0(%arg5: tensor<8x32xf32>):
      %1 = "stablehlo.exponential"(%arg5) : (tensor<8x32xf32>) -> tensor<8x32xf32>
      "stablehlo.return"(%1) : (tensor<8x32xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %2 = "gantry.fusion"(%0, %arg1, %arg4) ({
    ^bb0(%arg6: tensor<8x32xf32>, %arg7: tensor<5x8x32xf32>, %arg8: tensor<i32>):
      %3 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %4 = "stablehlo.reshape"(%arg6) : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
      %5 = "stablehlo.dynamic_update_slice"(%arg7, %4, %arg8, %3, %3) : (tensor<5x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x32xf32>
      "stablehlo.return"(%5) : (tensor<5x8x32xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind UPDATE>} : (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<i32>) -> tensor<5x8x32xf32>
    %6 = "gantry.fusion"(%arg1) ({
    ^bb0(%arg9: tensor<5x8x32xf32>):
      %7 = "stablehlo.negate"(%arg9) : (tensor<5x8x32xf32>) -> tensor<5x8x32xf32>
      "stablehlo.return"(%7) : (tensor<5x8x32xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<5x8x32xf32>) -> tensor<5x8x32xf32>
    %8 = "gantry.fusion"(%0, %arg2, %arg4) ({
    ^bb0(%arg10: tensor<8x32xf32>, %arg11: tensor<4x6x32xf32>, %arg12: tensor<i32>):
      %9 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %10 = "stablehlo.slice"(%arg10) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 6, 32>, strides = array<i64: 1, 1>} : (tensor<8x32xf32>) -> tensor<6x32xf32>
      %11 = "stablehlo.reshape"(%10) : (tensor<6x32xf32>) -> tensor<1x6x32xf32>
      %12 = "stablehlo.dynamic_update_slice"(%arg11, %11, %arg12, %9, %9) : (tensor<4x6x32xf32>, tensor<1x6x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x6x32xf32>
      "stablehlo.return"(%12) : (tensor<4x6x32xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind UPDATE>} : (tensor<8x32xf32>, tensor<4x6x32xf32>, tensor<i32>) -> tensor<4x6x32xf32>
    %13 = "gantry.fusion"(%0, %arg3, %arg4) ({
    ^bb0(%arg13: tensor<8x32xf32>, %arg14: tensor<5x8x32xf32>, %arg15: tensor<i32>):
      %14 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %15 = "stablehlo.reverse"(%arg13) {dimensions = array<i64: 0>} : (tensor<8x32xf32>) -> tensor<8x32xf32>
      %16 = "stablehlo.reshape"(%15) : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
      %17 = "stablehlo.dynamic_update_slice"(%arg14, %16, %arg15, %14, %14) : (tensor<5x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x8x32xf32>
      "stablehlo.return"(%17) : (tensor<5x8x32xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind UPDATE>} : (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<i32>) -> tensor<5x8x32xf32>
    "func.return"(%0, %2, %6, %8, %13) : (tensor<8x32xf32>, tensor<5x8x32xf32>, tensor<5x8x32xf32>, tensor<4x6x32xf32>, tensor<5x8x32xf32>) -> ()
  }
}
