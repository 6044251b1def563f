// run: fusion attention
func.func @main(%q: tensor<2x128x16xf32>, %k: tensor<2x128x16xf32>, %v: tensor<2x128x16xf32>) -> (tensor<2x128x16xf32>, tensor<2x128x128xf32>) {
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
  return %mixed, %tanh : tensor<2x128x16xf32>, tensor<2x128x128xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128x16xf32>, %arg1: tensor<2x128x16xf32>, %arg2: tensor<2x128x16xf32>) -> (tensor<2x128x16xf32>, tensor<2x128x128xf32>) {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128x16xf32>, tensor<2x128x16xf32>) -> tensor<2x128x128xf32>
    %1 = "gantry.fusion"(%0) ({
    ^bb0(%arg3: tensor<2x128x128xf32>):
      %2 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<2x128x128xf32>} : () -> tensor<2x128x128xf32>
      %3 = "stablehlo.multiply"(%arg3, %2) : (tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
      %4 = "stablehlo.tanh"(%3) : (tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
      "stablehlo.return"(%4) : (tensor<2x128x128xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
    %5 = "gantry.fusion"(%1) ({
    ^bb0(%arg4: tensor<2x128x128xf32>):
      %6 = "stablehlo.constant"() {value = dense<5.000000e+01> : tensor<2x128x128xf32>} : () -> tensor<2x128x128xf32>
      %7 = "stablehlo.constant"() {value = dense<-1.000000e+09> : tensor<2x128x128xf32>} : () -> tensor<2x128x128xf32>
      %8 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
      %9 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
      %10 = "stablehlo.multiply"(%arg4, %6) : (tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
      %11 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<128x128xi32>
      %12 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<128x128xi32>
      %13 = "stablehlo.compare"(%11, %12) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
      %14 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<128x128xi1>) -> tensor<2x128x128xi1>
      %15 = "stablehlo.select"(%14, %10, %7) : (tensor<2x128x128xi1>, tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
      %16 = "stablehlo.reduce"(%15, %8) ({
      ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
        %17 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%17) : (tensor<f32>) -> ()
      }) {dimensions = array<i64: 2>} : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<2x128xf32>
      %18 = "stablehlo.broadcast_in_dim"(%16) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x128xf32>) -> tensor<2x128x128xf32>
      %19 = "stablehlo.subtract"(%15, %18) : (tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
      %20 = "stablehlo.exponential"(%19) : (tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
      %21 = "stablehlo.reduce"(%20, %9) ({
      ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
        %22 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%22) : (tensor<f32>) -> ()
      }) {dimensions = array<i64: 2>} : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<2x128xf32>
      %23 = "stablehlo.broadcast_in_dim"(%21) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x128xf32>) -> tensor<2x128x128xf32>
      %24 = "stablehlo.divide"(%20, %23) : (tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
      "stablehlo.return"(%24) : (tensor<2x128x128xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
    %25 = "stablehlo.dot_general"(%5, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x128x128xf32>, tensor<2x128x16xf32>) -> tensor<2x128x16xf32>
    "func.return"(%25, %1) : (tensor<2x128x16xf32>, tensor<2x128x128xf32>) -> ()
  }
}
