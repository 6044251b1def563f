// convert_s8_s32: stablehlo.convert of s8 extends the sign.
// input i8 4 0 80ff007f
// expect i32 4 0 80ffffffffffffff000000007f000000
module {
func.func public @main(%a0: tensor<4xi8>) -> (tensor<4xi32>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<4xi8>) -> tensor<4xi32>
  "func.return"(%r0) : (tensor<4xi32>) -> ()
}
}
