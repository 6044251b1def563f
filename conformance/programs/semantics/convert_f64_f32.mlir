// convert_f64_f32: stablehlo.convert from f64 to f32 rounds to nearest even; too large numbers become infinities.
// input f64 7 0 000000000000f03f000000100000f03f000000300000f03f9c7500883ce4377e9c7500883ce437fe9a9999999999b93f000000000000f87f
// expect f32 7 0 0000803f0000803f0200803f0000807f000080ffcdcccc3d0000c07f
module {
func.func public @main(%a0: tensor<7xf64>) -> (tensor<7xf32>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<7xf64>) -> tensor<7xf32>
  "func.return"(%r0) : (tensor<7xf32>) -> ()
}
}
