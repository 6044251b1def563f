// iota: stablehlo.iota counts along its dimension.
// expect i32 3x4 0 000000000000000000000000000000000100000001000000010000000100000002000000020000000200000002000000
module {
func.func public @main() -> (tensor<3x4xi32>) {
  %r0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3x4xi32>
  "func.return"(%r0) : (tensor<3x4xi32>) -> ()
}
}
