// run: hoist
func.func @main(%w: tensor<64x64xf32>, %b: tensor<64x64xbf16>, %v: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<100> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %v) : tensor<i32>, tensor<16x32xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.slice %w [32:64, 0:64] : (tensor<64x64xf32>) -> tensor<32x64xf32>
    %p = stablehlo.dot_general %x, %s, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %f = stablehlo.convert %b : (tensor<64x64xbf16>) -> tensor<64x64xf32>
    %q = stablehlo.dot_general %p, %f, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
    %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %u = stablehlo.dot_general %q, %t, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
    %h = stablehlo.slice %u [0:16, 0:32] : (tensor<16x64xf32>) -> tensor<16x32xf32>
    %k = stablehlo.slice %w [0:16, 0:32] : (tensor<64x64xf32>) -> tensor<16x32xf32>
    %y = stablehlo.add %h, %k : tensor<16x32xf32>
    stablehlo.return %j, %y : tensor<i32>, tensor<16x32xf32>
  }
  return %r#1 : tensor<16x32xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xbf16>, %arg2: tensor<16x32xf32>) -> (tensor<16x32xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<100> : tensor<i32>} : () -> tensor<i32>
    %3 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 32, 0>, limit_indices = array<i64: 64, 64>, strides = array<i64: 1, 1>} : (tensor<64x64xf32>) -> tensor<32x64xf32>
    %4 = "stablehlo.convert"(%arg1) : (tensor<64x64xbf16>) -> tensor<64x64xf32>
    %5:2 = "stablehlo.while"(%0, %arg2) ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<16x32xf32>):
      %6 = "stablehlo.compare"(%arg3, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%6) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<16x32xf32>):
      %7 = "stablehlo.add"(%arg5, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %8 = "stablehlo.dot_general"(%arg6, %3) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
      %9 = "stablehlo.dot_general"(%8, %4) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
      %10 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %11 = "stablehlo.dot_general"(%9, %10) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
      %12 = "stablehlo.slice"(%11) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 16, 32>, strides = array<i64: 1, 1>} : (tensor<16x64xf32>) -> tensor<16x32xf32>
      %13 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 16, 32>, strides = array<i64: 1, 1>} : (tensor<64x64xf32>) -> tensor<16x32xf32>
      %14 = "stablehlo.add"(%12, %13) : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
      "stablehlo.return"(%7, %14) : (tensor<i32>, tensor<16x32xf32>) -> ()
    }) : (tensor<i32>, tensor<16x32xf32>) -> (tensor<i32>, tensor<16x32xf32>)
    "func.return"(%5#1) : (tensor<16x32xf32>) -> ()
  }
}
