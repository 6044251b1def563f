// run: loop_products dce
func.func @main(%x: tensor<100x8x32xf32>, %h: tensor<8x32xf32>, %w: tensor<32x32xf32>, %n: tensor<i32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<99> : tensor<i32>
  // more slices than iterations
  %r:2 = stablehlo.while(%i = %zero, %v = %h) : tensor<i32>, tensor<8x32xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 32] : (tensor<100x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %m = stablehlo.reshape %s : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    %p = stablehlo.dot_general %m, %w, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
    %a = stablehlo.add %v, %p : tensor<8x32xf32>
    stablehlo.return %j, %a : tensor<i32>, tensor<8x32xf32>
  }
  // an unknown number of iterations
  %q:2 = stablehlo.while(%i = %zero, %v = %h) : tensor<i32>, tensor<8x32xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 32] : (tensor<100x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %m = stablehlo.reshape %s : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    %p = stablehlo.dot_general %m, %w, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
    %a = stablehlo.add %v, %p : tensor<8x32xf32>
    stablehlo.return %j, %a : tensor<i32>, tensor<8x32xf32>
  }
  return %r#1, %q#1 : tensor<8x32xf32>, tensor<8x32xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100x8x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<i32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<99> : tensor<i32>} : () -> tensor<i32>
    %3:2 = "stablehlo.while"(%0, %arg1) ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<8x32xf32>):
      %4 = "stablehlo.compare"(%arg4, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<8x32xf32>):
      %5 = "stablehlo.add"(%arg6, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %6 = "stablehlo.dynamic_slice"(%arg0, %arg6, %0, %0) {slice_sizes = array<i64: 1, 8, 32>} : (tensor<100x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
      %7 = "stablehlo.reshape"(%6) : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
      %8 = "stablehlo.dot_general"(%7, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
      %9 = "stablehlo.add"(%arg7, %8) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
      "stablehlo.return"(%5, %9) : (tensor<i32>, tensor<8x32xf32>) -> ()
    }) : (tensor<i32>, tensor<8x32xf32>) -> (tensor<i32>, tensor<8x32xf32>)
    %10:2 = "stablehlo.while"(%0, %arg1) ({
    ^bb0(%arg8: tensor<i32>, %arg9: tensor<8x32xf32>):
      %11 = "stablehlo.compare"(%arg8, %arg3) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%11) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg10: tensor<i32>, %arg11: tensor<8x32xf32>):
      %12 = "stablehlo.add"(%arg10, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %13 = "stablehlo.dynamic_slice"(%arg0, %arg10, %0, %0) {slice_sizes = array<i64: 1, 8, 32>} : (tensor<100x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
      %14 = "stablehlo.reshape"(%13) : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
      %15 = "stablehlo.dot_general"(%14, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
      %16 = "stablehlo.add"(%arg11, %15) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
      "stablehlo.return"(%12, %16) : (tensor<i32>, tensor<8x32xf32>) -> ()
    }) : (tensor<i32>, tensor<8x32xf32>) -> (tensor<i32>, tensor<8x32xf32>)
    "func.return"(%3#1, %10#1) : (tensor<8x32xf32>, tensor<8x32xf32>) -> ()
  }
}
