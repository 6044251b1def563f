// log_plus_one_bf16: stablehlo.log_plus_one of bf16 is within 2 ULP; near zero as well.
// input bf16 45 0 66bf1041793f603f2440b13fb840753eff40f3405fbf8f40223ed43f4f4066406f400541d53f763fb84008410441fa4087be0641b140f7404940a33fde40b540da408c3fdc3ed54033bf0741e03ea140807fc07f803f003f0000
// expect bf16 45 2 12c013402e3f213fa33f5e3ff43f5c3e0c400a4003c0d93f163e7a3fb93fc33fc73f0f407b3f2c3ff43f10400e400b409dbe0f40f03f0b40b63f523f0540f33f04403d3fb73e02409abf1040ba3ee63f807fc07f313fd03e0000
module {
func.func public @main(%a0: tensor<45xbf16>) -> (tensor<45xbf16>) {
  %r0 = "stablehlo.log_plus_one"(%a0) : (tensor<45xbf16>) -> tensor<45xbf16>
  "func.return"(%r0) : (tensor<45xbf16>) -> ()
}
}
