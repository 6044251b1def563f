// exponential_f16: stablehlo.exponential of f16 is within 2 ULP; exp(-inf) is 0 and exp(inf) is inf.
// input f16 46 0 80c880484f3f3ec856c6b547bcc7aac609486340b7c09032dd410bc484c62f4522422233b445113b544852c5bd3bb7b448c1983ec4c471459d46afc6beb803c481c721470bbd57c63e425cc53a4717c5007c007e003c003800fc0000
// expect f16 46 2 0b08ea6f3746c60a421758682b0f3a153f6a7c480f2ee93cb14c7e24101693595e4d003daf5cd6409c6d021d4341f539902c33455c20365bd26120156c38a2248310e06489343a17ab4dd11c5f654f1e007c007e7041983e0000003c
module {
func.func public @main(%a0: tensor<46xf16>) -> (tensor<46xf16>) {
  %r0 = "stablehlo.exponential"(%a0) : (tensor<46xf16>) -> tensor<46xf16>
  "func.return"(%r0) : (tensor<46xf16>) -> ()
}
}
