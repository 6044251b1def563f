// run: canonicalize
module @windows_over_short_rows_are_slices {
  // A sum in the order of the elements, a maximum with any initial value, strides along rows.
  func.func @main(%x: tensor<300x5xf32>, %y: tensor<4x20x20x3xf32>, %w: tensor<40x9x9xf32>) -> (tensor<300x5xf32>, tensor<4x20x20x3xf32>, tensor<40x4x4xf32>) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%x, %z) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>} : (tensor<300x5xf32>, tensor<f32>) -> tensor<300x5xf32>
    %1 = "stablehlo.reduce_window"(%y, %one) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 0], [0, 1], [0, 0]]> : tensor<4x2xi64>} : (tensor<4x20x20x3xf32>, tensor<f32>) -> tensor<4x20x20x3xf32>
    %2 = "stablehlo.reduce_window"(%w, %z) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.minimum %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 1, 3, 3>, window_strides = array<i64: 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>} : (tensor<40x9x9xf32>, tensor<f32>) -> tensor<40x4x4xf32>
    return %0, %1, %2 : tensor<300x5xf32>, tensor<4x20x20x3xf32>, tensor<40x4x4xf32>
  }
}
// ----
module @windows_over_short_rows_are_slices attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<300x5xf32>, %arg1: tensor<4x20x20x3xf32>, %arg2: tensor<40x9x9xf32>) -> (tensor<300x5xf32>, tensor<4x20x20x3xf32>, tensor<40x4x4xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1>, edge_padding_high = array<i64: 0, 1>, interior_padding = array<i64: 0, 0>} : (tensor<300x5xf32>, tensor<f32>) -> tensor<300x7xf32>
    %3 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<300x5xf32>
    %4 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 300, 5>, strides = array<i64: 1, 1>} : (tensor<300x7xf32>) -> tensor<300x5xf32>
    %5 = "stablehlo.add"(%3, %4) : (tensor<300x5xf32>, tensor<300x5xf32>) -> tensor<300x5xf32>
    %6 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 300, 6>, strides = array<i64: 1, 1>} : (tensor<300x7xf32>) -> tensor<300x5xf32>
    %7 = "stablehlo.add"(%5, %6) : (tensor<300x5xf32>, tensor<300x5xf32>) -> tensor<300x5xf32>
    %8 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 300, 7>, strides = array<i64: 1, 1>} : (tensor<300x7xf32>) -> tensor<300x5xf32>
    %9 = "stablehlo.add"(%7, %8) : (tensor<300x5xf32>, tensor<300x5xf32>) -> tensor<300x5xf32>
    %10 = "stablehlo.pad"(%arg1, %1) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<4x20x20x3xf32>, tensor<f32>) -> tensor<4x21x21x3xf32>
    %11 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<4x20x20x3xf32>
    %12 = "stablehlo.slice"(%10) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 4, 20, 20, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<4x21x21x3xf32>) -> tensor<4x20x20x3xf32>
    %13 = "stablehlo.maximum"(%11, %12) : (tensor<4x20x20x3xf32>, tensor<4x20x20x3xf32>) -> tensor<4x20x20x3xf32>
    %14 = "stablehlo.slice"(%10) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 4, 20, 21, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<4x21x21x3xf32>) -> tensor<4x20x20x3xf32>
    %15 = "stablehlo.maximum"(%13, %14) : (tensor<4x20x20x3xf32>, tensor<4x20x20x3xf32>) -> tensor<4x20x20x3xf32>
    %16 = "stablehlo.slice"(%10) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 4, 21, 20, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<4x21x21x3xf32>) -> tensor<4x20x20x3xf32>
    %17 = "stablehlo.maximum"(%15, %16) : (tensor<4x20x20x3xf32>, tensor<4x20x20x3xf32>) -> tensor<4x20x20x3xf32>
    %18 = "stablehlo.slice"(%10) {start_indices = array<i64: 0, 1, 1, 0>, limit_indices = array<i64: 4, 21, 21, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<4x21x21x3xf32>) -> tensor<4x20x20x3xf32>
    %19 = "stablehlo.maximum"(%17, %18) : (tensor<4x20x20x3xf32>, tensor<4x20x20x3xf32>) -> tensor<4x20x20x3xf32>
    %20 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<40x4x4xf32>
    %21 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 40, 7, 7>, strides = array<i64: 1, 2, 2>} : (tensor<40x9x9xf32>) -> tensor<40x4x4xf32>
    %22 = "stablehlo.minimum"(%20, %21) : (tensor<40x4x4xf32>, tensor<40x4x4xf32>) -> tensor<40x4x4xf32>
    %23 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 0, 1>, limit_indices = array<i64: 40, 7, 8>, strides = array<i64: 1, 2, 2>} : (tensor<40x9x9xf32>) -> tensor<40x4x4xf32>
    %24 = "stablehlo.minimum"(%22, %23) : (tensor<40x4x4xf32>, tensor<40x4x4xf32>) -> tensor<40x4x4xf32>
    %25 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 0, 2>, limit_indices = array<i64: 40, 7, 9>, strides = array<i64: 1, 2, 2>} : (tensor<40x9x9xf32>) -> tensor<40x4x4xf32>
    %26 = "stablehlo.minimum"(%24, %25) : (tensor<40x4x4xf32>, tensor<40x4x4xf32>) -> tensor<40x4x4xf32>
    %27 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 40, 8, 7>, strides = array<i64: 1, 2, 2>} : (tensor<40x9x9xf32>) -> tensor<40x4x4xf32>
    %28 = "stablehlo.minimum"(%26, %27) : (tensor<40x4x4xf32>, tensor<40x4x4xf32>) -> tensor<40x4x4xf32>
    %29 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 1, 1>, limit_indices = array<i64: 40, 8, 8>, strides = array<i64: 1, 2, 2>} : (tensor<40x9x9xf32>) -> tensor<40x4x4xf32>
    %30 = "stablehlo.minimum"(%28, %29) : (tensor<40x4x4xf32>, tensor<40x4x4xf32>) -> tensor<40x4x4xf32>
    %31 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 1, 2>, limit_indices = array<i64: 40, 8, 9>, strides = array<i64: 1, 2, 2>} : (tensor<40x9x9xf32>) -> tensor<40x4x4xf32>
    %32 = "stablehlo.minimum"(%30, %31) : (tensor<40x4x4xf32>, tensor<40x4x4xf32>) -> tensor<40x4x4xf32>
    %33 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 2, 0>, limit_indices = array<i64: 40, 9, 7>, strides = array<i64: 1, 2, 2>} : (tensor<40x9x9xf32>) -> tensor<40x4x4xf32>
    %34 = "stablehlo.minimum"(%32, %33) : (tensor<40x4x4xf32>, tensor<40x4x4xf32>) -> tensor<40x4x4xf32>
    %35 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 2, 1>, limit_indices = array<i64: 40, 9, 8>, strides = array<i64: 1, 2, 2>} : (tensor<40x9x9xf32>) -> tensor<40x4x4xf32>
    %36 = "stablehlo.minimum"(%34, %35) : (tensor<40x4x4xf32>, tensor<40x4x4xf32>) -> tensor<40x4x4xf32>
    %37 = "stablehlo.slice"(%arg2) {start_indices = array<i64: 0, 2, 2>, limit_indices = array<i64: 40, 9, 9>, strides = array<i64: 1, 2, 2>} : (tensor<40x9x9xf32>) -> tensor<40x4x4xf32>
    %38 = "stablehlo.minimum"(%36, %37) : (tensor<40x4x4xf32>, tensor<40x4x4xf32>) -> tensor<40x4x4xf32>
    "func.return"(%9, %19, %38) : (tensor<300x5xf32>, tensor<4x20x20x3xf32>, tensor<40x4x4xf32>) -> ()
  }
}
