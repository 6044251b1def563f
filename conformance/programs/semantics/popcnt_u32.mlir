// popcnt_u32: stablehlo.popcnt counts the bits that are set.
// input ui32 8 0 000000000100000002000000ff000000ffffff7f00000080ffffffff00000100
// expect ui32 8 0 000000000100000001000000080000001f000000010000002000000001000000
module {
func.func public @main(%a0: tensor<8xui32>) -> (tensor<8xui32>) {
  %r0 = "stablehlo.popcnt"(%a0) : (tensor<8xui32>) -> tensor<8xui32>
  "func.return"(%r0) : (tensor<8xui32>) -> ()
}
}
