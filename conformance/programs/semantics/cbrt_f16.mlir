// cbrt_f16: stablehlo.cbrt of f16 is within 2 ULP; of negative numbers as well.
// input f16 46 0 80c8804849488cc7bb3f72c06f45dcc5b046543a3d4794b601bd33455b48b1c03848b947cdc5d63f6043f847f74199c6eaa85aaf2b1c214867c1f9c45c361541e747e83d2ec4bc47c4b05442e7b618c5007c007e003c003800fc0000
// expect f16 46 2 29c029401840d9bffc3c38bd083f36bf893f663bbd3ff3b94fbcee3e1d4051bd1240e83f30bf013d2e3efd3fc23d81bf66b5c7b71c310b4092bdd4bee239753df83f8e3c71bee93f3eb8df3d0bbae2be007c007e003c593a00fc0000
module {
func.func public @main(%a0: tensor<46xf16>) -> (tensor<46xf16>) {
  %r0 = "stablehlo.cbrt"(%a0) : (tensor<46xf16>) -> tensor<46xf16>
  "func.return"(%r0) : (tensor<46xf16>) -> ()
}
}
