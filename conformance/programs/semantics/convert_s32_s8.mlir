// convert_s32_s8: stablehlo.convert to a narrower integer keeps the low bits.
// input i32 8 0 000000007f00000080000000ff000000ffffffff00010000ff0100007fffffff
// expect i8 8 0 007f80ffff00ff7f
module {
func.func public @main(%a0: tensor<8xi32>) -> (tensor<8xi8>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<8xi32>) -> tensor<8xi8>
  "func.return"(%r0) : (tensor<8xi8>) -> ()
}
}
