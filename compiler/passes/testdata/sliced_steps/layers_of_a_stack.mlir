// run: canonicalize thin_product layout fusion sliced_steps
func.func @main(%x: tensor<2x128xf32>, %w: tensor<4x128x128xf32>, %q: tensor<4x128x128xi8>, %s: tensor<4x1x128xf32>) -> tensor<2x128xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %loop:2 = stablehlo.while(%i = %0, %y = %x) : tensor<i32>, tensor<2x128xf32>
  cond {
    %4 = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %4 = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %below = stablehlo.compare LT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %wrapped = stablehlo.add %i, %4 : tensor<i32>
    %at = stablehlo.select %below, %wrapped, %i : tensor<i1>, tensor<i32>
    %wi = stablehlo.dynamic_slice %w, %at, %zero, %zero, sizes = [1, 128, 128] : (tensor<4x128x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x128x128xf32>
    %wr = stablehlo.reshape %wi : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
    %qi = stablehlo.dynamic_slice %q, %at, %zero, %zero, sizes = [1, 128, 128] : (tensor<4x128x128xi8>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x128x128xi8>
    %si = stablehlo.dynamic_slice %s, %at, %zero, %zero, sizes = [1, 1, 128] : (tensor<4x1x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x128xf32>
    %qr = stablehlo.reshape %qi : (tensor<1x128x128xi8>) -> tensor<128x128xi8>
    %sr = stablehlo.reshape %si : (tensor<1x1x128xf32>) -> tensor<128xf32>
    %qf = stablehlo.convert %qr : (tensor<128x128xi8>) -> tensor<128x128xf32>
    %sb = stablehlo.broadcast_in_dim %sr, dims = [1] : (tensor<128xf32>) -> tensor<128x128xf32>
    %m = stablehlo.multiply %qf, %sb : tensor<128x128xf32>
    %a = stablehlo.dot_general %y, %wr, contracting_dims = [1] x [0] : (tensor<2x128xf32>, tensor<128x128xf32>) -> tensor<2x128xf32>
    %b = stablehlo.dot_general %a, %m, contracting_dims = [1] x [0] : (tensor<2x128xf32>, tensor<128x128xf32>) -> tensor<2x128xf32>
    %next = stablehlo.add %i, %1 : tensor<i32>
    stablehlo.return %next, %b : tensor<i32>, tensor<2x128xf32>
  }
  return %loop#1 : tensor<2x128xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128xf32>, %arg1: tensor<4x128x128xf32>, %arg2: tensor<4x128x128xi8>, %arg3: tensor<4x1x128xf32>) -> (tensor<2x128xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1:2 = "stablehlo.while"(%0, %arg0) ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<2x128xf32>):
      %2 = "gantry.fusion"(%arg4) ({
      ^bb0(%arg6: tensor<i32>):
        %3 = "stablehlo.constant"() {value = dense<4> : tensor<i32>} : () -> tensor<i32>
        %4 = "stablehlo.compare"(%arg6, %3) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%4) : (tensor<i1>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<2x128xf32>):
      %5 = "gantry.fusion"(%arg7) ({
      ^bb0(%arg9: tensor<i32>):
        %6 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
        %7 = "stablehlo.compare"(%arg9, %6) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %8 = "stablehlo.constant"() {value = dense<4> : tensor<i32>} : () -> tensor<i32>
        %9 = "stablehlo.add"(%arg9, %8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %10 = "stablehlo.select"(%7, %9, %arg9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%10) : (tensor<i32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
      %11 = "gantry.fusion"(%arg1, %5, %arg8) ({
      ^bb0(%arg10: tensor<4x128x128xf32>, %arg11: tensor<i32>, %arg12: tensor<2x128xf32>):
        %12 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
        %13 = "stablehlo.dynamic_slice"(%arg10, %arg11, %12, %12) {slice_sizes = array<i64: 1, 128, 128>} : (tensor<4x128x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x128x128xf32>
        %14 = "stablehlo.reshape"(%13) : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
        %15 = "stablehlo.dot_general"(%arg12, %14) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xf32>, tensor<128x128xf32>) -> tensor<2x128xf32>
        "stablehlo.return"(%15) : (tensor<2x128xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind SLICED>} : (tensor<4x128x128xf32>, tensor<i32>, tensor<2x128xf32>) -> tensor<2x128xf32>
      %16 = "gantry.fusion"(%arg2, %5, %arg3, %11) ({
      ^bb0(%arg13: tensor<4x128x128xi8>, %arg14: tensor<i32>, %arg15: tensor<4x1x128xf32>, %arg16: tensor<2x128xf32>):
        %17 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
        %18 = "stablehlo.dynamic_slice"(%arg13, %arg14, %17, %17) {slice_sizes = array<i64: 1, 128, 128>} : (tensor<4x128x128xi8>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x128x128xi8>
        %19 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
        %20 = "stablehlo.dynamic_slice"(%arg15, %arg14, %19, %19) {slice_sizes = array<i64: 1, 1, 128>} : (tensor<4x1x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x128xf32>
        %21 = "gantry.fusion"(%18, %20, %arg16) ({
        ^bb0(%arg17: tensor<1x128x128xi8>, %arg18: tensor<1x1x128xf32>, %arg19: tensor<2x128xf32>):
          %22 = "stablehlo.reshape"(%arg17) : (tensor<1x128x128xi8>) -> tensor<128x128xi8>
          %23 = "stablehlo.convert"(%22) : (tensor<128x128xi8>) -> tensor<128x128xf32>
          %24 = "stablehlo.reshape"(%arg18) : (tensor<1x1x128xf32>) -> tensor<128xf32>
          %25 = "stablehlo.broadcast_in_dim"(%24) {broadcast_dimensions = array<i64: 1>} : (tensor<128xf32>) -> tensor<128x128xf32>
          %26 = "stablehlo.multiply"(%23, %25) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
          %27 = "stablehlo.dot_general"(%arg19, %26) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128xf32>, tensor<128x128xf32>) -> tensor<2x128xf32>
          "stablehlo.return"(%27) : (tensor<2x128xf32>) -> ()
        }) {fusion_kind = #stablehlo<fusion_kind THIN_DOT>} : (tensor<1x128x128xi8>, tensor<1x1x128xf32>, tensor<2x128xf32>) -> tensor<2x128xf32>
        "stablehlo.return"(%21) : (tensor<2x128xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind SLICED>} : (tensor<4x128x128xi8>, tensor<i32>, tensor<4x1x128xf32>, tensor<2x128xf32>) -> tensor<2x128xf32>
      %28 = "gantry.fusion"(%arg7) ({
      ^bb0(%arg20: tensor<i32>):
        %29 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %30 = "stablehlo.add"(%arg20, %29) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%30) : (tensor<i32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%28, %16) : (tensor<i32>, tensor<2x128xf32>) -> ()
    }) : (tensor<i32>, tensor<2x128xf32>) -> (tensor<i32>, tensor<2x128xf32>)
    "func.return"(%1#1) : (tensor<2x128xf32>) -> ()
  }
}
