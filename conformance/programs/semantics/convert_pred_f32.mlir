// convert_pred_f32: stablehlo.convert of truth values gives 0 and 1.
// input i1 2 0 0001
// expect f32 2 0 000000000000803f
module {
func.func public @main(%a0: tensor<2xi1>) -> (tensor<2xf32>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<2xi1>) -> tensor<2xf32>
  "func.return"(%r0) : (tensor<2xf32>) -> ()
}
}
