// run: simplify dce stacked_updates dce
module @m {
  func.func public @main(%arg0: tensor<9x4x3xf32>, %arg1: tensor<1x3xf32>, %arg2: tensor<i32>) -> (tensor<f32>, tensor<9x4x3xf32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<9x4x3xf32>
    %3:6 = stablehlo.while(%i = %0, %xs = %arg0, %part = %arg1, %place = %arg2, %sum = %1, %ys = %2) : tensor<i32>, tensor<9x4x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<f32>, tensor<9x4x3xf32>
    cond {
      %count = stablehlo.constant dense<9> : tensor<i32>
      %4 = stablehlo.compare LT, %i, %count, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %none = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %5 = stablehlo.dynamic_slice %xs, %i, %none, %none, sizes = [1, 4, 3] : (tensor<9x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x3xf32>
      %6 = stablehlo.reshape %5 : (tensor<1x4x3xf32>) -> tensor<4x3xf32>
      %7 = stablehlo.dynamic_update_slice %6, %part, %place, %none : (tensor<4x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>

      %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
      %9 = stablehlo.add %sum, %8 : tensor<f32>
      %10 = stablehlo.reshape %7 : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
      %11 = stablehlo.dynamic_update_slice %ys, %10, %i, %none, %none : (tensor<9x4x3xf32>, tensor<1x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x4x3xf32>
      %12 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %12, %xs, %part, %place, %9, %11 : tensor<i32>, tensor<9x4x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<f32>, tensor<9x4x3xf32>
    }
    return %3#4, %3#5 : tensor<f32>, tensor<9x4x3xf32>
  }
}
// ----
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x4x3xf32>, %arg1: tensor<1x3xf32>, %arg2: tensor<i32>) -> (tensor<f32>, tensor<9x4x3xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %2:3 = "stablehlo.while"(%0, %1, %arg0) ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<f32>, %arg5: tensor<9x4x3xf32>):
      %3 = "stablehlo.constant"() {value = dense<9> : tensor<i32>} : () -> tensor<i32>
      %4 = "stablehlo.compare"(%arg3, %3) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<f32>, %arg8: tensor<9x4x3xf32>):
      %5 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %6 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %7 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
      %8 = "stablehlo.reshape"(%arg1) : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
      %9 = "stablehlo.dynamic_update_slice"(%arg8, %8, %arg6, %arg2, %5) : (tensor<9x4x3xf32>, tensor<1x1x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x4x3xf32>
      %10 = "stablehlo.dynamic_slice"(%9, %arg6, %5, %5) {slice_sizes = array<i64: 1, 4, 3>} : (tensor<9x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x3xf32>
      %11 = "stablehlo.reshape"(%10) : (tensor<1x4x3xf32>) -> tensor<4x3xf32>
      %12 = "stablehlo.reduce"(%11, %7) ({
      ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
        %13 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%13) : (tensor<f32>) -> ()
      }) {dimensions = array<i64: 0, 1>} : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
      %14 = "stablehlo.add"(%arg7, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %15 = "stablehlo.add"(%arg6, %6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%15, %14, %9) : (tensor<i32>, tensor<f32>, tensor<9x4x3xf32>) -> ()
    }) : (tensor<i32>, tensor<f32>, tensor<9x4x3xf32>) -> (tensor<i32>, tensor<f32>, tensor<9x4x3xf32>)
    "func.return"(%2#1, %2#2) : (tensor<f32>, tensor<9x4x3xf32>) -> ()
  }
}
