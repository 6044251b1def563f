"builtin.module"() <{sym_name = "jit_dropout_and_normal_noise"}> ({
  "func.func"() <{function_type = (tensor<3x7xf32>, tensor<2xui32>) -> tensor<3x7xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg17: tensor<3x7xf32>, %arg18: tensor<2xui32>):
    %349 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %350 = "stablehlo.constant"() <{value = dense<7.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %351 = "func.call"(%arg18, %350) <{callee = @_bernoulli}> : (tensor<2xui32>, tensor<f32>) -> tensor<3x7xi1>
    %352 = "stablehlo.broadcast_in_dim"(%350) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x7xf32>
    %353 = "stablehlo.divide"(%arg17, %352) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %354 = "func.call"(%351, %353, %349) <{callee = @_where}> : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<i32>) -> tensor<3x7xf32>
    %355 = "func.call"(%arg18) <{callee = @_normal}> : (tensor<2xui32>) -> tensor<3x7xf32>
    %356 = "stablehlo.add"(%354, %355) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    "func.return"(%356) : (tensor<3x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui32>, tensor<f32>) -> tensor<3x7xi1>, sym_name = "_bernoulli", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<2xui32>, %arg16: tensor<f32>):
    %344 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %345 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %346 = "func.call"(%arg15, %344, %345) <{callee = @_uniform}> : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<3x7xf32>
    %347 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x7xf32>
    %348 = "stablehlo.compare"(%346, %347) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xi1>
    "func.return"(%348) : (tensor<3x7xi1>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<3x7xf32>, sym_name = "_uniform", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<2xui32>, %arg13: tensor<f32>, %arg14: tensor<f32>):
    %303 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %304 = "stablehlo.constant"() <{value = dense<1065353216> : tensor<ui32>}> : () -> tensor<ui32>
    %305 = "stablehlo.constant"() <{value = dense<9> : tensor<ui32>}> : () -> tensor<ui32>
    %306 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %307 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %308 = "stablehlo.constant"() <{value = dense<7> : tensor<ui64>}> : () -> tensor<ui64>
    %309 = "stablehlo.convert"(%arg13) : (tensor<f32>) -> tensor<f32>
    %310 = "stablehlo.convert"(%arg14) : (tensor<f32>) -> tensor<f32>
    %311 = "stablehlo.broadcast_in_dim"(%309) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %312 = "stablehlo.broadcast_in_dim"(%310) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %313 = "stablehlo.slice"(%arg12) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %314 = "stablehlo.reshape"(%313) : (tensor<1xui32>) -> tensor<ui32>
    %315 = "stablehlo.slice"(%arg12) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %316 = "stablehlo.reshape"(%315) : (tensor<1xui32>) -> tensor<ui32>
    %317 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x7xui64>
    %318 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x7xui64>
    %319 = "stablehlo.broadcast_in_dim"(%308) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x7xui64>
    %320 = "stablehlo.multiply"(%319, %317) : (tensor<3x7xui64>, tensor<3x7xui64>) -> tensor<3x7xui64>
    %321 = "stablehlo.broadcast_in_dim"(%307) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x7xui64>
    %322 = "stablehlo.multiply"(%321, %318) : (tensor<3x7xui64>, tensor<3x7xui64>) -> tensor<3x7xui64>
    %323 = "stablehlo.add"(%320, %322) : (tensor<3x7xui64>, tensor<3x7xui64>) -> tensor<3x7xui64>
    %324 = "stablehlo.broadcast_in_dim"(%306) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x7xui64>
    %325 = "stablehlo.shift_right_logical"(%323, %324) : (tensor<3x7xui64>, tensor<3x7xui64>) -> tensor<3x7xui64>
    %326 = "stablehlo.convert"(%323) : (tensor<3x7xui64>) -> tensor<3x7xui32>
    %327 = "stablehlo.convert"(%325) : (tensor<3x7xui64>) -> tensor<3x7xui32>
    %328:2 = "func.call"(%314, %316, %327, %326) <{callee = @threefry2x32}> : (tensor<ui32>, tensor<ui32>, tensor<3x7xui32>, tensor<3x7xui32>) -> (tensor<3x7xui32>, tensor<3x7xui32>)
    %329 = "stablehlo.xor"(%328#0, %328#1) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %330 = "stablehlo.broadcast_in_dim"(%305) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %331 = "stablehlo.shift_right_logical"(%329, %330) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %332 = "stablehlo.broadcast_in_dim"(%304) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %333 = "stablehlo.or"(%331, %332) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %334 = "stablehlo.bitcast_convert"(%333) : (tensor<3x7xui32>) -> tensor<3x7xf32>
    %335 = "stablehlo.broadcast_in_dim"(%303) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x7xf32>
    %336 = "stablehlo.subtract"(%334, %335) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %337 = "stablehlo.subtract"(%312, %311) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %338 = "stablehlo.broadcast_in_dim"(%337) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<3x7xf32>
    %339 = "stablehlo.multiply"(%336, %338) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %340 = "stablehlo.broadcast_in_dim"(%311) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<3x7xf32>
    %341 = "stablehlo.add"(%339, %340) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %342 = "stablehlo.broadcast_in_dim"(%311) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<3x7xf32>
    %343 = "stablehlo.maximum"(%342, %341) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    "func.return"(%343) : (tensor<3x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<3x7xui32>, tensor<3x7xui32>) -> (tensor<3x7xui32>, tensor<3x7xui32>), sym_name = "threefry2x32", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<3x7xui32>, %arg11: tensor<3x7xui32>):
    %111 = "stablehlo.constant"() <{value = dense<5> : tensor<ui32>}> : () -> tensor<ui32>
    %112 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
    %113 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
    %114 = "stablehlo.constant"() <{value = dense<8> : tensor<ui32>}> : () -> tensor<ui32>
    %115 = "stablehlo.constant"() <{value = dense<24> : tensor<ui32>}> : () -> tensor<ui32>
    %116 = "stablehlo.constant"() <{value = dense<16> : tensor<ui32>}> : () -> tensor<ui32>
    %117 = "stablehlo.constant"() <{value = dense<3> : tensor<ui32>}> : () -> tensor<ui32>
    %118 = "stablehlo.constant"() <{value = dense<29> : tensor<ui32>}> : () -> tensor<ui32>
    %119 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
    %120 = "stablehlo.constant"() <{value = dense<6> : tensor<ui32>}> : () -> tensor<ui32>
    %121 = "stablehlo.constant"() <{value = dense<26> : tensor<ui32>}> : () -> tensor<ui32>
    %122 = "stablehlo.constant"() <{value = dense<17> : tensor<ui32>}> : () -> tensor<ui32>
    %123 = "stablehlo.constant"() <{value = dense<15> : tensor<ui32>}> : () -> tensor<ui32>
    %124 = "stablehlo.constant"() <{value = dense<19> : tensor<ui32>}> : () -> tensor<ui32>
    %125 = "stablehlo.constant"() <{value = dense<13> : tensor<ui32>}> : () -> tensor<ui32>
    %126 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %127 = "stablehlo.xor"(%arg8, %arg9) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %128 = "stablehlo.xor"(%127, %126) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %129 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %130 = "stablehlo.add"(%arg10, %129) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %131 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %132 = "stablehlo.add"(%arg11, %131) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %133 = "stablehlo.add"(%130, %132) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %134 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %135 = "stablehlo.shift_left"(%132, %134) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %136 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %137 = "stablehlo.shift_right_logical"(%132, %136) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %138 = "stablehlo.or"(%135, %137) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %139 = "stablehlo.xor"(%133, %138) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %140 = "stablehlo.add"(%133, %139) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %141 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %142 = "stablehlo.shift_left"(%139, %141) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %143 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %144 = "stablehlo.shift_right_logical"(%139, %143) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %145 = "stablehlo.or"(%142, %144) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %146 = "stablehlo.xor"(%140, %145) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %147 = "stablehlo.add"(%140, %146) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %148 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %149 = "stablehlo.shift_left"(%146, %148) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %150 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %151 = "stablehlo.shift_right_logical"(%146, %150) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %152 = "stablehlo.or"(%149, %151) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %153 = "stablehlo.xor"(%147, %152) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %154 = "stablehlo.add"(%147, %153) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %155 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %156 = "stablehlo.shift_left"(%153, %155) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %157 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %158 = "stablehlo.shift_right_logical"(%153, %157) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %159 = "stablehlo.or"(%156, %158) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %160 = "stablehlo.xor"(%154, %159) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %161 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %162 = "stablehlo.add"(%154, %161) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %163 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %164 = "stablehlo.add"(%160, %163) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %165 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %166 = "stablehlo.add"(%164, %165) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %167 = "stablehlo.add"(%162, %166) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %168 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %169 = "stablehlo.shift_left"(%166, %168) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %170 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %171 = "stablehlo.shift_right_logical"(%166, %170) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %172 = "stablehlo.or"(%169, %171) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %173 = "stablehlo.xor"(%167, %172) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %174 = "stablehlo.add"(%167, %173) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %175 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %176 = "stablehlo.shift_left"(%173, %175) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %177 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %178 = "stablehlo.shift_right_logical"(%173, %177) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %179 = "stablehlo.or"(%176, %178) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %180 = "stablehlo.xor"(%174, %179) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %181 = "stablehlo.add"(%174, %180) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %182 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %183 = "stablehlo.shift_left"(%180, %182) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %184 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %185 = "stablehlo.shift_right_logical"(%180, %184) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %186 = "stablehlo.or"(%183, %185) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %187 = "stablehlo.xor"(%181, %186) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %188 = "stablehlo.add"(%181, %187) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %189 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %190 = "stablehlo.shift_left"(%187, %189) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %191 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %192 = "stablehlo.shift_right_logical"(%187, %191) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %193 = "stablehlo.or"(%190, %192) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %194 = "stablehlo.xor"(%188, %193) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %195 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %196 = "stablehlo.add"(%188, %195) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %197 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %198 = "stablehlo.add"(%194, %197) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %199 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %200 = "stablehlo.add"(%198, %199) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %201 = "stablehlo.add"(%196, %200) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %202 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %203 = "stablehlo.shift_left"(%200, %202) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %204 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %205 = "stablehlo.shift_right_logical"(%200, %204) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %206 = "stablehlo.or"(%203, %205) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %207 = "stablehlo.xor"(%201, %206) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %208 = "stablehlo.add"(%201, %207) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %209 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %210 = "stablehlo.shift_left"(%207, %209) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %211 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %212 = "stablehlo.shift_right_logical"(%207, %211) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %213 = "stablehlo.or"(%210, %212) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %214 = "stablehlo.xor"(%208, %213) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %215 = "stablehlo.add"(%208, %214) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %216 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %217 = "stablehlo.shift_left"(%214, %216) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %218 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %219 = "stablehlo.shift_right_logical"(%214, %218) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %220 = "stablehlo.or"(%217, %219) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %221 = "stablehlo.xor"(%215, %220) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %222 = "stablehlo.add"(%215, %221) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %223 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %224 = "stablehlo.shift_left"(%221, %223) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %225 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %226 = "stablehlo.shift_right_logical"(%221, %225) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %227 = "stablehlo.or"(%224, %226) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %228 = "stablehlo.xor"(%222, %227) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %229 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %230 = "stablehlo.add"(%222, %229) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %231 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %232 = "stablehlo.add"(%228, %231) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %233 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %234 = "stablehlo.add"(%232, %233) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %235 = "stablehlo.add"(%230, %234) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %236 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %237 = "stablehlo.shift_left"(%234, %236) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %238 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %239 = "stablehlo.shift_right_logical"(%234, %238) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %240 = "stablehlo.or"(%237, %239) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %241 = "stablehlo.xor"(%235, %240) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %242 = "stablehlo.add"(%235, %241) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %243 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %244 = "stablehlo.shift_left"(%241, %243) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %245 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %246 = "stablehlo.shift_right_logical"(%241, %245) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %247 = "stablehlo.or"(%244, %246) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %248 = "stablehlo.xor"(%242, %247) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %249 = "stablehlo.add"(%242, %248) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %250 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %251 = "stablehlo.shift_left"(%248, %250) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %252 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %253 = "stablehlo.shift_right_logical"(%248, %252) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %254 = "stablehlo.or"(%251, %253) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %255 = "stablehlo.xor"(%249, %254) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %256 = "stablehlo.add"(%249, %255) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %257 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %258 = "stablehlo.shift_left"(%255, %257) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %259 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %260 = "stablehlo.shift_right_logical"(%255, %259) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %261 = "stablehlo.or"(%258, %260) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %262 = "stablehlo.xor"(%256, %261) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %263 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %264 = "stablehlo.add"(%256, %263) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %265 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %266 = "stablehlo.add"(%262, %265) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %267 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %268 = "stablehlo.add"(%266, %267) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %269 = "stablehlo.add"(%264, %268) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %270 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %271 = "stablehlo.shift_left"(%268, %270) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %272 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %273 = "stablehlo.shift_right_logical"(%268, %272) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %274 = "stablehlo.or"(%271, %273) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %275 = "stablehlo.xor"(%269, %274) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %276 = "stablehlo.add"(%269, %275) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %277 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %278 = "stablehlo.shift_left"(%275, %277) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %279 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %280 = "stablehlo.shift_right_logical"(%275, %279) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %281 = "stablehlo.or"(%278, %280) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %282 = "stablehlo.xor"(%276, %281) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %283 = "stablehlo.add"(%276, %282) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %284 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %285 = "stablehlo.shift_left"(%282, %284) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %286 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %287 = "stablehlo.shift_right_logical"(%282, %286) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %288 = "stablehlo.or"(%285, %287) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %289 = "stablehlo.xor"(%283, %288) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %290 = "stablehlo.add"(%283, %289) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %291 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %292 = "stablehlo.shift_left"(%289, %291) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %293 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %294 = "stablehlo.shift_right_logical"(%289, %293) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %295 = "stablehlo.or"(%292, %294) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %296 = "stablehlo.xor"(%290, %295) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %297 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %298 = "stablehlo.add"(%290, %297) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %299 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %300 = "stablehlo.add"(%296, %299) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %301 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %302 = "stablehlo.add"(%300, %301) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    "func.return"(%298, %302) : (tensor<3x7xui32>, tensor<3x7xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x7xi1>, tensor<3x7xf32>, tensor<i32>) -> tensor<3x7xf32>, sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<3x7xi1>, %arg6: tensor<3x7xf32>, %arg7: tensor<i32>):
    %108 = "stablehlo.convert"(%arg7) : (tensor<i32>) -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x7xf32>
    %110 = "stablehlo.select"(%arg5, %arg6, %109) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    "func.return"(%110) : (tensor<3x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui32>) -> tensor<3x7xf32>, sym_name = "_normal", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2xui32>):
    %107 = "func.call"(%arg4) <{callee = @_normal_real}> : (tensor<2xui32>) -> tensor<3x7xf32>
    "func.return"(%107) : (tensor<3x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui32>) -> tensor<3x7xf32>, sym_name = "_normal_real", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2xui32>):
    %39 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %40 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %41 = "stablehlo.constant"() <{value = dense<2.83297682> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %42 = "stablehlo.constant"() <{value = dense<1.50140941> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %43 = "stablehlo.constant"() <{value = dense<1.00167406> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %44 = "stablehlo.constant"() <{value = dense<0.246640727> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %45 = "stablehlo.constant"() <{value = dense<0.00943887047> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %46 = "stablehlo.constant"() <{value = dense<-0.00417768164> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %47 = "stablehlo.constant"() <{value = dense<-0.0076224613> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %48 = "stablehlo.constant"() <{value = dense<-0.00125372503> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %49 = "stablehlo.constant"() <{value = dense<0.00573950773> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %50 = "stablehlo.constant"() <{value = dense<2.1858087E-4> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %51 = "stablehlo.constant"() <{value = dense<-0.00367342844> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %52 = "stablehlo.constant"() <{value = dense<-4.39150654E-6> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %53 = "stablehlo.constant"() <{value = dense<0.00134934322> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %54 = "stablehlo.constant"() <{value = dense<-3.5233877E-6> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %55 = "stablehlo.constant"() <{value = dense<1.00950558E-4> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %56 = "stablehlo.constant"() <{value = dense<3.43273939E-7> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %57 = "stablehlo.constant"() <{value = dense<-2.00214257E-4> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %58 = "stablehlo.constant"() <{value = dense<2.81022636E-8> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %59 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %60 = "stablehlo.constant"() <{value = dense<2.500000e+00> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %61 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<3x7xf32>}> : () -> tensor<3x7xf32>
    %62 = "stablehlo.constant"() <{value = dense<1.41421354> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.constant"() <{value = dense<-0.99999994> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %65 = "func.call"(%arg3, %63, %64) <{callee = @_uniform_0}> : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<3x7xf32>
    %66 = "stablehlo.negate"(%65) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    %67 = "stablehlo.multiply"(%65, %66) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %68 = "stablehlo.log_plus_one"(%67) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    %69 = "stablehlo.negate"(%68) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    %70 = "stablehlo.compare"(%69, %61) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xi1>
    %71 = "stablehlo.subtract"(%69, %60) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %72 = "stablehlo.sqrt"(%69) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    %73 = "stablehlo.subtract"(%72, %59) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %74 = "stablehlo.select"(%70, %71, %73) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %75 = "stablehlo.select"(%70, %58, %57) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %76 = "stablehlo.select"(%70, %56, %55) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %77 = "stablehlo.multiply"(%75, %74) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %78 = "stablehlo.add"(%76, %77) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %79 = "stablehlo.select"(%70, %54, %53) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %80 = "stablehlo.multiply"(%78, %74) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %81 = "stablehlo.add"(%79, %80) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %82 = "stablehlo.select"(%70, %52, %51) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %83 = "stablehlo.multiply"(%81, %74) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %84 = "stablehlo.add"(%82, %83) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %85 = "stablehlo.select"(%70, %50, %49) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %86 = "stablehlo.multiply"(%84, %74) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %87 = "stablehlo.add"(%85, %86) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %88 = "stablehlo.select"(%70, %48, %47) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %89 = "stablehlo.multiply"(%87, %74) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %90 = "stablehlo.add"(%88, %89) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %91 = "stablehlo.select"(%70, %46, %45) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %92 = "stablehlo.multiply"(%90, %74) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %93 = "stablehlo.add"(%91, %92) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %94 = "stablehlo.select"(%70, %44, %43) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %95 = "stablehlo.multiply"(%93, %74) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %96 = "stablehlo.add"(%94, %95) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %97 = "stablehlo.select"(%70, %42, %41) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %98 = "stablehlo.multiply"(%96, %74) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %99 = "stablehlo.add"(%97, %98) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %100 = "stablehlo.multiply"(%99, %65) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %101 = "stablehlo.abs"(%65) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    %102 = "stablehlo.compare"(%101, %40) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xi1>
    %103 = "stablehlo.multiply"(%65, %39) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %104 = "stablehlo.select"(%102, %103, %100) : (tensor<3x7xi1>, tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %105 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x7xf32>
    %106 = "stablehlo.multiply"(%105, %104) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    "func.return"(%106) : (tensor<3x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<3x7xf32>, sym_name = "_uniform_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>):
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<1065353216> : tensor<ui32>}> : () -> tensor<ui32>
    %2 = "stablehlo.constant"() <{value = dense<9> : tensor<ui32>}> : () -> tensor<ui32>
    %3 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %4 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %5 = "stablehlo.constant"() <{value = dense<7> : tensor<ui64>}> : () -> tensor<ui64>
    %6 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %7 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %8 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %9 = "stablehlo.reshape"(%8) : (tensor<1xui32>) -> tensor<ui32>
    %10 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %11 = "stablehlo.reshape"(%10) : (tensor<1xui32>) -> tensor<ui32>
    %12 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x7xui64>
    %13 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x7xui64>
    %14 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x7xui64>
    %15 = "stablehlo.multiply"(%14, %12) : (tensor<3x7xui64>, tensor<3x7xui64>) -> tensor<3x7xui64>
    %16 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x7xui64>
    %17 = "stablehlo.multiply"(%16, %13) : (tensor<3x7xui64>, tensor<3x7xui64>) -> tensor<3x7xui64>
    %18 = "stablehlo.add"(%15, %17) : (tensor<3x7xui64>, tensor<3x7xui64>) -> tensor<3x7xui64>
    %19 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x7xui64>
    %20 = "stablehlo.shift_right_logical"(%18, %19) : (tensor<3x7xui64>, tensor<3x7xui64>) -> tensor<3x7xui64>
    %21 = "stablehlo.convert"(%18) : (tensor<3x7xui64>) -> tensor<3x7xui32>
    %22 = "stablehlo.convert"(%20) : (tensor<3x7xui64>) -> tensor<3x7xui32>
    %23:2 = "func.call"(%9, %11, %22, %21) <{callee = @threefry2x32}> : (tensor<ui32>, tensor<ui32>, tensor<3x7xui32>, tensor<3x7xui32>) -> (tensor<3x7xui32>, tensor<3x7xui32>)
    %24 = "stablehlo.xor"(%23#0, %23#1) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %25 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %26 = "stablehlo.shift_right_logical"(%24, %25) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %27 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x7xui32>
    %28 = "stablehlo.or"(%26, %27) : (tensor<3x7xui32>, tensor<3x7xui32>) -> tensor<3x7xui32>
    %29 = "stablehlo.bitcast_convert"(%28) : (tensor<3x7xui32>) -> tensor<3x7xf32>
    %30 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x7xf32>
    %31 = "stablehlo.subtract"(%29, %30) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %32 = "stablehlo.subtract"(%7, %6) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<3x7xf32>
    %34 = "stablehlo.multiply"(%31, %33) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %35 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<3x7xf32>
    %36 = "stablehlo.add"(%34, %35) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    %37 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<3x7xf32>
    %38 = "stablehlo.maximum"(%37, %36) : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
    "func.return"(%38) : (tensor<3x7xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
