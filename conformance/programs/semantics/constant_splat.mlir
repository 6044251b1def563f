// constant_splat: stablehlo.constant with one value has it in each element.
// expect i32 2x3 0 070000000700000007000000070000000700000007000000
module {
func.func public @main() -> (tensor<2x3xi32>) {
  %r0 = "stablehlo.constant"() {value = dense<7> : tensor<2x3xi32>} : () -> tensor<2x3xi32>
  "func.return"(%r0) : (tensor<2x3xi32>) -> ()
}
}
