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
      %9 = "gantry.fusion"(%6) ({
      ^bb0(%arg9: tensor<4xf32>):
        %10 = "stablehlo.reshape"(%arg9) : (tensor<4xf32>) -> tensor<1x4xf32>
        "stablehlo.return"(%10) : (tensor<1x4xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<4xf32>) -> tensor<1x4xf32>
      %11 = "stablehlo.dynamic_update_slice"(%arg7, %9, %arg5, %8) : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32, "pinned_host">
      %12 = "gantry.fusion"(%arg5) ({
      ^bb0(%arg10: tensor<i32>):
        %13 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %14 = "stablehlo.add"(%arg10, %13) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%14) : (tensor<i32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
      %15 = "gantry.copy_done"(%11, %9) : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32, "pinned_host">
      "stablehlo.return"(%12, %6, %15) : (tensor<i32>, tensor<4xf32>, tensor<3x4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<3x4xf32, "pinned_host">)
    %16:2 = "stablehlo.while"(%0, %2#1) ({
    ^bb0(%arg11: tensor<i32>, %arg12: tensor<4xf32>):
      %17 = "gantry.fusion"(%arg11) ({
      ^bb0(%arg13: tensor<i32>):
        %18 = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
        %19 = "stablehlo.compare"(%arg13, %18) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%19) : (tensor<i1>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%17) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg14: tensor<i32>, %arg15: tensor<4xf32>):
      %20 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %21 = "stablehlo.dynamic_slice"(%2#2, %arg14, %20) {slice_sizes = array<i64: 1, 4>} : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %22 = "gantry.copy_done"(%21, %2#2) : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<1x4xf32>
      %23 = "gantry.fusion"(%22, %arg15) ({
      ^bb0(%arg16: tensor<1x4xf32>, %arg17: tensor<4xf32>):
        %24 = "stablehlo.reshape"(%arg16) : (tensor<1x4xf32>) -> tensor<4xf32>
        %25 = "stablehlo.multiply"(%arg17, %24) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        "stablehlo.return"(%25) : (tensor<4xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %26 = "gantry.fusion"(%arg14) ({
      ^bb0(%arg18: tensor<i32>):
        %27 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %28 = "stablehlo.add"(%arg18, %27) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%28) : (tensor<i32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%26, %23) : (tensor<i32>, tensor<4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    "func.return"(%2#2, %16#1) : (tensor<3x4xf32>, tensor<4xf32>) -> ()
  }
}
