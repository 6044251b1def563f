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
      %1 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 90, 3, 1>, strides = array<i64: 1, 1, 1>} : (tensor<90x3x2xf32>) -> tensor<90x3x1xf32>
      %2 = "stablehlo.reshape"(%1) : (tensor<90x3x1xf32>) -> tensor<90x3xf32>
      %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<90x3xf32>) -> tensor<90x3x3xf32>
      %4 = "stablehlo.slice"(%arg3) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 90, 1, 3>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x3xf32>) -> tensor<90x1x3xf32>
      %5 = "stablehlo.reshape"(%4) : (tensor<90x1x3xf32>) -> tensor<90x3xf32>
      %6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<90x3xf32>) -> tensor<90x3x3xf32>
      %7 = "stablehlo.multiply"(%3, %6) {contracts = true} : (tensor<90x3x3xf32>, tensor<90x3x3xf32>) -> tensor<90x3x3xf32>
      %8 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 0, 1>, limit_indices = array<i64: 90, 3, 2>, strides = array<i64: 1, 1, 1>} : (tensor<90x3x2xf32>) -> tensor<90x3x1xf32>
      %9 = "stablehlo.reshape"(%8) : (tensor<90x3x1xf32>) -> tensor<90x3xf32>
      %10 = "stablehlo.broadcast_in_dim"(%9) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<90x3xf32>) -> tensor<90x3x3xf32>
      %11 = "stablehlo.slice"(%arg3) {start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 90, 2, 3>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x3xf32>) -> tensor<90x1x3xf32>
      %12 = "stablehlo.reshape"(%11) : (tensor<90x1x3xf32>) -> tensor<90x3xf32>
      %13 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<90x3xf32>) -> tensor<90x3x3xf32>
      %14 = "stablehlo.multiply"(%10, %13) {contracts = true} : (tensor<90x3x3xf32>, tensor<90x3x3xf32>) -> tensor<90x3x3xf32>
      %15 = "stablehlo.add"(%7, %14) : (tensor<90x3x3xf32>, tensor<90x3x3xf32>) -> tensor<90x3x3xf32>
      "stablehlo.return"(%15) : (tensor<90x3x3xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<90x3x2xf32>, tensor<90x2x3xf32>) -> tensor<90x3x3xf32>
    "func.return"(%0) : (tensor<90x3x3xf32>) -> ()
  }
}
