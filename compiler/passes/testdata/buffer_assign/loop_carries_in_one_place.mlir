// run: fusion buffer_assign
func.func @main(%n: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.sine %v : tensor<2xf32>
    stablehlo.return %j, %a : tensor<i32>, tensor<2xf32>
  }
  return %r#1 : tensor<2xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "gantry.copy"(%0) : (tensor<i32>) -> tensor<i32>
    %2 = "gantry.copy"(%arg1) : (tensor<2xf32>) -> tensor<2xf32>
    %3:2 = "stablehlo.while"(%1, %2) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<2xf32>):
      %4 = "gantry.fusion"(%arg2, %arg0) ({
      ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
        %5 = "stablehlo.compare"(%arg4, %arg5) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%5) : (tensor<i1>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<2xf32>):
      %6 = "gantry.fusion"(%arg6) ({
      ^bb0(%arg8: tensor<i32>):
        %7 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %8 = "stablehlo.add"(%arg8, %7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%8) : (tensor<i32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
      %9 = "gantry.fusion"(%arg7) ({
      ^bb0(%arg9: tensor<2xf32>):
        %10 = "stablehlo.sine"(%arg9) : (tensor<2xf32>) -> tensor<2xf32>
        "stablehlo.return"(%10) : (tensor<2xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<2xf32>) -> tensor<2xf32>
      %11 = "gantry.copy"(%6) : (tensor<i32>) -> tensor<i32>
      %12 = "gantry.copy"(%9) : (tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%11, %12) : (tensor<i32>, tensor<2xf32>) -> ()
    }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
    %13 = "gantry.copy"(%3#1) : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%13) : (tensor<2xf32>) -> ()
  }
}
// argument 0: parameter 0 [0, 4)
// argument 1: parameter 1 [0, 8)
// operation 0: constants [0, 4)
// operation 1: temp [0, 4)
// operation 2: result 0 [0, 8)
// operation 3: temp [0, 4)
// operation 3: result 0 [0, 8)
// operation 4: result 0 [0, 8)
// temp: 128 bytes
