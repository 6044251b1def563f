// run: fusion attention
func.func @main(%q: tensor<2x128x16xf32>, %k: tensor<2x128x16xf32>, %v: tensor<2x128x16xf32>) -> tensor<2x128x16xf32> {
  %scores = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x128x16xf32>, tensor<2x128x16xf32>) -> tensor<2x128x128xf32>
  %factor = stablehlo.constant dense<2.500000e-01> : tensor<2x128x128xf32>
  %part = stablehlo.multiply %scores, %factor : tensor<2x128x128xf32>
  %tanh = stablehlo.tanh %part : tensor<2x128x128xf32>
  %cap = stablehlo.constant dense<5.000000e+01> : tensor<2x128x128xf32>
  %scaled = stablehlo.multiply %tanh, %cap : tensor<2x128x128xf32>
  %rows = stablehlo.iota dim = 0 : tensor<128x128xi32>
  %columns = stablehlo.iota dim = 1 : tensor<128x128xi32>
  %seen = stablehlo.compare GE, %rows, %columns : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
  %mask = stablehlo.broadcast_in_dim %seen, dims = [1, 2] : (tensor<128x128xi1>) -> tensor<2x128x128xi1>
  %hidden = stablehlo.constant dense<-1.000000e+09> : tensor<2x128x128xf32>
  %s = stablehlo.select %mask, %scaled, %hidden : tensor<2x128x128xi1>, tensor<2x128x128xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %max = stablehlo.reduce(%s init: %lowest) applies stablehlo.maximum across dimensions = [2] : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<2x128xf32>
  %max_of_row = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<2x128xf32>) -> tensor<2x128x128xf32>
  %shifted = stablehlo.subtract %s, %max_of_row : tensor<2x128x128xf32>
  %e = stablehlo.exponential %shifted : tensor<2x128x128xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<2x128xf32>
  %sum_of_row = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x128xf32>) -> tensor<2x128x128xf32>
  %weights = stablehlo.divide %e, %sum_of_row : tensor<2x128x128xf32>
  %mixed = stablehlo.dot_general %weights, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x128x128xf32>, tensor<2x128x16xf32>) -> tensor<2x128x16xf32>
  return %mixed : tensor<2x128x16xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128x16xf32>, %arg1: tensor<2x128x16xf32>, %arg2: tensor<2x128x16xf32>) -> (tensor<2x128x16xf32>) {
    %0 = "gantry.fusion"() ({
      %1 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<128x128xi32>
      %2 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<128x128xi32>
      %3 = "stablehlo.compare"(%1, %2) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
      %4 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<128x128xi32>
      %5 = "stablehlo.constant"() {value = dense<0> : tensor<128x128xi32>} : () -> tensor<128x128xi32>
      %6 = "stablehlo.constant"() {value = dense<1> : tensor<128x128xi32>} : () -> tensor<128x128xi32>
      %7 = "stablehlo.add"(%4, %6) : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi32>
      %8 = "stablehlo.select"(%3, %7, %5) : (tensor<128x128xi1>, tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi32>
      %9 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %10 = "stablehlo.reduce"(%8, %9) ({
      ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
        %11 = "stablehlo.maximum"(%arg3, %arg4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%11) : (tensor<i32>) -> ()
      }) {dimensions = array<i64: 1>} : (tensor<128x128xi32>, tensor<i32>) -> tensor<128xi32>
      "stablehlo.return"(%10) : (tensor<128xi32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : () -> tensor<128xi32>
    %12 = "gantry.fusion"(%arg0, %arg1, %0, %arg2) ({
    ^bb0(%arg5: tensor<2x128x16xf32>, %arg6: tensor<2x128x16xf32>, %arg7: tensor<128xi32>, %arg8: tensor<2x128x16xf32>):
      %13 = "stablehlo.dot_general"(%arg5, %arg6) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128x16xf32>, tensor<2x128x16xf32>) -> tensor<2x128x128xf32>
      %14 = "gantry.fusion"(%13, %arg7) ({
      ^bb0(%arg9: tensor<2x128x128xf32>, %arg10: tensor<128xi32>):
        %15 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<2x128x128xf32>} : () -> tensor<2x128x128xf32>
        %16 = "stablehlo.constant"() {value = dense<5.000000e+01> : tensor<2x128x128xf32>} : () -> tensor<2x128x128xf32>
        %17 = "stablehlo.constant"() {value = dense<-1.000000e+09> : tensor<2x128x128xf32>} : () -> tensor<2x128x128xf32>
        %18 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
        %19 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
        %20 = "stablehlo.multiply"(%arg9, %15) : (tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
        %21 = "stablehlo.tanh"(%20) : (tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
        %22 = "stablehlo.multiply"(%21, %16) : (tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
        %23 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<128x128xi32>
        %24 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<128x128xi32>
        %25 = "stablehlo.compare"(%23, %24) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
        %26 = "stablehlo.broadcast_in_dim"(%25) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<128x128xi1>) -> tensor<2x128x128xi1>
        %27 = "stablehlo.select"(%26, %22, %17) : (tensor<2x128x128xi1>, tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
        %28 = "stablehlo.reduce"(%27, %18) ({
        ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
          %29 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%29) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 2>} : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<2x128xf32>
        %30 = "stablehlo.broadcast_in_dim"(%28) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x128xf32>) -> tensor<2x128x128xf32>
        %31 = "stablehlo.subtract"(%27, %30) : (tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
        %32 = "stablehlo.exponential"(%31) : (tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
        %33 = "stablehlo.reduce"(%32, %19) ({
        ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
          %34 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%34) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 2>} : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<2x128xf32>
        %35 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x128xf32>} : () -> tensor<2x128xf32>
        %36 = "stablehlo.divide"(%35, %33) : (tensor<2x128xf32>, tensor<2x128xf32>) -> tensor<2x128xf32>
        %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x128xf32>) -> tensor<2x128x128xf32>
        %38 = "stablehlo.multiply"(%32, %37) : (tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
        "stablehlo.return"(%38) : (tensor<2x128x128xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind ROWS>} : (tensor<2x128x128xf32>, tensor<128xi32>) -> tensor<2x128x128xf32>
      %39 = "stablehlo.dot_general"(%14, %arg8) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128x128xf32>, tensor<2x128x16xf32>) -> tensor<2x128x16xf32>
      "stablehlo.return"(%39) : (tensor<2x128x16xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind ATTENTION>} : (tensor<2x128x16xf32>, tensor<2x128x16xf32>, tensor<128xi32>, tensor<2x128x16xf32>) -> tensor<2x128x16xf32>
    "func.return"(%12) : (tensor<2x128x16xf32>) -> ()
  }
}
