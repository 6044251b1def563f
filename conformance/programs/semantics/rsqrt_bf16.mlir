// rsqrt_bf16: stablehlo.rsqrt of bf16 is within 2 ULP; rsqrt(0) is inf, and rsqrt(inf) is 0.
// input bf16 45 0 243c104195402540fd3e5d406c40d63ee63e1041bc4008407b400c410141f34062408e40c3400e3fa0401d40fd40163fc440fb4003400141fb40353ecc40aa3c91407c40eb3f3c40e8403740ad3fc940807fc07f803f003f0000
// expect bf16 45 2 2041ab3eed3e1f3fb63f0a3f053fc63fbf3fab3ed33e303f013fad3eb43eba3e083ff33ecf3eac3fe53e233fb63ea73fcf3eb73e333fb43eb73e1840cb3ede40f13e013f3d3f153fbe3e173f5c3fcc3e0000c07f803fb53f807f
module {
func.func public @main(%a0: tensor<45xbf16>) -> (tensor<45xbf16>) {
  %r0 = "stablehlo.rsqrt"(%a0) : (tensor<45xbf16>) -> tensor<45xbf16>
  "func.return"(%r0) : (tensor<45xbf16>) -> ()
}
}
