// denormals_f32: A denormal result is that number, or zero where the device flushes denormal numbers.
// input f32 5 0 98e30a0098e30a8007000000eee36c0000000000
// input f32 5 0 0000003f0000003f0000003f0000003f0000003f
// expect f32 5 flush cc710500cc71058004000000f771360000000000
module {
func.func public @main(%a0: tensor<5xf32>, %a1: tensor<5xf32>) -> (tensor<5xf32>) {
  %r0 = "stablehlo.multiply"(%a0, %a1) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  "func.return"(%r0) : (tensor<5xf32>) -> ()
}
}
