// run: fusion small_product
module @m {
  func.func public @main(%arg0: tensor<90x3x2xf32>, %arg1: tensor<90x2x3xf32>) -> (tensor<90x3x3xf32>) {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<90x3x2xf32>, tensor<90x2x3xf32>) -> tensor<90x3x3xf32>
    "func.return"(%0) : (tensor<90x3x3xf32>) -> ()
  }
}
// ----
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<90x3x2xf32>, %arg1: tensor<90x2x3xf32>) -> (tensor<90x3x3xf32>) {
    %0 = "gantry.fusion"(%arg0, %arg1) ({
    ^bb0(%arg2: tensor<90x3x2xf32>, %arg3: tensor<90x2x3xf32>):
      %1 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<90x3x3xf32>} : () -> tensor<90x3x3xf32>
      %2 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 90, 3, 1>, strides = array<i64: 1, 1, 1>} : (tensor<90x3x2xf32>) -> tensor<90x3x1xf32>
      %3 = "stablehlo.reshape"(%2) : (tensor<90x3x1xf32>) -> tensor<90x3xf32>
      %4 = "stablehlo.broadcast_in_dim"(%3) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<90x3xf32>) -> tensor<90x3x3xf32>
      %5 = "stablehlo.slice"(%arg3) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 90, 1, 3>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x3xf32>) -> tensor<90x1x3xf32>
      %6 = "stablehlo.reshape"(%5) : (tensor<90x1x3xf32>) -> tensor<90x3xf32>
      %7 = "stablehlo.broadcast_in_dim"(%6) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<90x3xf32>) -> tensor<90x3x3xf32>
      %8 = "stablehlo.multiply"(%4, %7) {contracts = true} : (tensor<90x3x3xf32>, tensor<90x3x3xf32>) -> tensor<90x3x3xf32>
      %9 = "stablehlo.add"(%1, %8) : (tensor<90x3x3xf32>, tensor<90x3x3xf32>) -> tensor<90x3x3xf32>
      %10 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 0, 1>, limit_indices = array<i64: 90, 3, 2>, strides = array<i64: 1, 1, 1>} : (tensor<90x3x2xf32>) -> tensor<90x3x1xf32>
      %11 = "stablehlo.reshape"(%10) : (tensor<90x3x1xf32>) -> tensor<90x3xf32>
      %12 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<90x3xf32>) -> tensor<90x3x3xf32>
      %13 = "stablehlo.slice"(%arg3) {start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 90, 2, 3>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x3xf32>) -> tensor<90x1x3xf32>
      %14 = "stablehlo.reshape"(%13) : (tensor<90x1x3xf32>) -> tensor<90x3xf32>
      %15 = "stablehlo.broadcast_in_dim"(%14) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<90x3xf32>) -> tensor<90x3x3xf32>
      %16 = "stablehlo.multiply"(%12, %15) {contracts = true} : (tensor<90x3x3xf32>, tensor<90x3x3xf32>) -> tensor<90x3x3xf32>
      %17 = "stablehlo.add"(%9, %16) : (tensor<90x3x3xf32>, tensor<90x3x3xf32>) -> tensor<90x3x3xf32>
      "stablehlo.return"(%17) : (tensor<90x3x3xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<90x3x2xf32>, tensor<90x2x3xf32>) -> tensor<90x3x3xf32>
    "func.return"(%0) : (tensor<90x3x3xf32>) -> ()
  }
}
