// not_pred: stablehlo.not of truth values is logical.
// input i1 4 0 00000101
// expect i1 4 0 01010000
module {
func.func public @main(%a0: tensor<4xi1>) -> (tensor<4xi1>) {
  %r0 = "stablehlo.not"(%a0) : (tensor<4xi1>) -> tensor<4xi1>
  "func.return"(%r0) : (tensor<4xi1>) -> ()
}
}
