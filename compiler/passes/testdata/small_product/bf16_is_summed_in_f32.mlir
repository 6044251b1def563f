// run: fusion small_product
func.func @main(%a: tensor<90x2x2xbf16>) -> tensor<90x2x2xbf16> {
  %0 = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<90x2x2xbf16>, tensor<90x2x2xbf16>) -> tensor<90x2x2xbf16>
  return %0 : tensor<90x2x2xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<90x2x2xbf16>) -> (tensor<90x2x2xbf16>) {
    %0 = "gantry.fusion"(%arg0) ({
    ^bb0(%arg1: tensor<90x2x2xbf16>):
      %1 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 90, 2, 1>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x2xbf16>) -> tensor<90x2x1xbf16>
      %2 = "stablehlo.reshape"(%1) : (tensor<90x2x1xbf16>) -> tensor<90x2xbf16>
      %3 = "stablehlo.convert"(%2) : (tensor<90x2xbf16>) -> tensor<90x2xf32>
      %4 = "stablehlo.broadcast_in_dim"(%3) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<90x2xf32>) -> tensor<90x2x2xf32>
      %5 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 90, 1, 2>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x2xbf16>) -> tensor<90x1x2xbf16>
      %6 = "stablehlo.reshape"(%5) : (tensor<90x1x2xbf16>) -> tensor<90x2xbf16>
      %7 = "stablehlo.convert"(%6) : (tensor<90x2xbf16>) -> tensor<90x2xf32>
      %8 = "stablehlo.broadcast_in_dim"(%7) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<90x2xf32>) -> tensor<90x2x2xf32>
      %9 = "stablehlo.multiply"(%4, %8) {contracts = true} : (tensor<90x2x2xf32>, tensor<90x2x2xf32>) -> tensor<90x2x2xf32>
      %10 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 1>, limit_indices = array<i64: 90, 2, 2>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x2xbf16>) -> tensor<90x2x1xbf16>
      %11 = "stablehlo.reshape"(%10) : (tensor<90x2x1xbf16>) -> tensor<90x2xbf16>
      %12 = "stablehlo.convert"(%11) : (tensor<90x2xbf16>) -> tensor<90x2xf32>
      %13 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<90x2xf32>) -> tensor<90x2x2xf32>
      %14 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 90, 2, 2>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x2xbf16>) -> tensor<90x1x2xbf16>
      %15 = "stablehlo.reshape"(%14) : (tensor<90x1x2xbf16>) -> tensor<90x2xbf16>
      %16 = "stablehlo.convert"(%15) : (tensor<90x2xbf16>) -> tensor<90x2xf32>
      %17 = "stablehlo.broadcast_in_dim"(%16) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<90x2xf32>) -> tensor<90x2x2xf32>
      %18 = "stablehlo.multiply"(%13, %17) {contracts = true} : (tensor<90x2x2xf32>, tensor<90x2x2xf32>) -> tensor<90x2x2xf32>
      %19 = "stablehlo.add"(%9, %18) : (tensor<90x2x2xf32>, tensor<90x2x2xf32>) -> tensor<90x2x2xf32>
      %20 = "stablehlo.convert"(%19) : (tensor<90x2x2xf32>) -> tensor<90x2x2xbf16>
      "stablehlo.return"(%20) : (tensor<90x2x2xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<90x2x2xbf16>) -> tensor<90x2x2xbf16>
    "func.return"(%0) : (tensor<90x2x2xbf16>) -> ()
  }
}
