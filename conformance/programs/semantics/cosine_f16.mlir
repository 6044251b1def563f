// cosine_f16: stablehlo.cosine of f16 is within 2 ULP; NaN at infinities.
// input f16 46 0 00be003e49b606b6d93d5f362f3815b8513886bc61bd343ce5bdbf3dd93bd83a6cbd05bb333c7bb21e3688bc87bb32a03a3aa72fb8bc653c53bccbb12b3457b8deb3a53c67b0892fa53d60b9bd3ca2b6007c007e003c003800fc0000
// expect f16 46 2 872c872c643b713bf42e603bee3afb3add3ad0362c33f337352e493073383f39d6321d39f737d63b6c3bc936b638003cb239f13b193647378737df3bbb3bda3ac23b5f36ed3bf23b1631433a0736533b00fe007e5338053b00fe003c
module {
func.func public @main(%a0: tensor<46xf16>) -> (tensor<46xf16>) {
  %r0 = "stablehlo.cosine"(%a0) : (tensor<46xf16>) -> tensor<46xf16>
  "func.return"(%r0) : (tensor<46xf16>) -> ()
}
}
