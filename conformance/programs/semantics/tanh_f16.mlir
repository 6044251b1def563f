// tanh_f16: stablehlo.tanh of f16 is within 2 ULP; -1 at -inf and 1 at inf.
// input f16 46 0 80c8804849488cc7bb3f72c06f45dcc5b046543a3d4794b601bd33455b48b1c03848b947cdc5d63f6043f847f74199c6eaa85aaf2b1c214867c1f9c45c361541e747e83d2ec4bc47c4b05442e7b618c5007c007e003c003800fc0000
// expect f16 46 2 00bc003c003c00bcac3bd0bb003c00bc003c4639003c3bb6caba003c003cdbbb003c003c00bcb03bfd3b003cf63b00bce9a852af2b1c003ceebb00bc0b36e73b003c353bffbb003cbbb0f93b81b600bc003c007e183a653700bc0000
module {
func.func public @main(%a0: tensor<46xf16>) -> (tensor<46xf16>) {
  %r0 = "stablehlo.tanh"(%a0) : (tensor<46xf16>) -> tensor<46xf16>
  "func.return"(%r0) : (tensor<46xf16>) -> ()
}
}
