// multiply_u8: stablehlo.multiply of u8 wraps around.
// input ui8 24 0 00ff0001a94106a0956a26afbccdafe562f90a945f5693c6
// input ui8 24 0 c693565f940af962e5afcdbcaf266a95a00641a90100ff00
// expect ui8 24 0 006d005fb48ad64049766e84846e764940d68ab45f006d00
module {
func.func public @main(%a0: tensor<24xui8>, %a1: tensor<24xui8>) -> (tensor<24xui8>) {
  %r0 = "stablehlo.multiply"(%a0, %a1) : (tensor<24xui8>, tensor<24xui8>) -> tensor<24xui8>
  "func.return"(%r0) : (tensor<24xui8>) -> ()
}
}
