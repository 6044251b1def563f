// not_s32: stablehlo.not of s32 inverts each bit.
// input i32 24 0 00000080ffffff7f000000000100000062f90a145f56934642276a55ab2da7b94551378e99b2d7cc3427fac8d732a15f70aca16926115981dd06f2ff8f063c525e19a6a1f9bd0c4c21397c9ec795caf748dc03517a8893cd855273d7a2e646c7
// expect i32 24 0 ffffff7f00000080fffffffffeffffff9d06f5eba0a96cb9bdd895aa54d25846baaec871664d2833cbd8053728cd5ea08f535e96d9eea67e22f90d0070f9c3ada1e6595e0642f3b3dec68361386a3508b723fcae85776c327aad8c285d19b938
module {
func.func public @main(%a0: tensor<24xi32>) -> (tensor<24xi32>) {
  %r0 = "stablehlo.not"(%a0) : (tensor<24xi32>) -> tensor<24xi32>
  "func.return"(%r0) : (tensor<24xi32>) -> ()
}
}
