// run: hoist
func.func @main(%a: tensor<5x5xf32>, %v: tensor<5xf32>) -> tensor<5xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<100> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %v) : tensor<i32>, tensor<5xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %f:2 = stablehlo.custom_call @factors(%a) : (tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5xi32>)
    %t = stablehlo.add %f#0, %a : tensor<5x5xf32>
    %p = stablehlo.dynamic_slice %f#1, %one, sizes = [1] : (tensor<5xi32>, tensor<i32>) -> tensor<1xi32>
    %q = stablehlo.reshape %p : (tensor<1xi32>) -> tensor<i32>
    %s = stablehlo.dynamic_slice %x, %q, sizes = [1] : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    %w = stablehlo.dot_general %t, %x, contracting_dims = [1] x [0] : (tensor<5x5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %g = stablehlo.custom_call @effect(%a) {has_side_effect = true} : (tensor<5x5xf32>) -> tensor<5xf32>
    %y = stablehlo.dynamic_update_slice %w, %s, %zero : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
    %z = stablehlo.add %y, %g : tensor<5xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<5xf32>
  }
  return %r#1 : tensor<5xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x5xf32>, %arg1: tensor<5xf32>) -> (tensor<5xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<100> : tensor<i32>} : () -> tensor<i32>
    %3:2 = "stablehlo.custom_call"(%arg0) {call_target_name = "factors", has_side_effect = false, backend_config = "", api_version = 1 : i32, on_one_device = false, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5xi32>)
    %4 = "stablehlo.add"(%3#0, %arg0) : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
    %5:2 = "stablehlo.while"(%0, %arg1) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<5xf32>):
      %6 = "stablehlo.compare"(%arg2, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%6) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<5xf32>):
      %7 = "stablehlo.add"(%arg4, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %8 = "stablehlo.dynamic_slice"(%3#1, %1) {slice_sizes = array<i64: 1>} : (tensor<5xi32>, tensor<i32>) -> tensor<1xi32>
      %9 = "stablehlo.reshape"(%8) : (tensor<1xi32>) -> tensor<i32>
      %10 = "stablehlo.dynamic_slice"(%arg5, %9) {slice_sizes = array<i64: 1>} : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
      %11 = "stablehlo.dot_general"(%4, %arg5) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<5x5xf32>, tensor<5xf32>) -> tensor<5xf32>
      %12 = "stablehlo.custom_call"(%arg0) {call_target_name = "effect", has_side_effect = true, backend_config = "", api_version = 1 : i32, on_one_device = false, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<5x5xf32>) -> tensor<5xf32>
      %13 = "stablehlo.dynamic_update_slice"(%11, %10, %0) : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
      %14 = "stablehlo.add"(%13, %12) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      "stablehlo.return"(%7, %14) : (tensor<i32>, tensor<5xf32>) -> ()
    }) : (tensor<i32>, tensor<5xf32>) -> (tensor<i32>, tensor<5xf32>)
    "func.return"(%5#1) : (tensor<5xf32>) -> ()
  }
}
