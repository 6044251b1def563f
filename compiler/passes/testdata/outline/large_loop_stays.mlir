// run: fusion outline
func.func @main(%n: tensor<i32>, %x: tensor<1000000xf32>) -> tensor<1000000xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<1000000xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.sine %v : tensor<1000000xf32>
    stablehlo.return %j, %a : tensor<i32>, tensor<1000000xf32>
  }
  return %r#1 : tensor<1000000xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<1000000xf32>) -> (tensor<1000000xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1:2 = "stablehlo.while"(%0, %arg1) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<1000000xf32>):
      %2 = "gantry.fusion"(%arg2, %arg0) ({
      ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
        %3 = "stablehlo.compare"(%arg4, %arg5) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%3) : (tensor<i1>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<1000000xf32>):
      %4 = "gantry.fusion"(%arg6) ({
      ^bb0(%arg8: tensor<i32>):
        %5 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
        %6 = "stablehlo.add"(%arg8, %5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%6) : (tensor<i32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<i32>) -> tensor<i32>
      %7 = "gantry.fusion"(%arg7) ({
      ^bb0(%arg9: tensor<1000000xf32>):
        %8 = "stablehlo.sine"(%arg9) : (tensor<1000000xf32>) -> tensor<1000000xf32>
        "stablehlo.return"(%8) : (tensor<1000000xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<1000000xf32>) -> tensor<1000000xf32>
      "stablehlo.return"(%4, %7) : (tensor<i32>, tensor<1000000xf32>) -> ()
    }) : (tensor<i32>, tensor<1000000xf32>) -> (tensor<i32>, tensor<1000000xf32>)
    "func.return"(%1#1) : (tensor<1000000xf32>) -> ()
  }
}
