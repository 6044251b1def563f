// slice_strided: stablehlo.slice takes elements from start on, before limit, by strides.
// input f32 2x3x4 0 000000000000803f0000004000004040000080400000a0400000c0400000e0400000004100001041000020410000304100004041000050410000604100007041000080410000884100009041000098410000a0410000a8410000b0410000b841
// expect f32 2x2x2 0 000080400000e040000000410000304100008041000098410000a0410000b841
module {
func.func public @main(%a0: tensor<2x3x4xf32>) -> (tensor<2x2x2xf32>) {
  %r0 = "stablehlo.slice"(%a0) {start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 2, 3, 4>, strides = array<i64: 1, 1, 3>} : (tensor<2x3x4xf32>) -> tensor<2x2x2xf32>
  "func.return"(%r0) : (tensor<2x2x2xf32>) -> ()
}
}
