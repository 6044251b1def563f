// empty_arrays: Operations on arrays without elements give arrays without elements.
// input f32 0x3 0 -
// expect f32 3x0 0 -
module {
func.func public @main(%a0: tensor<0x3xf32>) -> (tensor<3x0xf32>) {
  %x = "stablehlo.add"(%a0, %a0) : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  %r0 = "stablehlo.transpose"(%x) {permutation = array<i64: 1, 0>} : (tensor<0x3xf32>) -> tensor<3x0xf32>
  "func.return"(%r0) : (tensor<3x0xf32>) -> ()
}
}
