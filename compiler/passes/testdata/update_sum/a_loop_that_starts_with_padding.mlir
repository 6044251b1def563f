// run: update_sum dce
func.func @main(%x: tensor<64x8xf32>, %k: tensor<i32>) -> tensor<64x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<64> : tensor<i32>
  %fill = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0.0> : tensor<64x8xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<2x8xf32>
  %start = stablehlo.pad %ones, %fill, low = [62, 0], high = [0, 0], interior = [0, 0] : (tensor<2x8xf32>, tensor<f32>) -> tensor<64x8xf32>
  %r:2 = stablehlo.while(%i = %zero, %a = %start) : tensor<i32>, tensor<64x8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 8] : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %u = stablehlo.dynamic_update_slice %none, %s, %i, %zero : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>
    %b = "stablehlo.case"(%k) ({
      stablehlo.return %a : tensor<64x8xf32>
    }, {
      %d = stablehlo.dynamic_update_slice %a, %s, %zero, %zero : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>
      %e = stablehlo.abs %d : tensor<64x8xf32>
      stablehlo.return %e : tensor<64x8xf32>
    }) : (tensor<i32>) -> tensor<64x8xf32>
    %n = stablehlo.add %b, %u : tensor<64x8xf32>
    stablehlo.return %j, %n : tensor<i32>, tensor<64x8xf32>
  }
  return %r#1 : tensor<64x8xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x8xf32>, %arg1: tensor<i32>) -> (tensor<64x8xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %2 = "stablehlo.constant"() {value = dense<64> : tensor<i32>} : () -> tensor<i32>
    %3 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %4 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x8xf32>} : () -> tensor<2x8xf32>
    %5 = "stablehlo.pad"(%4, %3) {edge_padding_low = array<i64: 62, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<64x8xf32>
    %6:2 = "stablehlo.while"(%0, %5) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<64x8xf32>):
      %7 = "stablehlo.compare"(%arg2, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%7) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<64x8xf32>):
      %8 = "stablehlo.add"(%arg4, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %9 = "stablehlo.dynamic_slice"(%arg0, %arg4, %0) {slice_sizes = array<i64: 1, 8>} : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %10 = "stablehlo.case"(%arg1) ({
        "stablehlo.return"(%arg5) : (tensor<64x8xf32>) -> ()
      }, {
        %11 = "stablehlo.dynamic_update_slice"(%arg5, %9, %0, %0) : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>
        %12 = "stablehlo.abs"(%11) : (tensor<64x8xf32>) -> tensor<64x8xf32>
        "stablehlo.return"(%12) : (tensor<64x8xf32>) -> ()
      }) : (tensor<i32>) -> tensor<64x8xf32>
      %13 = "stablehlo.dynamic_slice"(%10, %arg4, %0) {slice_sizes = array<i64: 1, 8>} : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %14 = "stablehlo.add"(%13, %9) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
      %15 = "stablehlo.dynamic_update_slice"(%10, %14, %arg4, %0) : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>
      "stablehlo.return"(%8, %15) : (tensor<i32>, tensor<64x8xf32>) -> ()
    }) : (tensor<i32>, tensor<64x8xf32>) -> (tensor<i32>, tensor<64x8xf32>)
    "func.return"(%6#1) : (tensor<64x8xf32>) -> ()
  }
}
