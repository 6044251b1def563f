// run: loop_products dce
func.func @main(%x: tensor<64x8x32xf32>, %h: tensor<8x32xf32>, %w: tensor<32x48xf32>, %u: tensor<32x32xf32>, %bias: tensor<8x48xf32>, %y: tensor<48x48xf32>) -> tensor<8x32xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<64> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %h) : tensor<i32>, tensor<8x32xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %k = stablehlo.subtract %end, %j : tensor<i32>
    %s = stablehlo.dynamic_slice %x, %k, %zero, %zero, sizes = [1, 8, 32] : (tensor<64x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %m = stablehlo.reshape %s : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    %p = stablehlo.dot_general %m, %w, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x48xf32>) -> tensor<8x48xf32>
    %g = stablehlo.add %p, %bias : tensor<8x48xf32>
    %o = stablehlo.dot_general %g, %y, contracting_dims = [1] x [1] : (tensor<8x48xf32>, tensor<48x48xf32>) -> tensor<8x48xf32>
    %q = stablehlo.slice %o [0:8, 0:32] : (tensor<8x48xf32>) -> tensor<8x32xf32>
    %d = stablehlo.dot_general %v, %u, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
    %a = stablehlo.add %q, %d : tensor<8x32xf32>
    stablehlo.return %j, %a : tensor<i32>, tensor<8x32xf32>
  }
  return %r#1 : tensor<8x32xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x8x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<32x48xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<8x48xf32>, %arg5: tensor<48x48xf32>) -> (tensor<8x32xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<64> : tensor<i32>} : () -> tensor<i32>
    %3 = "stablehlo.dot_general"(%arg0, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x32xf32>, tensor<32x48xf32>) -> tensor<64x8x48xf32>
    %4 = "stablehlo.broadcast_in_dim"(%arg4) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<8x48xf32>) -> tensor<64x8x48xf32>
    %5 = "stablehlo.add"(%3, %4) : (tensor<64x8x48xf32>, tensor<64x8x48xf32>) -> tensor<64x8x48xf32>
    %6 = "stablehlo.dot_general"(%5, %arg5) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x48xf32>, tensor<48x48xf32>) -> tensor<64x8x48xf32>
    %7:2 = "stablehlo.while"(%0, %arg1) ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<8x32xf32>):
      %8 = "stablehlo.compare"(%arg6, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%8) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg8: tensor<i32>, %arg9: tensor<8x32xf32>):
      %9 = "stablehlo.add"(%arg8, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %10 = "stablehlo.subtract"(%2, %9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %11 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %12 = "stablehlo.dynamic_slice"(%6, %10, %11, %11) {slice_sizes = array<i64: 1, 8, 48>} : (tensor<64x8x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x48xf32>
      %13 = "stablehlo.reshape"(%12) : (tensor<1x8x48xf32>) -> tensor<8x48xf32>
      %14 = "stablehlo.slice"(%13) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 32>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x32xf32>
      %15 = "stablehlo.dot_general"(%arg9, %arg3) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
      %16 = "stablehlo.add"(%14, %15) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
      "stablehlo.return"(%9, %16) : (tensor<i32>, tensor<8x32xf32>) -> ()
    }) : (tensor<i32>, tensor<8x32xf32>) -> (tensor<i32>, tensor<8x32xf32>)
    "func.return"(%7#1) : (tensor<8x32xf32>) -> ()
  }
}
