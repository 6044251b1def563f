// sine_bf16: stablehlo.sine of bf16 is within 2 ULP; NaN at infinities.
// input bf16 46 0 40c04040374021c0253f3ebfe83ffabf0f40873e1a400cbed6bede3f3a4048bf34402540f8bf273f9d3f2a407e3f0dc052bc1dbdb23a304066bfd4bf083e593f2940fc3eb2bf25404bbd873f13bed9bf807fc07f803f003f80ff0000
// expect bf16 46 2 11be113e8f3e16bf1a3f2dbf793f6ebf4a3f853e2c3f0cbed0be7d3f6f3e34bfa53e093f6fbf1b3f713fef3e563f4fbf52bc1dbdb23ac33e48bf7fbf083e403ff63ef23e7cbf093f4bbd5f3f12be7ebfc0ffc07f573ff53ec0ff0000
module {
func.func public @main(%a0: tensor<46xbf16>) -> (tensor<46xbf16>) {
  %r0 = "stablehlo.sine"(%a0) : (tensor<46xbf16>) -> tensor<46xbf16>
  "func.return"(%r0) : (tensor<46xbf16>) -> ()
}
}
