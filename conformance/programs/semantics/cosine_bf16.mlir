// cosine_bf16: stablehlo.cosine of bf16 is within 2 ULP; NaN at infinities.
// input bf16 46 0 c0bfc03fc9bec1bebb3fcc3e063f03bf0a3f91bfacbf863fbdbfb83f7b3f5b3faebf61bf863f4fbec43e91bf71bf06bc473ff53d97bf8d3f8abf39be853e0bbf7cbe953f0dbef13db53f2cbf983fd4be807fc07f803f003f80ff0000
// expect bf16 46 2 913d913d6d3f6e3fe13d6c3f5e3f5f3f5c3fd93e673e003fc13d083e0e3f283f573e233f003f7b3f6d3fd93e173f803f363f7e3fc33ee83ef23e7c3f773f5b3f783fcb3e7e3f7e3f203e483fbf3e6a3fc0ffc07f0a3f613fc0ff803f
module {
func.func public @main(%a0: tensor<46xbf16>) -> (tensor<46xbf16>) {
  %r0 = "stablehlo.cosine"(%a0) : (tensor<46xbf16>) -> tensor<46xbf16>
  "func.return"(%r0) : (tensor<46xbf16>) -> ()
}
}
