// compare_lt_pred: stablehlo.compare LT of pred orders false before true.
// input i1 4 0 00000101
// input i1 4 0 00010001
// expect i1 4 0 00010000
module {
func.func public @main(%a0: tensor<4xi1>, %a1: tensor<4xi1>) -> (tensor<4xi1>) {
  %r0 = "stablehlo.compare"(%a0, %a1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  "func.return"(%r0) : (tensor<4xi1>) -> ()
}
}
