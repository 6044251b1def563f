// convert_f32_f16: stablehlo.convert from f32 to f16 rounds to nearest even; from 65520 on that is inf.
// input f32 10 0 0000803f0010803f0030803f00e07f4700ef7f4700f07f476f12833a0000807f0000c07f00000080
// expect f16 10 0 003c003c023cff7bff7b007c1914007c007e0080
module {
func.func public @main(%a0: tensor<10xf32>) -> (tensor<10xf16>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<10xf32>) -> tensor<10xf16>
  "func.return"(%r0) : (tensor<10xf16>) -> ()
}
}
