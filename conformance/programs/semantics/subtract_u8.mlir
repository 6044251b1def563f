// subtract_u8: stablehlo.subtract of u8 wraps around.
// input ui8 24 0 00ff0001a94106a0956a26afbccdafe562f90a945f5693c6
// input ui8 24 0 c693565f940af962e5afcdbcaf266a95a00641a90100ff00
// expect ui8 24 0 3a6caaa215370d3eb0bb59f30da74550c2f3c9eb5e5694c6
module {
func.func public @main(%a0: tensor<24xui8>, %a1: tensor<24xui8>) -> (tensor<24xui8>) {
  %r0 = "stablehlo.subtract"(%a0, %a1) : (tensor<24xui8>, tensor<24xui8>) -> tensor<24xui8>
  "func.return"(%r0) : (tensor<24xui8>) -> ()
}
}
