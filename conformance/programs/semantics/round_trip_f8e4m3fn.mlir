// round_trip_f8e4m3fn: stablehlo.convert to f8E4M3FN rounds to nearest even, and back to f32 is exact.
// input f32 9 0 00000000000000800000803f0000883f0000983f333353400000c8c20ad7a33c0000c07f
// expect f32 9 0 00000000000000800000803f0000803f0000a03f000050400000c0c20000a03c0000c07f
module {
func.func public @main(%a0: tensor<9xf32>) -> (tensor<9xf32>) {
  %x = "stablehlo.convert"(%a0) : (tensor<9xf32>) -> tensor<9xf8E4M3FN>
  %r0 = "stablehlo.convert"(%x) : (tensor<9xf8E4M3FN>) -> tensor<9xf32>
  "func.return"(%r0) : (tensor<9xf32>) -> ()
}
}
