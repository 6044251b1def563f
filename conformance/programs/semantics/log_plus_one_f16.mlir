// log_plus_one_f16: stablehlo.log_plus_one of f16 is within 2 ULP; near zero as well.
// input f16 45 0 33bb8048cb3b003b2141883dbd45a833f9479847faba76440d319d3e74422e4378432448a63eae3bbd453c481e48d14735b430488745ba474842163df346a645cf46603ce236a94699b93b48ff360b45007c007e003c00380000
// expect f16 45 2 9ac09b4071390739163df23aa23fdd3263404d401dc0ca3eb130ce3bc43d183e383e7540d53b6239a23f7f4072405a40e2b47a40813f5540af3d903a2540943f1c40e939ba351240d0bc7f40ce35323f007c007e8c397d360000
module {
func.func public @main(%a0: tensor<45xf16>) -> (tensor<45xf16>) {
  %r0 = "stablehlo.log_plus_one"(%a0) : (tensor<45xf16>) -> tensor<45xf16>
  "func.return"(%r0) : (tensor<45xf16>) -> ()
}
}
