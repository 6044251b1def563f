// xor_u8: stablehlo.xor of u8 is bitwise.
// input ui8 24 0 00ff0001a94106a0956a26afbccdafe562f90a945f5693c6
// input ui8 24 0 c693565f940af962e5afcdbcaf266a95a00641a90100ff00
// expect ui8 24 0 c66c565e3d4bffc270c5eb1313ebc570c2ff4b3d5e566cc6
module {
func.func public @main(%a0: tensor<24xui8>, %a1: tensor<24xui8>) -> (tensor<24xui8>) {
  %r0 = "stablehlo.xor"(%a0, %a1) : (tensor<24xui8>, tensor<24xui8>) -> tensor<24xui8>
  "func.return"(%r0) : (tensor<24xui8>) -> ()
}
}
