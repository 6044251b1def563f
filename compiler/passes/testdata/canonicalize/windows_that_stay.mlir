// run: canonicalize
module @windows_that_stay {
  // Padding that would add to sums, a scan, long rows, windows that do not overlap, and each second row as a whole.
  func.func @main(%x: tensor<300x5xf32>, %y: tensor<4x20x20x3xf32>, %w: tensor<40x32xf32>) -> (tensor<300x5xf32>, tensor<300x5xf32>, tensor<40x32xf32>, tensor<4x10x10x3xf32>, tensor<4x9x9x3xf32>) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%x, %one) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>} : (tensor<300x5xf32>, tensor<f32>) -> tensor<300x5xf32>
    %1 = "stablehlo.reduce_window"(%x, %z) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>} : (tensor<300x5xf32>, tensor<f32>) -> tensor<300x5xf32>
    %2 = "stablehlo.reduce_window"(%w, %z) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>} : (tensor<40x32xf32>, tensor<f32>) -> tensor<40x32xf32>
    %3 = "stablehlo.reduce_window"(%y, %z) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<4x20x20x3xf32>, tensor<f32>) -> tensor<4x10x10x3xf32>
    %4 = "stablehlo.reduce_window"(%y, %z) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<4x20x20x3xf32>, tensor<f32>) -> tensor<4x9x9x3xf32>
    return %0, %1, %2, %3, %4 : tensor<300x5xf32>, tensor<300x5xf32>, tensor<40x32xf32>, tensor<4x10x10x3xf32>, tensor<4x9x9x3xf32>
  }
}
// ----
module @windows_that_stay attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<300x5xf32>, %arg1: tensor<4x20x20x3xf32>, %arg2: tensor<40x32xf32>) -> (tensor<300x5xf32>, tensor<300x5xf32>, tensor<40x32xf32>, tensor<4x10x10x3xf32>, tensor<4x9x9x3xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %3 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>} : (tensor<300x5xf32>, tensor<f32>) -> tensor<300x5xf32>
    %4 = "stablehlo.reduce_window"(%arg0, %0) ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %5 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>} : (tensor<300x5xf32>, tensor<f32>) -> tensor<300x5xf32>
    %6 = "stablehlo.reduce_window"(%arg2, %0) ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %7 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%7) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>} : (tensor<40x32xf32>, tensor<f32>) -> tensor<40x32xf32>
    %8 = "stablehlo.reduce_window"(%arg1, %0) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %9 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, base_dilations = array<i64: 1, 1, 1, 1>, window_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<4x20x20x3xf32>, tensor<f32>) -> tensor<4x10x10x3xf32>
    %10 = "stablehlo.reduce_window"(%arg1, %0) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %11 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, base_dilations = array<i64: 1, 1, 1, 1>, window_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<4x20x20x3xf32>, tensor<f32>) -> tensor<4x9x9x3xf32>
    "func.return"(%2, %4, %6, %8, %10) : (tensor<300x5xf32>, tensor<300x5xf32>, tensor<40x32xf32>, tensor<4x10x10x3xf32>, tensor<4x9x9x3xf32>) -> ()
  }
}
