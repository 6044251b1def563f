// power_special_f32: stablehlo.power of f32: x^0 and 1^y are 1, a negative base with an integral exponent has the sign that the exponent gives.
// input f32 10 0 000000000000803f000000c0000000c0000000400000807f000000000000c07f0000c07f0000803f
// input f32 10 0 000000000000c07f00004040000000400000003f0000000000000040000000000000803f0000807f
// expect f32 10 4 0000803f0000803f000000c100008040f304b53f0000803f000000000000803f0000c07f0000803f
module {
func.func public @main(%a0: tensor<10xf32>, %a1: tensor<10xf32>) -> (tensor<10xf32>) {
  %r0 = "stablehlo.power"(%a0, %a1) : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
  "func.return"(%r0) : (tensor<10xf32>) -> ()
}
}
