// not_u8: stablehlo.not of u8 inverts each bit.
// input ui8 24 0 00ff0001a94106a0956a26afbccdafe562f90a945f5693c6
// expect ui8 24 0 ff00fffe56bef95f6a95d9504332501a9d06f56ba0a96c39
module {
func.func public @main(%a0: tensor<24xui8>) -> (tensor<24xui8>) {
  %r0 = "stablehlo.not"(%a0) : (tensor<24xui8>) -> tensor<24xui8>
  "func.return"(%r0) : (tensor<24xui8>) -> ()
}
}
