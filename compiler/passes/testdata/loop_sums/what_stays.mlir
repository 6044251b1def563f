// run: loop_sums dce
func.func @main(%x: tensor<64x8x32xf32>, %h: tensor<8x48xf32>, %t: tensor<32x48xf32>, %f: tensor<64x8x4xf32>, %z: tensor<4x48xf32>) -> (tensor<32x48xf32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<4x48xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<64> : tensor<i32>
  %r:6 = stablehlo.while(%i = %zero, %a = %t, %b = %t, %c = %t, %d = %z, %v = %h) : tensor<i32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<4x48xf32>, tensor<8x48xf32>
  cond {
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %g = stablehlo.tanh %v : tensor<8x48xf32>
    %s1 = stablehlo.dynamic_slice %x, %j, %zero, %zero, sizes = [1, 8, 32] : (tensor<64x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %m1 = stablehlo.reshape %s1 : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    %p1 = stablehlo.dot_general %m1, %g, contracting_dims = [0] x [0] : (tensor<8x32xf32>, tensor<8x48xf32>) -> tensor<32x48xf32>
    %a2 = stablehlo.add %a, %p1 : tensor<32x48xf32>
    %s2 = stablehlo.dynamic_slice %x, %one, %zero, %zero, sizes = [1, 8, 32] : (tensor<64x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %m2 = stablehlo.reshape %s2 : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    %p2 = stablehlo.dot_general %m2, %g, contracting_dims = [0] x [0] : (tensor<8x32xf32>, tensor<8x48xf32>) -> tensor<32x48xf32>
    %b2 = stablehlo.add %b, %p2 : tensor<32x48xf32>
    %s3 = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 32] : (tensor<64x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %m3 = stablehlo.reshape %s3 : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    %p3 = stablehlo.dot_general %m3, %g, contracting_dims = [0] x [0] : (tensor<8x32xf32>, tensor<8x48xf32>) -> tensor<32x48xf32>
    %c2 = stablehlo.add %c, %p3 : tensor<32x48xf32>
    %o = stablehlo.slice %c2 [0:8, 0:48] : (tensor<32x48xf32>) -> tensor<8x48xf32>
    %v2 = stablehlo.add %g, %o : tensor<8x48xf32>
    %s4 = stablehlo.dynamic_slice %f, %i, %zero, %zero, sizes = [1, 8, 4] : (tensor<64x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %m4 = stablehlo.reshape %s4 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %p4 = stablehlo.dot_general %m4, %g, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x48xf32>) -> tensor<4x48xf32>
    %d2 = stablehlo.add %d, %p4 : tensor<4x48xf32>
    stablehlo.return %j, %a2, %b2, %c2, %d2, %v2 : tensor<i32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<4x48xf32>, tensor<8x48xf32>
  }
  return %r#1, %r#2, %r#3, %r#4 : tensor<32x48xf32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<4x48xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x8x32xf32>, %arg1: tensor<8x48xf32>, %arg2: tensor<32x48xf32>, %arg3: tensor<64x8x4xf32>, %arg4: tensor<4x48xf32>) -> (tensor<32x48xf32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<4x48xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<64> : tensor<i32>} : () -> tensor<i32>
    %3:6 = "stablehlo.while"(%0, %arg2, %arg2, %arg2, %arg4, %arg1) ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<32x48xf32>, %arg7: tensor<32x48xf32>, %arg8: tensor<32x48xf32>, %arg9: tensor<4x48xf32>, %arg10: tensor<8x48xf32>):
      %4 = "stablehlo.compare"(%arg5, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg11: tensor<i32>, %arg12: tensor<32x48xf32>, %arg13: tensor<32x48xf32>, %arg14: tensor<32x48xf32>, %arg15: tensor<4x48xf32>, %arg16: tensor<8x48xf32>):
      %5 = "stablehlo.add"(%arg11, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %6 = "stablehlo.tanh"(%arg16) : (tensor<8x48xf32>) -> tensor<8x48xf32>
      %7 = "stablehlo.dynamic_slice"(%arg0, %5, %0, %0) {slice_sizes = array<i64: 1, 8, 32>} : (tensor<64x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
      %8 = "stablehlo.reshape"(%7) : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
      %9 = "stablehlo.dot_general"(%8, %6) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32xf32>, tensor<8x48xf32>) -> tensor<32x48xf32>
      %10 = "stablehlo.add"(%arg12, %9) : (tensor<32x48xf32>, tensor<32x48xf32>) -> tensor<32x48xf32>
      %11 = "stablehlo.dynamic_slice"(%arg0, %1, %0, %0) {slice_sizes = array<i64: 1, 8, 32>} : (tensor<64x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
      %12 = "stablehlo.reshape"(%11) : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
      %13 = "stablehlo.dot_general"(%12, %6) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32xf32>, tensor<8x48xf32>) -> tensor<32x48xf32>
      %14 = "stablehlo.add"(%arg13, %13) : (tensor<32x48xf32>, tensor<32x48xf32>) -> tensor<32x48xf32>
      %15 = "stablehlo.dynamic_slice"(%arg0, %arg11, %0, %0) {slice_sizes = array<i64: 1, 8, 32>} : (tensor<64x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
      %16 = "stablehlo.reshape"(%15) : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
      %17 = "stablehlo.dot_general"(%16, %6) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32xf32>, tensor<8x48xf32>) -> tensor<32x48xf32>
      %18 = "stablehlo.add"(%arg14, %17) : (tensor<32x48xf32>, tensor<32x48xf32>) -> tensor<32x48xf32>
      %19 = "stablehlo.slice"(%18) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 48>, strides = array<i64: 1, 1>} : (tensor<32x48xf32>) -> tensor<8x48xf32>
      %20 = "stablehlo.add"(%6, %19) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
      %21 = "stablehlo.dynamic_slice"(%arg3, %arg11, %0, %0) {slice_sizes = array<i64: 1, 8, 4>} : (tensor<64x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
      %22 = "stablehlo.reshape"(%21) : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
      %23 = "stablehlo.dot_general"(%22, %6) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x4xf32>, tensor<8x48xf32>) -> tensor<4x48xf32>
      %24 = "stablehlo.add"(%arg15, %23) : (tensor<4x48xf32>, tensor<4x48xf32>) -> tensor<4x48xf32>
      "stablehlo.return"(%5, %10, %14, %18, %24, %20) : (tensor<i32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<4x48xf32>, tensor<8x48xf32>) -> ()
    }) : (tensor<i32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<4x48xf32>, tensor<8x48xf32>) -> (tensor<i32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<4x48xf32>, tensor<8x48xf32>)
    "func.return"(%3#1, %3#2, %3#3, %3#4) : (tensor<32x48xf32>, tensor<32x48xf32>, tensor<32x48xf32>, tensor<4x48xf32>) -> ()
  }
}
