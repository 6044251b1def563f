// convert_s32_f32: stablehlo.convert from s32 to f32 rounds to nearest even.
// input i32 7 0 00000001010000010200000103000001fffffffeffffff7f00000080
// expect f32 7 0 0000804b0000804b0100804b0200804b000080cb0000004f000000cf
module {
func.func public @main(%a0: tensor<7xi32>) -> (tensor<7xf32>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<7xi32>) -> tensor<7xf32>
  "func.return"(%r0) : (tensor<7xf32>) -> ()
}
}
