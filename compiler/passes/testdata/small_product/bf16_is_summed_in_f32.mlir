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
      %1 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<90x2x2xf32>} : () -> tensor<90x2x2xf32>
      %2 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 90, 2, 1>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x2xbf16>) -> tensor<90x2x1xbf16>
      %3 = "stablehlo.reshape"(%2) : (tensor<90x2x1xbf16>) -> tensor<90x2xbf16>
      %4 = "stablehlo.convert"(%3) : (tensor<90x2xbf16>) -> tensor<90x2xf32>
      %5 = "stablehlo.broadcast_in_dim"(%4) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<90x2xf32>) -> tensor<90x2x2xf32>
      %6 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 90, 1, 2>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x2xbf16>) -> tensor<90x1x2xbf16>
      %7 = "stablehlo.reshape"(%6) : (tensor<90x1x2xbf16>) -> tensor<90x2xbf16>
      %8 = "stablehlo.convert"(%7) : (tensor<90x2xbf16>) -> tensor<90x2xf32>
      %9 = "stablehlo.broadcast_in_dim"(%8) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<90x2xf32>) -> tensor<90x2x2xf32>
      %10 = "stablehlo.multiply"(%5, %9) {contracts = true} : (tensor<90x2x2xf32>, tensor<90x2x2xf32>) -> tensor<90x2x2xf32>
      %11 = "stablehlo.add"(%1, %10) : (tensor<90x2x2xf32>, tensor<90x2x2xf32>) -> tensor<90x2x2xf32>
      %12 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 1>, limit_indices = array<i64: 90, 2, 2>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x2xbf16>) -> tensor<90x2x1xbf16>
      %13 = "stablehlo.reshape"(%12) : (tensor<90x2x1xbf16>) -> tensor<90x2xbf16>
      %14 = "stablehlo.convert"(%13) : (tensor<90x2xbf16>) -> tensor<90x2xf32>
      %15 = "stablehlo.broadcast_in_dim"(%14) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<90x2xf32>) -> tensor<90x2x2xf32>
      %16 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 90, 2, 2>, strides = array<i64: 1, 1, 1>} : (tensor<90x2x2xbf16>) -> tensor<90x1x2xbf16>
      %17 = "stablehlo.reshape"(%16) : (tensor<90x1x2xbf16>) -> tensor<90x2xbf16>
      %18 = "stablehlo.convert"(%17) : (tensor<90x2xbf16>) -> tensor<90x2xf32>
      %19 = "stablehlo.broadcast_in_dim"(%18) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<90x2xf32>) -> tensor<90x2x2xf32>
      %20 = "stablehlo.multiply"(%15, %19) {contracts = true} : (tensor<90x2x2xf32>, tensor<90x2x2xf32>) -> tensor<90x2x2xf32>
      %21 = "stablehlo.add"(%11, %20) : (tensor<90x2x2xf32>, tensor<90x2x2xf32>) -> tensor<90x2x2xf32>
      %22 = "stablehlo.convert"(%21) : (tensor<90x2x2xf32>) -> tensor<90x2x2xbf16>
      "stablehlo.return"(%22) : (tensor<90x2x2xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<90x2x2xbf16>) -> tensor<90x2x2xbf16>
    "func.return"(%0) : (tensor<90x2x2xbf16>) -> ()
  }
}
