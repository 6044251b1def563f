// tan_f16: stablehlo.tan of f16 is within 2 ULP; NaN at infinities.
// input f16 46 0 00be003e3b3be333dfbc6bb206ac15bca139a3bc39b56e2aa9b22b34b5397a3d2eb92137b638fab8fbbdae3dd7b877b8b33c163482ad8f3aa3bdf83809b6e9bcb4372d3d07bb3f36d8b8cd395539c0ba007c007e003c003800fc0000
// expect f16 46 2 0dcb0d4b153d06346ec181b207ac85beca3a95c06bb56f2ac2b24434ec3ae4440dbaa4375839bcb998ca944688b9ffb8c9402d3485ad493c22c6b93957b699c12e380a43d3bc96368ab9173b4b3a7fbc00fe007e3b3e5f3800fe0000
module {
func.func public @main(%a0: tensor<46xf16>) -> (tensor<46xf16>) {
  %r0 = "stablehlo.tan"(%a0) : (tensor<46xf16>) -> tensor<46xf16>
  "func.return"(%r0) : (tensor<46xf16>) -> ()
}
}
