// or_pred: stablehlo.or of truth values is logical.
// input i1 4 0 00000101
// input i1 4 0 00010001
// expect i1 4 0 00010101
module {
func.func public @main(%a0: tensor<4xi1>, %a1: tensor<4xi1>) -> (tensor<4xi1>) {
  %r0 = "stablehlo.or"(%a0, %a1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  "func.return"(%r0) : (tensor<4xi1>) -> ()
}
}
