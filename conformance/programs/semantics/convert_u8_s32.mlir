// convert_u8_s32: stablehlo.convert of u8 extends with zeros.
// input ui8 4 0 007f80ff
// expect i32 4 0 000000007f00000080000000ff000000
module {
func.func public @main(%a0: tensor<4xui8>) -> (tensor<4xi32>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<4xui8>) -> tensor<4xi32>
  "func.return"(%r0) : (tensor<4xi32>) -> ()
}
}
