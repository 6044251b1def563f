// divide_s8: stablehlo.divide of s8 rounds toward zero.
// input i8 20 0 29c1862015eaa62f3c4d2f65e2798a14dfd61346
// input i8 20 0 01f807fe0602040302fafe0102f8fc02050507f8
// expect i8 20 0 2907eff003f5ea0f1ef4e965f1f11d0afaf802f8
module {
func.func public @main(%a0: tensor<20xi8>, %a1: tensor<20xi8>) -> (tensor<20xi8>) {
  %r0 = "stablehlo.divide"(%a0, %a1) : (tensor<20xi8>, tensor<20xi8>) -> tensor<20xi8>
  "func.return"(%r0) : (tensor<20xi8>) -> ()
}
}
