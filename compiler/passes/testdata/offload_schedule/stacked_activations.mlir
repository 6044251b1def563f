// run: offload_annotations canonicalize layout offload_placement fusion offload_schedule
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
      %3 = "gantry.fusion"(%arg1) ({
      ^bb0(%arg4: tensor<i32>):
        %4 = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
        %5 = "stablehlo.compare"(%arg4, %4) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%5) : (tensor<i1>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%3) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<4xf32>, %arg7: tensor<3x4xf32, "pinned_host">):
      %6 = "gantry.fusion"(%arg6) ({
      ^bb0(%arg8: tensor<4xf32>):
        %7 = "stablehlo.exponential"(%arg8) : (tensor<4xf32>) -> tensor<4xf32>
        "stablehlo.return"(%7) : (tensor<4xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<4xf32>) -> tensor<4xf32>
      %8 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %9 = "stablehlo.reshape"(%6) : (tensor<4xf32>) -> tensor<1x4xf32>
      %10 = "stablehlo.dynamic_update_slice"(%arg7, %9, %arg5, %8) : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32, "pinned_host">
      %11 = "gantry.fusion"(%arg5) ({
      ^bb0(%arg9: tensor<i32>):
        %12 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %13 = "stablehlo.add"(%arg9, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%13) : (tensor<i32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
      %14 = "gantry.copy_done"(%10, %9) : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32, "pinned_host">
      "stablehlo.return"(%11, %6, %14) : (tensor<i32>, tensor<4xf32>, tensor<3x4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<3x4xf32, "pinned_host">)
    %15:2 = "stablehlo.while"(%0, %2#1) ({
    ^bb0(%arg10: tensor<i32>, %arg11: tensor<4xf32>):
      %16 = "gantry.fusion"(%arg10) ({
      ^bb0(%arg12: tensor<i32>):
        %17 = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
        %18 = "stablehlo.compare"(%arg12, %17) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%18) : (tensor<i1>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%16) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg13: tensor<i32>, %arg14: tensor<4xf32>):
      %19 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %20 = "stablehlo.dynamic_slice"(%2#2, %arg13, %19) {slice_sizes = array<i64: 1, 4>} : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %21 = "gantry.copy_done"(%20, %2#2) : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<1x4xf32>
      %22 = "gantry.fusion"(%21, %arg14) ({
      ^bb0(%arg15: tensor<1x4xf32>, %arg16: tensor<4xf32>):
        %23 = "stablehlo.reshape"(%arg15) : (tensor<1x4xf32>) -> tensor<4xf32>
        %24 = "stablehlo.multiply"(%arg16, %23) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        "stablehlo.return"(%24) : (tensor<4xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %25 = "gantry.fusion"(%arg13) ({
      ^bb0(%arg17: tensor<i32>):
        %26 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %27 = "stablehlo.add"(%arg17, %26) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%27) : (tensor<i32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%25, %22) : (tensor<i32>, tensor<4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    "func.return"(%2#2, %15#1) : (tensor<3x4xf32>, tensor<4xf32>) -> ()
  }
}
