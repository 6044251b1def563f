// dot_s32: stablehlo.dot_general of s32 is exact.
// input i32 5x7 0 fafffffffaffffff04000000ffffffff010000000100000003000000f8fffffffffffffffafffffffeffffff0600000000000000f9ffffff00000000faffffff0400000007000000070000000100000005000000fdfffffffaffffff00000000ffffffff0200000007000000fcffffff05000000fafffffffdffffff04000000fbffffff02000000ffffffff
// input i32 7x6 0 00000000070000000500000005000000000000000700000007000000fafffffffbfffffffcffffff0000000005000000ffffffff07000000fdffffff060000000100000003000000fbffffff0100000004000000060000000500000007000000faffffff04000000ffffffff02000000fcfffffff8fffffff9ffffff0700000006000000fcfffffffefffffffbfffffffaffffff0500000002000000f9fffffffbffffff01000000
// expect i32 5x6 0 b8ffffff2f000000fbfffffff5ffffffeaffffffb3ffffff0f00000097ffffffd3ffffffe9fffffffbffffff6cffffff60ffffff830000003700000041000000f0ffffffe7ffffffb6ffffff330000002b00000007000000f9ffffff8fffffffdbffffff2b0000005f0000002c0000002600000035000000
module {
func.func public @main(%a0: tensor<5x7xi32>, %a1: tensor<7x6xi32>) -> (tensor<5x6xi32>) {
  %r0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<5x7xi32>, tensor<7x6xi32>) -> tensor<5x6xi32>
  "func.return"(%r0) : (tensor<5x6xi32>) -> ()
}
}
