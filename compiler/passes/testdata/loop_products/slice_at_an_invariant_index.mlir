// run: loop_products dce
func.func @main(%x: tensor<8x64xf32>, %w: tensor<3x64x64xf32>, %h: tensor<64xf32>, %k: tensor<i32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<8> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %h) : tensor<i32>, tensor<64xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %n = stablehlo.add %k, %one : tensor<i32>
    %m = stablehlo.dynamic_slice %w, %n, %zero, %zero, sizes = [1, 64, 64] : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %v = stablehlo.reshape %m : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %s = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 64] : (tensor<8x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %y = stablehlo.reshape %s : (tensor<1x64xf32>) -> tensor<64xf32>
    %p = stablehlo.dot_general %y, %v, contracting_dims = [0] x [0] : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64xf32>
    %b = stablehlo.add %a, %p : tensor<64xf32>
    stablehlo.return %j, %b : tensor<i32>, tensor<64xf32>
  }
  return %r#1 : tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x64xf32>, %arg1: tensor<3x64x64xf32>, %arg2: tensor<64xf32>, %arg3: tensor<i32>) -> (tensor<64xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<8> : tensor<i32>} : () -> tensor<i32>
    %3 = "stablehlo.add"(%arg3, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "stablehlo.dynamic_slice"(%arg1, %3, %0, %0) {slice_sizes = array<i64: 1, 64, 64>} : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %5 = "stablehlo.reshape"(%4) : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %6 = "stablehlo.dot_general"(%arg0, %5) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
    %7:2 = "stablehlo.while"(%0, %arg2) ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<64xf32>):
      %8 = "stablehlo.compare"(%arg4, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%8) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<64xf32>):
      %9 = "stablehlo.add"(%arg6, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %10 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %11 = "stablehlo.dynamic_slice"(%6, %arg6, %10) {slice_sizes = array<i64: 1, 64>} : (tensor<8x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
      %12 = "stablehlo.reshape"(%11) : (tensor<1x64xf32>) -> tensor<64xf32>
      %13 = "stablehlo.add"(%arg7, %12) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      "stablehlo.return"(%9, %13) : (tensor<i32>, tensor<64xf32>) -> ()
    }) : (tensor<i32>, tensor<64xf32>) -> (tensor<i32>, tensor<64xf32>)
    "func.return"(%7#1) : (tensor<64xf32>) -> ()
  }
}
