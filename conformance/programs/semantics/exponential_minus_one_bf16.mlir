// exponential_minus_one_bf16: stablehlo.exponential_minus_one of bf16 is within 2 ULP; near zero as well.
// input bf16 46 0 10c110417240edc017400a41b0bfdfc004414b40aec046400e41a7c0cc406540a0c0b6c0034138c087bf34408abf10c18ac000bf9640f53fa1bfb2c0a440b4c081403fbd713f06c0abc0bec0234081c0807fc07f803f003f80ff0000
// expect bf16 46 2 80bffd452b4280bf1941ae453fbf80bf6f45b7417fbfa841df457fbf12440b427ebf7fbf614572bf27bf7a4129bf80bf7dbfc9bed742b94037bf7fbf27437fbf5d423bbdc83f60bf7fbf7fbf3c417bbf807fc07fdc3f263f80bf0000
module {
func.func public @main(%a0: tensor<46xbf16>) -> (tensor<46xbf16>) {
  %r0 = "stablehlo.exponential_minus_one"(%a0) : (tensor<46xbf16>) -> tensor<46xbf16>
  "func.return"(%r0) : (tensor<46xbf16>) -> ()
}
}
