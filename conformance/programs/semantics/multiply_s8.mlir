// multiply_s8: stablehlo.multiply of s8 wraps around.
// input i8 24 0 807f000129c1862015eaa62f3c4d2f65e2798a14dfd61346
// input i8 24 0 4613d6df148a79e2652f4d3c2fa6ea152086c12901007f80
// expect i8 24 0 006d00df340a564049f6ee0404eef64940560a34df006d00
module {
func.func public @main(%a0: tensor<24xi8>, %a1: tensor<24xi8>) -> (tensor<24xi8>) {
  %r0 = "stablehlo.multiply"(%a0, %a1) : (tensor<24xi8>, tensor<24xi8>) -> tensor<24xi8>
  "func.return"(%r0) : (tensor<24xi8>) -> ()
}
}
