// run: fusion outline
func.func @main(%a: tensor<32x32xf32>, %v: tensor<32x3xf32>) -> tensor<32x3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %end = stablehlo.constant dense<9> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %v) : tensor<i32>, tensor<32x3xf32>
  cond {
      %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %p = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x3xf32>) -> tensor<32x3xf32>
      stablehlo.return %n, %p : tensor<i32>, tensor<32x3xf32>
    }
  return %r#1 : tensor<32x3xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x32xf32>, %arg1: tensor<32x3xf32>) -> (tensor<32x3xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1:2 = "gantry.fusion"(%arg1, %arg0) ({
    ^bb0(%arg2: tensor<32x3xf32>, %arg3: tensor<32x32xf32>):
      %2 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %3:2 = "stablehlo.while"(%2, %arg2) ({
      ^bb0(%arg4: tensor<i32>, %arg5: tensor<32x3xf32>):
        %4 = "gantry.fusion"(%arg4) ({
        ^bb0(%arg6: tensor<i32>):
          %5 = "stablehlo.constant"() {value = dense<9> : tensor<i32>} : () -> tensor<i32>
          %6 = "stablehlo.compare"(%arg6, %5) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
          "stablehlo.return"(%6) : (tensor<i1>) -> ()
        }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%4) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg7: tensor<i32>, %arg8: tensor<32x3xf32>):
        %7 = "gantry.fusion"(%arg7) ({
        ^bb0(%arg9: tensor<i32>):
          %8 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
          %9 = "stablehlo.add"(%arg9, %8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
          "stablehlo.return"(%9) : (tensor<i32>) -> ()
        }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
        %10 = "gantry.fusion"(%arg8) ({
        ^bb0(%arg10: tensor<32x3xf32>):
          %11 = "stablehlo.transpose"(%arg10) {permutation = array<i64: 1, 0>} : (tensor<32x3xf32>) -> tensor<3x32xf32>
          "stablehlo.return"(%11) : (tensor<3x32xf32>) -> ()
        }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<32x3xf32>) -> tensor<3x32xf32>
        %12 = "gantry.fusion"(%arg3, %10) ({
        ^bb0(%arg11: tensor<32x32xf32>, %arg12: tensor<3x32xf32>):
          %13 = "stablehlo.dot_general"(%arg11, %arg12) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<32x32xf32>, tensor<3x32xf32>) -> tensor<32x3xf32>
          "stablehlo.return"(%13) : (tensor<32x3xf32>) -> ()
        }) {fusion_kind = #stablehlo<fusion_kind STANDALONE>} : (tensor<32x32xf32>, tensor<3x32xf32>) -> tensor<32x3xf32>
        "stablehlo.return"(%7, %12) : (tensor<i32>, tensor<32x3xf32>) -> ()
      }) : (tensor<i32>, tensor<32x3xf32>) -> (tensor<i32>, tensor<32x3xf32>)
      "stablehlo.return"(%3#0, %3#1) : (tensor<i32>, tensor<32x3xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind REGION>} : (tensor<32x3xf32>, tensor<32x32xf32>) -> (tensor<i32>, tensor<32x3xf32>)
    "func.return"(%1#1) : (tensor<32x3xf32>) -> ()
  }
}
