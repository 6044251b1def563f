// run: offload_annotations canonicalize offload_placement offload_prefetch
func.func @main(%x: tensor<4xf32>) -> (tensor<3x4xf32> {mhlo.memory_kind = "pinned_host"}, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<3x4xf32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %s:3 = stablehlo.while(%i = %i0, %c = %x, %stack = %zero) : tensor<i32>, tensor<4xf32>, tensor<3x4xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %e = stablehlo.exponential %c : tensor<4xf32>
    %h = stablehlo.custom_call @annotate_device_placement(%e) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4xf32>) -> tensor<4xf32>
    %r = stablehlo.reshape %h : (tensor<4xf32>) -> tensor<1x4xf32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %u = stablehlo.dynamic_update_slice %stack, %r, %i, %z : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %e, %u : tensor<i32>, tensor<4xf32>, tensor<3x4xf32>
  }
  %b:2 = stablehlo.while(%i = %i0, %c = %s#1) : tensor<i32>, tensor<4xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %r = stablehlo.dynamic_slice %s#2, %i, %z, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %q = stablehlo.reshape %r : (tensor<1x4xf32>) -> tensor<4xf32>
    %d = stablehlo.custom_call @annotate_device_placement(%q) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4xf32>) -> tensor<4xf32>
    %m = stablehlo.multiply %c, %d : tensor<4xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %m : tensor<i32>, tensor<4xf32>
  }
  return %s#2, %b#1 : tensor<3x4xf32>, tensor<4xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<3x4xf32> {mhlo.memory_kind = "pinned_host"}, tensor<4xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<3x4xf32>} : () -> tensor<3x4xf32, "pinned_host">
    %2:3 = "stablehlo.while"(%0, %arg0, %1) ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<4xf32>, %arg3: tensor<3x4xf32, "pinned_host">):
      %3 = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
      %4 = "stablehlo.compare"(%arg1, %3) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<4xf32>, %arg6: tensor<3x4xf32, "pinned_host">):
      %5 = "stablehlo.exponential"(%arg5) : (tensor<4xf32>) -> tensor<4xf32>
      %6 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %7 = "stablehlo.reshape"(%5) : (tensor<4xf32>) -> tensor<1x4xf32>
      %8 = "stablehlo.dynamic_update_slice"(%arg6, %7, %arg4, %6) : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32, "pinned_host">
      %9 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %10 = "stablehlo.add"(%arg4, %9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%10, %5, %8) : (tensor<i32>, tensor<4xf32>, tensor<3x4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<3x4xf32, "pinned_host">)
    %11 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %12 = "stablehlo.dynamic_slice"(%2#2, %0, %11) {slice_sizes = array<i64: 1, 4>} : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %13:3 = "stablehlo.while"(%0, %2#1, %12) ({
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<4xf32>, %arg9: tensor<1x4xf32>):
      %14 = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
      %15 = "stablehlo.compare"(%arg7, %14) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg10: tensor<i32>, %arg11: tensor<4xf32>, %arg12: tensor<1x4xf32>):
      %16 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %17 = "stablehlo.add"(%arg10, %16) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %18 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %19 = "stablehlo.dynamic_slice"(%2#2, %17, %18) {slice_sizes = array<i64: 1, 4>} : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %20 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %21 = "stablehlo.reshape"(%arg12) : (tensor<1x4xf32>) -> tensor<4xf32>
      %22 = "stablehlo.multiply"(%arg11, %21) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %23 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %24 = "stablehlo.add"(%arg10, %23) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%24, %22, %19) : (tensor<i32>, tensor<4xf32>, tensor<1x4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>, tensor<1x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<1x4xf32>)
    "func.return"(%2#2, %13#1) : (tensor<3x4xf32>, tensor<4xf32>) -> ()
  }
}
