// log_bf16: stablehlo.log of bf16 is within 2 ULP; log(0) is -inf, and that of a negative number is NaN.
// input bf16 46 0 243c1041e740a8405b3f7a408a40b93fd440843f624095407840a940d5400a412440bb40c9402940c03c0c412c4035400041a9408840df40913ecc405840543fbe400641f03fb6402c40d640d040fd3f807fc07f803f003f000080bf
// expect bf16 46 2 93c00d40fd3fd43f20beae3fbb3fbd3ef23ffc3ca13fc53fad3fd53ff33f0a40713fe23feb3f793f70c00b407d3f853f0540d53fb93ff93fa1bfed3f9c3f41bee43f0840213fde3f7d3ff33ff03f2e3f807fc07f000031bf80ffc07f
module {
func.func public @main(%a0: tensor<46xbf16>) -> (tensor<46xbf16>) {
  %r0 = "stablehlo.log"(%a0) : (tensor<46xbf16>) -> tensor<46xbf16>
  "func.return"(%r0) : (tensor<46xbf16>) -> ()
}
}
