// add_s8: stablehlo.add of s8 wraps around.
// input i8 24 0 807f000129c1862015eaa62f3c4d2f65e2798a14dfd61346
// input i8 24 0 4613d6df148a79e2652f4d3c2fa6ea152086c12901007f80
// expect i8 24 0 c692d6e03d4bff027a19f36b6bf3197a02ff4b3de0d692c6
module {
func.func public @main(%a0: tensor<24xi8>, %a1: tensor<24xi8>) -> (tensor<24xi8>) {
  %r0 = "stablehlo.add"(%a0, %a1) : (tensor<24xi8>, tensor<24xi8>) -> tensor<24xi8>
  "func.return"(%r0) : (tensor<24xi8>) -> ()
}
}
