// reduce_add_s32: stablehlo.reduce with add of s32 wraps around.
// input i32 2x2 0 ffffff7f0100000005000000faffffff
// input i32 scalar 0 00000000
// expect i32 2 0 00000080ffffffff
module {
func.func public @main(%a0: tensor<2x2xi32>, %a1: tensor<i32>) -> (tensor<2xi32>) {
  %r0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %z = "stablehlo.add"(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%z) : (tensor<i32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
  "func.return"(%r0) : (tensor<2xi32>) -> ()
}
}
