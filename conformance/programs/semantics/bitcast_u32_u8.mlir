// bitcast_u32_u8: stablehlo.bitcast_convert to a narrower type adds a dimension, the lowest bits first.
// input ui32 2 0 0403020101ff807f
// expect ui8 2x4 0 0403020101ff807f
module {
func.func public @main(%a0: tensor<2xui32>) -> (tensor<2x4xui8>) {
  %r0 = "stablehlo.bitcast_convert"(%a0) : (tensor<2xui32>) -> tensor<2x4xui8>
  "func.return"(%r0) : (tensor<2x4xui8>) -> ()
}
}
