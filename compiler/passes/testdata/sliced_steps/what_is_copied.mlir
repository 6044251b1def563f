// run: canonicalize layout fusion sliced_steps
func.func @main(%x: tensor<128x128xf32>, %w: tensor<4x128x128xf32>, %c: tensor<128x4x128xf32>, %i: tensor<i64>) -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<4x128x128xf32>) {
  %0 = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.slice %w [1:2, 0:128, 0:128] : (tensor<4x128x128xf32>) -> tensor<1x128x128xf32>
  %first = stablehlo.reshape %one : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
  %in_place = stablehlo.dot_general %x, %first, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %two = stablehlo.dynamic_slice %c, %0, %i, %0, sizes = [128, 1, 128] : (tensor<128x4x128xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<128x1x128xf32>
  %apart = stablehlo.reshape %two : (tensor<128x1x128xf32>) -> tensor<128x128xf32>
  %of_apart = stablehlo.dot_general %x, %apart, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %changed = stablehlo.negate %w : tensor<4x128x128xf32>
  %three = stablehlo.dynamic_slice %changed, %i, %0, %0, sizes = [1, 128, 128] : (tensor<4x128x128xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x128x128xf32>
  %updated = stablehlo.reshape %three : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
  %of_updated = stablehlo.dot_general %x, %updated, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %row = stablehlo.reshape %x : (tensor<128x128xf32>) -> tensor<1x128x128xf32>
  %update = stablehlo.dynamic_update_slice %changed, %row, %i, %0, %0 : (tensor<4x128x128xf32>, tensor<1x128x128xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<4x128x128xf32>
  %four = stablehlo.dynamic_slice %w, %i, %0, %0, sizes = [1, 128, 128] : (tensor<4x128x128xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x128x128xf32>
  %returned = stablehlo.reshape %four : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
  %of_returned = stablehlo.dot_general %x, %returned, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %sum = stablehlo.add %of_apart, %of_returned : tensor<128x128xf32>
  return %in_place, %sum, %of_updated, %returned, %update : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<4x128x128xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128x128xf32>, %arg1: tensor<4x128x128xf32>, %arg2: tensor<128x4x128xf32>, %arg3: tensor<i64>) -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<4x128x128xf32>) {
    %0 = "gantry.fusion"(%arg1, %arg0) ({
    ^bb0(%arg4: tensor<4x128x128xf32>, %arg5: tensor<128x128xf32>):
      %1 = "stablehlo.slice"(%arg4) {start_indices = array<i64: 1, 0, 0>, limit_indices = array<i64: 2, 128, 128>, strides = array<i64: 1, 1, 1>} : (tensor<4x128x128xf32>) -> tensor<1x128x128xf32>
      %2 = "stablehlo.reshape"(%1) : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
      %3 = "stablehlo.dot_general"(%arg5, %2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
      "stablehlo.return"(%3) : (tensor<128x128xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind SLICED>} : (tensor<4x128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %4 = "gantry.fusion"(%arg2, %arg3) ({
    ^bb0(%arg6: tensor<128x4x128xf32>, %arg7: tensor<i64>):
      %5 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
      %6 = "stablehlo.dynamic_slice"(%arg6, %5, %arg7, %5) {slice_sizes = array<i64: 128, 1, 128>} : (tensor<128x4x128xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<128x1x128xf32>
      %7 = "stablehlo.reshape"(%6) : (tensor<128x1x128xf32>) -> tensor<128x128xf32>
      "stablehlo.return"(%7) : (tensor<128x128xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<128x4x128xf32>, tensor<i64>) -> tensor<128x128xf32>
    %8 = "stablehlo.dot_general"(%arg0, %4) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %9 = "gantry.fusion"(%arg1) ({
    ^bb0(%arg8: tensor<4x128x128xf32>):
      %10 = "stablehlo.negate"(%arg8) : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
      "stablehlo.return"(%10) : (tensor<4x128x128xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
    %11 = "gantry.fusion"(%9, %arg3) ({
    ^bb0(%arg9: tensor<4x128x128xf32>, %arg10: tensor<i64>):
      %12 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
      %13 = "stablehlo.dynamic_slice"(%arg9, %arg10, %12, %12) {slice_sizes = array<i64: 1, 128, 128>} : (tensor<4x128x128xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x128x128xf32>
      %14 = "stablehlo.reshape"(%13) : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
      "stablehlo.return"(%14) : (tensor<128x128xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<4x128x128xf32>, tensor<i64>) -> tensor<128x128xf32>
    %15 = "stablehlo.dot_general"(%arg0, %11) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %16 = "gantry.fusion"(%arg0, %9, %arg3) ({
    ^bb0(%arg11: tensor<128x128xf32>, %arg12: tensor<4x128x128xf32>, %arg13: tensor<i64>):
      %17 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
      %18 = "stablehlo.reshape"(%arg11) : (tensor<128x128xf32>) -> tensor<1x128x128xf32>
      %19 = "stablehlo.dynamic_update_slice"(%arg12, %18, %arg13, %17, %17) : (tensor<4x128x128xf32>, tensor<1x128x128xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<4x128x128xf32>
      "stablehlo.return"(%19) : (tensor<4x128x128xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind UPDATE>} : (tensor<128x128xf32>, tensor<4x128x128xf32>, tensor<i64>) -> tensor<4x128x128xf32>
    %20 = "gantry.fusion"(%arg1, %arg3) ({
    ^bb0(%arg14: tensor<4x128x128xf32>, %arg15: tensor<i64>):
      %21 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
      %22 = "stablehlo.dynamic_slice"(%arg14, %arg15, %21, %21) {slice_sizes = array<i64: 1, 128, 128>} : (tensor<4x128x128xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x128x128xf32>
      %23 = "stablehlo.reshape"(%22) : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
      "stablehlo.return"(%23) : (tensor<128x128xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<4x128x128xf32>, tensor<i64>) -> tensor<128x128xf32>
    %24 = "stablehlo.dot_general"(%arg0, %20) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %25 = "gantry.fusion"(%8, %24) ({
    ^bb0(%arg16: tensor<128x128xf32>, %arg17: tensor<128x128xf32>):
      %26 = "stablehlo.add"(%arg16, %arg17) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
      "stablehlo.return"(%26) : (tensor<128x128xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    "func.return"(%0, %25, %15, %20, %16) : (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<4x128x128xf32>) -> ()
  }
}
