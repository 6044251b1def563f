// count_leading_zeros_u32: stablehlo.count_leading_zeros of 0 is the width of the type.
// input ui32 8 0 000000000100000002000000ff000000ffffff7f00000080ffffffff00000100
// expect ui32 8 0 200000001f0000001e000000180000000100000000000000000000000f000000
module {
func.func public @main(%a0: tensor<8xui32>) -> (tensor<8xui32>) {
  %r0 = "stablehlo.count_leading_zeros"(%a0) : (tensor<8xui32>) -> tensor<8xui32>
  "func.return"(%r0) : (tensor<8xui32>) -> ()
}
}
