// run: layout fusion attention
func.func @main(%q: tensor<2x3x128x16xf32>, %k: tensor<128x2x16xf32>, %v: tensor<128x2x16xf32>, %seen: tensor<128x128xi1>) -> tensor<128x2x3x16xf32> {
  %s0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [1], contracting_dims = [3] x [2] : (tensor<2x3x128x16xf32>, tensor<128x2x16xf32>) -> tensor<2x3x128x128xf32>
  %factor = stablehlo.constant dense<2.500000e-01> : tensor<2x3x128x128xf32>
  %scaled = stablehlo.multiply %s0, %factor : tensor<2x3x128x128xf32>
  %mask = stablehlo.broadcast_in_dim %seen, dims = [2, 3] : (tensor<128x128xi1>) -> tensor<2x3x128x128xi1>
  %hidden = stablehlo.constant dense<-1.000000e+09> : tensor<2x3x128x128xf32>
  %s = stablehlo.select %mask, %scaled, %hidden : tensor<2x3x128x128xi1>, tensor<2x3x128x128xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %max = stablehlo.reduce(%s init: %lowest) applies stablehlo.maximum across dimensions = [3] : (tensor<2x3x128x128xf32>, tensor<f32>) -> tensor<2x3x128xf32>
  %max_of_row = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x3x128xf32>) -> tensor<2x3x128x128xf32>
  %shifted = stablehlo.subtract %s, %max_of_row : tensor<2x3x128x128xf32>
  %e = stablehlo.exponential %shifted : tensor<2x3x128x128xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x3x128x128xf32>, tensor<f32>) -> tensor<2x3x128xf32>
  %sum_of_row = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x3x128xf32>) -> tensor<2x3x128x128xf32>
  %weights = stablehlo.divide %e, %sum_of_row : tensor<2x3x128x128xf32>
  %mixed = stablehlo.dot_general %v, %weights, batching_dims = [1] x [0], contracting_dims = [0] x [3] : (tensor<128x2x16xf32>, tensor<2x3x128x128xf32>) -> tensor<2x16x3x128xf32>
  %result = stablehlo.transpose %mixed, dims = [3, 0, 2, 1] : (tensor<2x16x3x128xf32>) -> tensor<128x2x3x16xf32>
  return %result : tensor<128x2x3x16xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x128x16xf32>, %arg1: tensor<128x2x16xf32>, %arg2: tensor<128x2x16xf32>, %arg3: tensor<128x128xi1>) -> (tensor<128x2x3x16xf32>) {
    %0 = "gantry.fusion"(%arg3) ({
    ^bb0(%arg4: tensor<128x128xi1>):
      %1 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<128x128xi32>
      %2 = "stablehlo.constant"() {value = dense<0> : tensor<128x128xi32>} : () -> tensor<128x128xi32>
      %3 = "stablehlo.constant"() {value = dense<1> : tensor<128x128xi32>} : () -> tensor<128x128xi32>
      %4 = "stablehlo.add"(%1, %3) : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi32>
      %5 = "stablehlo.select"(%arg4, %4, %2) : (tensor<128x128xi1>, tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi32>
      %6 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %7 = "stablehlo.reduce"(%5, %6) ({
      ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
        %8 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%8) : (tensor<i32>) -> ()
      }) {dimensions = array<i64: 1>} : (tensor<128x128xi32>, tensor<i32>) -> tensor<128xi32>
      "stablehlo.return"(%7) : (tensor<128xi32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<128x128xi1>) -> tensor<128xi32>
    %9 = "gantry.fusion"(%arg0, %arg1, %arg3, %0, %arg2) ({
    ^bb0(%arg7: tensor<2x3x128x16xf32>, %arg8: tensor<128x2x16xf32>, %arg9: tensor<128x128xi1>, %arg10: tensor<128xi32>, %arg11: tensor<128x2x16xf32>):
      %10 = "stablehlo.dot_general"(%arg7, %arg8) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x128x16xf32>, tensor<128x2x16xf32>) -> tensor<2x3x128x128xf32>
      %11 = "gantry.fusion"(%10, %arg9, %arg10) ({
      ^bb0(%arg12: tensor<2x3x128x128xf32>, %arg13: tensor<128x128xi1>, %arg14: tensor<128xi32>):
        %12 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<2x3x128x128xf32>} : () -> tensor<2x3x128x128xf32>
        %13 = "stablehlo.constant"() {value = dense<-1.000000e+09> : tensor<2x3x128x128xf32>} : () -> tensor<2x3x128x128xf32>
        %14 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
        %15 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
        %16 = "stablehlo.multiply"(%arg12, %12) : (tensor<2x3x128x128xf32>, tensor<2x3x128x128xf32>) -> tensor<2x3x128x128xf32>
        %17 = "stablehlo.broadcast_in_dim"(%arg13) {broadcast_dimensions = array<i64: 2, 3>} : (tensor<128x128xi1>) -> tensor<2x3x128x128xi1>
        %18 = "stablehlo.select"(%17, %16, %13) : (tensor<2x3x128x128xi1>, tensor<2x3x128x128xf32>, tensor<2x3x128x128xf32>) -> tensor<2x3x128x128xf32>
        %19 = "stablehlo.reduce"(%18, %14) ({
        ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
          %20 = "stablehlo.maximum"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%20) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 3>} : (tensor<2x3x128x128xf32>, tensor<f32>) -> tensor<2x3x128xf32>
        %21 = "stablehlo.broadcast_in_dim"(%19) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<2x3x128xf32>) -> tensor<2x3x128x128xf32>
        %22 = "stablehlo.subtract"(%18, %21) : (tensor<2x3x128x128xf32>, tensor<2x3x128x128xf32>) -> tensor<2x3x128x128xf32>
        %23 = "stablehlo.exponential"(%22) : (tensor<2x3x128x128xf32>) -> tensor<2x3x128x128xf32>
        %24 = "stablehlo.reduce"(%23, %15) ({
        ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
          %25 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%25) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 3>} : (tensor<2x3x128x128xf32>, tensor<f32>) -> tensor<2x3x128xf32>
        %26 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x3x128xf32>} : () -> tensor<2x3x128xf32>
        %27 = "stablehlo.divide"(%26, %24) : (tensor<2x3x128xf32>, tensor<2x3x128xf32>) -> tensor<2x3x128xf32>
        %28 = "stablehlo.broadcast_in_dim"(%27) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<2x3x128xf32>) -> tensor<2x3x128x128xf32>
        %29 = "stablehlo.multiply"(%23, %28) : (tensor<2x3x128x128xf32>, tensor<2x3x128x128xf32>) -> tensor<2x3x128x128xf32>
        "stablehlo.return"(%29) : (tensor<2x3x128x128xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind ROWS>} : (tensor<2x3x128x128xf32>, tensor<128x128xi1>, tensor<128xi32>) -> tensor<2x3x128x128xf32>
      %30 = "gantry.fusion"(%arg11, %11) ({
      ^bb0(%arg19: tensor<128x2x16xf32>, %arg20: tensor<2x3x128x128xf32>):
        %31 = "stablehlo.dot_general"(%arg19, %arg20) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<128x2x16xf32>, tensor<2x3x128x128xf32>) -> tensor<2x16x3x128xf32>
        %32 = "stablehlo.transpose"(%31) {permutation = array<i64: 3, 0, 2, 1>} : (tensor<2x16x3x128xf32>) -> tensor<128x2x3x16xf32>
        "stablehlo.return"(%32) : (tensor<128x2x3x16xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind DOT>} : (tensor<128x2x16xf32>, tensor<2x3x128x128xf32>) -> tensor<128x2x3x16xf32>
      "stablehlo.return"(%30) : (tensor<128x2x3x16xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind ATTENTION>} : (tensor<2x3x128x16xf32>, tensor<128x2x16xf32>, tensor<128x128xi1>, tensor<128xi32>, tensor<128x2x16xf32>) -> tensor<128x2x3x16xf32>
    "func.return"(%9) : (tensor<128x2x3x16xf32>) -> ()
  }
}
