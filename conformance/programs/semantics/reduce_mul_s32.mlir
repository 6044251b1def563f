// reduce_mul_s32: stablehlo.reduce with multiply of s32 is exact modulo 2^32.
// input i32 3 0 03000000fbffffff07000000
// input i32 scalar 0 02000000
// expect i32 scalar 0 2effffff
module {
func.func public @main(%a0: tensor<3xi32>, %a1: tensor<i32>) -> (tensor<i32>) {
  %r0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %z = "stablehlo.multiply"(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%z) : (tensor<i32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  "func.return"(%r0) : (tensor<i32>) -> ()
}
}
