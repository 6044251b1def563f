// power_s32: stablehlo.power of s32 with exponents that are not negative is exact.
// input i32 6 0 fdffffff0200000005000000ffffffff0000000007000000
// input i32 6 0 030000000a00000000000000070000000400000002000000
// expect i32 6 0 e5ffffff0004000001000000ffffffff0000000031000000
module {
func.func public @main(%a0: tensor<6xi32>, %a1: tensor<6xi32>) -> (tensor<6xi32>) {
  %r0 = "stablehlo.power"(%a0, %a1) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  "func.return"(%r0) : (tensor<6xi32>) -> ()
}
}
