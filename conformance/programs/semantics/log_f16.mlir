// log_f16: stablehlo.log of f16 is within 2 ULP; log(0) is -inf, and that of a negative number is NaN.
// input f16 46 0 1f21804837473e45da3acf435144c93d9d46213c0e43a844c3434945a5464e482141d74545464841fd2561486341aa41034845453f44f64686345e46c0429d3af34531487e3fad456241ae468146e83f007c007e003c0038000000bc
// expect f16 46 2 9bc46540e83fa13ef5b0733dda3de7358e3f0f280b3d273e6d3da93e933f4e40893b0f3f583fc53b83c35740ed3b2a3c2a40a63ec93dc33f0ebd683fde3c17b2223f41400539f23eec3b993f7d3f7339007c007e00008cb900fc007e
module {
func.func public @main(%a0: tensor<46xf16>) -> (tensor<46xf16>) {
  %r0 = "stablehlo.log"(%a0) : (tensor<46xf16>) -> tensor<46xf16>
  "func.return"(%r0) : (tensor<46xf16>) -> ()
}
}
