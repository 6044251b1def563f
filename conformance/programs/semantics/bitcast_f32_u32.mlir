// bitcast_f32_u32: stablehlo.bitcast_convert between types of one width keeps the bits.
// input f32 4 0 0000803f000080bf000000800000807f
// expect ui32 4 0 0000803f000080bf000000800000807f
module {
func.func public @main(%a0: tensor<4xf32>) -> (tensor<4xui32>) {
  %r0 = "stablehlo.bitcast_convert"(%a0) : (tensor<4xf32>) -> tensor<4xui32>
  "func.return"(%r0) : (tensor<4xui32>) -> ()
}
}
