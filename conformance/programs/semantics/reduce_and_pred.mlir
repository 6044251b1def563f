// reduce_and_pred: stablehlo.reduce with and is true if all elements are true.
// input i1 3x2 0 010101000000
// input i1 scalar 0 01
// expect i1 3 0 010000
module {
func.func public @main(%a0: tensor<3x2xi1>, %a1: tensor<i1>) -> (tensor<3xi1>) {
  %r0 = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
  %z = "stablehlo.and"(%x, %y) : (tensor<i1>, tensor<i1>) -> tensor<i1>
  "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<3x2xi1>, tensor<i1>) -> tensor<3xi1>
  "func.return"(%r0) : (tensor<3xi1>) -> ()
}
}
