// subtract_s8: stablehlo.subtract of s8 wraps around.
// input i8 24 0 807f000129c1862015eaa62f3c4d2f65e2798a14dfd61346
// input i8 24 0 4613d6df148a79e2652f4d3c2fa6ea152086c12901007f80
// expect i8 24 0 3a6c2a2215370d3eb0bb59f30da74550c2f3c9ebded694c6
module {
func.func public @main(%a0: tensor<24xi8>, %a1: tensor<24xi8>) -> (tensor<24xi8>) {
  %r0 = "stablehlo.subtract"(%a0, %a1) : (tensor<24xi8>, tensor<24xi8>) -> tensor<24xi8>
  "func.return"(%r0) : (tensor<24xi8>) -> ()
}
}
