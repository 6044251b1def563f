// abs_f32: stablehlo.abs of f32 clears the sign, of -0 as well.
// input f32 10 0 00000000000000800000803f000080bf0000807f000080ff0000c07f000060400000003f000020c0
// expect f32 10 0 00000000000000000000803f0000803f0000807f0000807f0000c07f000060400000003f00002040
module {
func.func public @main(%a0: tensor<10xf32>) -> (tensor<10xf32>) {
  %r0 = "stablehlo.abs"(%a0) : (tensor<10xf32>) -> tensor<10xf32>
  "func.return"(%r0) : (tensor<10xf32>) -> ()
}
}
