// run: loop_products dce
func.func @main(%x: tensor<8x64x32xf32>, %h: tensor<8x32xf32>, %w: tensor<32x64xf32>) -> tensor<32x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<64> : tensor<i32>
  %start = stablehlo.transpose %h, dims = [1, 0] : (tensor<8x32xf32>) -> tensor<32x8xf32>
  %r:2 = stablehlo.while(%i = %zero, %v = %start) : tensor<i32>, tensor<32x8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.dynamic_slice %x, %zero, %i, %zero, sizes = [8, 1, 32] : (tensor<8x64x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x1x32xf32>
    %m = stablehlo.reshape %s : (tensor<8x1x32xf32>) -> tensor<8x32xf32>
    %t = stablehlo.transpose %v, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %b = stablehlo.concatenate %m, %t, dim = 1 : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x64xf32>
    %p = stablehlo.dot_general %w, %b, contracting_dims = [1] x [1] : (tensor<32x64xf32>, tensor<8x64xf32>) -> tensor<32x8xf32>
    stablehlo.return %j, %p : tensor<i32>, tensor<32x8xf32>
  }
  return %r#1 : tensor<32x8xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x64x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<32x64xf32>) -> (tensor<32x8xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<64> : tensor<i32>} : () -> tensor<i32>
    %3 = "stablehlo.transpose"(%arg1) {permutation = array<i64: 1, 0>} : (tensor<8x32xf32>) -> tensor<32x8xf32>
    %4 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 32, 32>, strides = array<i64: 1, 1>} : (tensor<32x64xf32>) -> tensor<32x32xf32>
    %5 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 32>, limit_indices = array<i64: 32, 64>, strides = array<i64: 1, 1>} : (tensor<32x64xf32>) -> tensor<32x32xf32>
    %6 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0, 2>} : (tensor<8x64x32xf32>) -> tensor<64x8x32xf32>
    %7 = "stablehlo.dot_general"(%6, %4) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x32xf32>, tensor<32x32xf32>) -> tensor<64x8x32xf32>
    %8 = "stablehlo.transpose"(%7) {permutation = array<i64: 0, 2, 1>} : (tensor<64x8x32xf32>) -> tensor<64x32x8xf32>
    %9:2 = "stablehlo.while"(%0, %3) ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<32x8xf32>):
      %10 = "stablehlo.compare"(%arg3, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%10) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<32x8xf32>):
      %11 = "stablehlo.add"(%arg5, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %12 = "stablehlo.transpose"(%arg6) {permutation = array<i64: 1, 0>} : (tensor<32x8xf32>) -> tensor<8x32xf32>
      %13 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %14 = "stablehlo.dynamic_slice"(%8, %arg5, %13, %13) {slice_sizes = array<i64: 1, 32, 8>} : (tensor<64x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x8xf32>
      %15 = "stablehlo.reshape"(%14) : (tensor<1x32x8xf32>) -> tensor<32x8xf32>
      %16 = "stablehlo.dot_general"(%5, %12) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<32x32xf32>, tensor<8x32xf32>) -> tensor<32x8xf32>
      %17 = "stablehlo.add"(%15, %16) : (tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      "stablehlo.return"(%11, %17) : (tensor<i32>, tensor<32x8xf32>) -> ()
    }) : (tensor<i32>, tensor<32x8xf32>) -> (tensor<i32>, tensor<32x8xf32>)
    "func.return"(%9#1) : (tensor<32x8xf32>) -> ()
  }
}
