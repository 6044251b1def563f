// run: loop_sums dce
func.func @main(%x: tensor<64x8x32xf32>, %y: tensor<8x64x40xf32>, %h: tensor<8x48xf32>, %t: tensor<32x48xf32>) -> (tensor<32x48xf32>, tensor<40x48xf32>, tensor<8x48xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<64> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<40x48xf32>
  %r:4 = stablehlo.while(%i = %zero, %a = %t, %b = %none, %v = %h) : tensor<i32>, tensor<32x48xf32>, tensor<40x48xf32>, tensor<8x48xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %end, %j : tensor<i32>
    %g = stablehlo.tanh %v : tensor<8x48xf32>
    %s = stablehlo.dynamic_slice %x, %k, %zero, %zero, sizes = [1, 8, 32] : (tensor<64x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %m = stablehlo.reshape %s : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    %p = stablehlo.dot_general %g, %m, contracting_dims = [0] x [0] : (tensor<8x48xf32>, tensor<8x32xf32>) -> tensor<48x32xf32>
    %q = stablehlo.transpose %p, dims = [1, 0] : (tensor<48x32xf32>) -> tensor<32x48xf32>
    %a2 = stablehlo.add %a, %q : tensor<32x48xf32>
    %u = stablehlo.dynamic_slice %y, %zero, %k, %zero, sizes = [8, 1, 40] : (tensor<8x64x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x1x40xf32>
    %n = stablehlo.reshape %u : (tensor<8x1x40xf32>) -> tensor<8x40xf32>
    %w = stablehlo.dot_general %n, %g, contracting_dims = [0] x [0] : (tensor<8x40xf32>, tensor<8x48xf32>) -> tensor<40x48xf32>
    %b2 = stablehlo.add %w, %b : tensor<40x48xf32>
    stablehlo.return %j, %a2, %b2, %g : tensor<i32>, tensor<32x48xf32>, tensor<40x48xf32>, tensor<8x48xf32>
  }
  return %r#1, %r#2, %r#3 : tensor<32x48xf32>, tensor<40x48xf32>, tensor<8x48xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x8x32xf32>, %arg1: tensor<8x64x40xf32>, %arg2: tensor<8x48xf32>, %arg3: tensor<32x48xf32>) -> (tensor<32x48xf32>, tensor<40x48xf32>, tensor<8x48xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<64> : tensor<i32>} : () -> tensor<i32>
    %3 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<64x8x48xf32>} : () -> tensor<64x8x48xf32>
    %4:3 = "stablehlo.while"(%0, %3, %arg2) ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<64x8x48xf32>, %arg6: tensor<8x48xf32>):
      %5 = "stablehlo.compare"(%arg4, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%5) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<64x8x48xf32>, %arg9: tensor<8x48xf32>):
      %6 = "stablehlo.add"(%arg7, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %7 = "stablehlo.subtract"(%2, %6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %8 = "stablehlo.tanh"(%arg9) : (tensor<8x48xf32>) -> tensor<8x48xf32>
      %9 = "stablehlo.reshape"(%8) : (tensor<8x48xf32>) -> tensor<1x8x48xf32>
      %10 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %11 = "stablehlo.dynamic_update_slice"(%arg8, %9, %7, %10, %10) : (tensor<64x8x48xf32>, tensor<1x8x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x8x48xf32>
      "stablehlo.return"(%6, %11, %8) : (tensor<i32>, tensor<64x8x48xf32>, tensor<8x48xf32>) -> ()
    }) : (tensor<i32>, tensor<64x8x48xf32>, tensor<8x48xf32>) -> (tensor<i32>, tensor<64x8x48xf32>, tensor<8x48xf32>)
    %12 = "stablehlo.dot_general"(%arg1, %4#1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 0], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x64x40xf32>, tensor<64x8x48xf32>) -> tensor<40x48xf32>
    %13 = "stablehlo.dot_general"(%4#1, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x48xf32>, tensor<64x8x32xf32>) -> tensor<48x32xf32>
    %14 = "stablehlo.transpose"(%13) {permutation = array<i64: 1, 0>} : (tensor<48x32xf32>) -> tensor<32x48xf32>
    %15 = "stablehlo.add"(%arg3, %14) : (tensor<32x48xf32>, tensor<32x48xf32>) -> tensor<32x48xf32>
    "func.return"(%15, %12, %4#2) : (tensor<32x48xf32>, tensor<40x48xf32>, tensor<8x48xf32>) -> ()
  }
}
