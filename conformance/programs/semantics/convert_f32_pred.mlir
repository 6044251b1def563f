// convert_f32_pred: stablehlo.convert to truth values is false for zeros only.
// input f32 6 0 00000000000000800000003f000040c00000c07f0000807f
// expect i1 6 0 000001010101
module {
func.func public @main(%a0: tensor<6xf32>) -> (tensor<6xi1>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<6xf32>) -> tensor<6xi1>
  "func.return"(%r0) : (tensor<6xi1>) -> ()
}
}
