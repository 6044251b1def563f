// dot_s8_s32: stablehlo.dot_general of s8 with an s32 result does not wrap around at 8 bits.
// input i8 5x7 0 a6a63cf10f0f2d88f1a6e25a009700a63c69690f4bd3a600f11e69c44ba6d33cb51ef1
// input i8 7x6 0 00694b4b006969a6b5c4004bf169d35a0f2db50f3c5a4b69a63cf11ec48897695ac4e2b5a64b1e97b50f
// expect i32 5x6 0 b8c0ffff4f2900009bfbffff55f6ffffaaecffff53bcffff2f0d0000b7a3ffff73d8ffffc9ebffff9bfbffffec7dffff6073ffff237300005730000021390000f0f1ffff07eafffff6beffffd32c0000cb25000027060000d9f9ffffaf9cffff7bdfffffcb2500007f530000ac26000066210000952e0000
module {
func.func public @main(%a0: tensor<5x7xi8>, %a1: tensor<7x6xi8>) -> (tensor<5x6xi32>) {
  %r0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<5x7xi8>, tensor<7x6xi8>) -> tensor<5x6xi32>
  "func.return"(%r0) : (tensor<5x6xi32>) -> ()
}
}
