// dot_bf16: stablehlo.dot_general of bf16 with an f32 result adds in f32.
// input bf16 5x7 0 c0c0c0c0804080bf803f803f404000c180bfc0c000c0c0400000e0c00000c0c08040e040e040803fa04040c0c0c0000080bf0040e04080c0a040c0c040c08040a0c0004080bf
// input bf16 7x6 0 0000e040a040a0400000e040e040c0c0a0c080c00000a04080bfe04040c0c040803f4040a0c0803f8040c040a040e040c0c0804080bf004080c000c1e0c0e040c04080c000c0a0c0c0c0a0400040e0c0a0c0803f
// expect f32 5x6 0 000090c200003c420000a0c0000030c10000b0c100009ac2000070410000d2c2000034c20000b8c10000a0c0000014c3000020c30000034300005c4200008242000080c10000c8c1000094c200004c4200002c420000e0400000e0c00000e2c2000014c200002c420000be42000030420000184200005442
module {
func.func public @main(%a0: tensor<5x7xbf16>, %a1: tensor<7x6xbf16>) -> (tensor<5x6xf32>) {
  %r0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<5x7xbf16>, tensor<7x6xbf16>) -> tensor<5x6xf32>
  "func.return"(%r0) : (tensor<5x6xf32>) -> ()
}
}
