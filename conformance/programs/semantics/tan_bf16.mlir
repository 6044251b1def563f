// tan_bf16: stablehlo.tan of bf16 is within 2 ULP; NaN at infinities.
// input bf16 46 0 c0bfc03f673f7c3e9cbf4dbe81bd83bf343f94bfa7be4e3d55be853e373faf3f26bfe43e173f1fbfbfbfb63f1bbf0fbf963f833eb0bd523fb4bf1f3fc1be9dbff73ea63f61bfc83e1bbf3a3f2b3f58bf807fc07f803f003f80ff0000
// expect bf16 46 2 62c16241a23f813e2ec050be81bdd2bf593f11c0adbe4e3d58be883e5e3f9b4042bff43e2b3f37bf4bc1d54031bf20bf1840863eb0bd893fc1c0373fcbbe33c0063f64409abfd33e31bf643f4a3f90bfc0ffc07fc73f0c3fc0ff0000
module {
func.func public @main(%a0: tensor<46xbf16>) -> (tensor<46xbf16>) {
  %r0 = "stablehlo.tan"(%a0) : (tensor<46xbf16>) -> tensor<46xbf16>
  "func.return"(%r0) : (tensor<46xbf16>) -> ()
}
}
