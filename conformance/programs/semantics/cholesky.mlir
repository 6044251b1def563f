// cholesky: stablehlo.cholesky gives the lower factor of a positive definite matrix.
// input f32 3x3 0 0000804000000040000000c000000040000020410000a040000000c00000a0400000a841
// expect f32 3x3 8 0000004000000000000000000000803f0000404000000000000080bf0000004000008040
module {
func.func public @main(%a0: tensor<3x3xf32>) -> (tensor<3x3xf32>) {
  %c = "stablehlo.cholesky"(%a0) {lower = true} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %i = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3x3xi32>
  %j = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<3x3xi32>
  %below = "stablehlo.compare"(%i, %j) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  %zero = "stablehlo.constant"() {value = dense<0.0> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
  %r0 = "stablehlo.select"(%below, %c, %zero) : (tensor<3x3xi1>, tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  "func.return"(%r0) : (tensor<3x3xf32>) -> ()
}
}
