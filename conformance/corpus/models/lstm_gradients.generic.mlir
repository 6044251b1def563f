"builtin.module"() <{sym_name = "jit_lstm_gradients"}> ({
  "func.func"() <{function_type = (tensor<6x2x3xf32>, tensor<7x16xf32>) -> (tensor<f32>, tensor<7x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg33: tensor<6x2x3xf32>, %arg34: tensor<7x16xf32>):
    %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %100 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %102 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x7xf32>
    %104 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %106 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %108 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %110 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %112 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %114 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %116 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %118 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %120 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %122 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %123 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %124 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %125 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x2x4xf32>
    %126 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %127:18 = "stablehlo.while"(%arg33, %arg34, %126, %99, %99, %101, %103, %105, %107, %109, %111, %113, %115, %117, %119, %121, %123, %125) ({
    ^bb0(%arg91: tensor<6x2x3xf32>, %arg92: tensor<7x16xf32>, %arg93: tensor<i32>, %arg94: tensor<2x4xf32>, %arg95: tensor<2x4xf32>, %arg96: tensor<6x2x4xf32>, %arg97: tensor<6x2x7xf32>, %arg98: tensor<6x2x4xf32>, %arg99: tensor<6x2x4xf32>, %arg100: tensor<6x2x4xf32>, %arg101: tensor<6x2x4xf32>, %arg102: tensor<6x2x4xf32>, %arg103: tensor<6x2x4xf32>, %arg104: tensor<6x2x4xf32>, %arg105: tensor<6x2x4xf32>, %arg106: tensor<6x2x4xf32>, %arg107: tensor<6x2x4xf32>, %arg108: tensor<6x2x4xf32>):
      %185 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
      %186 = "stablehlo.compare"(%arg93, %185) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%186) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg73: tensor<6x2x3xf32>, %arg74: tensor<7x16xf32>, %arg75: tensor<i32>, %arg76: tensor<2x4xf32>, %arg77: tensor<2x4xf32>, %arg78: tensor<6x2x4xf32>, %arg79: tensor<6x2x7xf32>, %arg80: tensor<6x2x4xf32>, %arg81: tensor<6x2x4xf32>, %arg82: tensor<6x2x4xf32>, %arg83: tensor<6x2x4xf32>, %arg84: tensor<6x2x4xf32>, %arg85: tensor<6x2x4xf32>, %arg86: tensor<6x2x4xf32>, %arg87: tensor<6x2x4xf32>, %arg88: tensor<6x2x4xf32>, %arg89: tensor<6x2x4xf32>, %arg90: tensor<6x2x4xf32>):
      %168 = "func.call"(%arg73, %arg75) <{callee = @dynamic_index_in_dim}> : (tensor<6x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %169:15 = "func.call"(%arg74, %arg76, %arg77, %168) <{callee = @closed_call}> : (tensor<7x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x7xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %170 = "func.call"(%arg78, %169#2, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %171 = "func.call"(%arg79, %169#3, %arg75) <{callee = @dynamic_update_index_in_dim_0}> : (tensor<6x2x7xf32>, tensor<2x7xf32>, tensor<i32>) -> tensor<6x2x7xf32>
      %172 = "func.call"(%arg80, %169#4, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %173 = "func.call"(%arg81, %169#5, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %174 = "func.call"(%arg82, %169#6, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %175 = "func.call"(%arg83, %169#7, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %176 = "func.call"(%arg84, %169#8, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %177 = "func.call"(%arg85, %169#9, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %178 = "func.call"(%arg86, %169#10, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %179 = "func.call"(%arg87, %169#11, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %180 = "func.call"(%arg88, %169#12, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %181 = "func.call"(%arg89, %169#13, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %182 = "func.call"(%arg90, %169#14, %arg75) <{callee = @dynamic_update_index_in_dim}> : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %183 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %184 = "stablehlo.add"(%arg75, %183) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg73, %arg74, %184, %169#0, %169#1, %170, %171, %172, %173, %174, %175, %176, %177, %178, %179, %180, %181, %182) : (tensor<6x2x3xf32>, tensor<7x16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x7xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>) -> ()
    }) : (tensor<6x2x3xf32>, tensor<7x16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x7xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>) -> (tensor<6x2x3xf32>, tensor<7x16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x7xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>)
    %128 = "stablehlo.slice"(%127#5) <{limit_indices = array<i64: 6, 2, 4>, start_indices = array<i64: 5, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<6x2x4xf32>) -> tensor<1x2x4xf32>
    %129 = "stablehlo.reshape"(%128) : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %130 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.reduce"(%129, %130) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg71: tensor<f32>, %arg72: tensor<f32>):
      %167 = "stablehlo.add"(%arg71, %arg72) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%167) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
    %132 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %133 = "stablehlo.broadcast_in_dim"(%132) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %134 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %135 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %136 = "stablehlo.pad"(%134, %135) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 5, 0, 0>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<1x2x4xf32>, tensor<f32>) -> tensor<6x2x4xf32>
    %137 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %139 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %141 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<7x16xf32>
    %143 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %144:18 = "stablehlo.while"(%136, %127#6, %127#7, %127#8, %127#9, %127#10, %127#11, %127#12, %127#13, %127#14, %127#15, %127#16, %127#17, %arg34, %143, %142, %138, %140) ({
    ^bb0(%arg53: tensor<6x2x4xf32>, %arg54: tensor<6x2x7xf32>, %arg55: tensor<6x2x4xf32>, %arg56: tensor<6x2x4xf32>, %arg57: tensor<6x2x4xf32>, %arg58: tensor<6x2x4xf32>, %arg59: tensor<6x2x4xf32>, %arg60: tensor<6x2x4xf32>, %arg61: tensor<6x2x4xf32>, %arg62: tensor<6x2x4xf32>, %arg63: tensor<6x2x4xf32>, %arg64: tensor<6x2x4xf32>, %arg65: tensor<6x2x4xf32>, %arg66: tensor<7x16xf32>, %arg67: tensor<i32>, %arg68: tensor<7x16xf32>, %arg69: tensor<2x4xf32>, %arg70: tensor<2x4xf32>):
      %165 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
      %166 = "stablehlo.compare"(%arg67, %165) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%166) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg35: tensor<6x2x4xf32>, %arg36: tensor<6x2x7xf32>, %arg37: tensor<6x2x4xf32>, %arg38: tensor<6x2x4xf32>, %arg39: tensor<6x2x4xf32>, %arg40: tensor<6x2x4xf32>, %arg41: tensor<6x2x4xf32>, %arg42: tensor<6x2x4xf32>, %arg43: tensor<6x2x4xf32>, %arg44: tensor<6x2x4xf32>, %arg45: tensor<6x2x4xf32>, %arg46: tensor<6x2x4xf32>, %arg47: tensor<6x2x4xf32>, %arg48: tensor<7x16xf32>, %arg49: tensor<i32>, %arg50: tensor<7x16xf32>, %arg51: tensor<2x4xf32>, %arg52: tensor<2x4xf32>):
      %145 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
      %146 = "stablehlo.subtract"(%145, %arg49) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %147 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %148 = "stablehlo.subtract"(%146, %147) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %149 = "func.call"(%arg35, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %150 = "func.call"(%arg36, %148) <{callee = @dynamic_index_in_dim_2}> : (tensor<6x2x7xf32>, tensor<i32>) -> tensor<2x7xf32>
      %151 = "func.call"(%arg37, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %152 = "func.call"(%arg38, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %153 = "func.call"(%arg39, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %154 = "func.call"(%arg40, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %155 = "func.call"(%arg41, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %156 = "func.call"(%arg42, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %157 = "func.call"(%arg43, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %158 = "func.call"(%arg44, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %159 = "func.call"(%arg45, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %160 = "func.call"(%arg46, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %161 = "func.call"(%arg47, %148) <{callee = @dynamic_index_in_dim_1}> : (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %162:3 = "func.call"(%arg48, %arg50, %arg51, %arg52, %149, %150, %151, %152, %153, %154, %155, %156, %157, %158, %159, %160, %161) <{callee = @closed_call_3}> : (tensor<7x16xf32>, tensor<7x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x7xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<7x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %163 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %164 = "stablehlo.add"(%arg49, %163) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg35, %arg36, %arg37, %arg38, %arg39, %arg40, %arg41, %arg42, %arg43, %arg44, %arg45, %arg46, %arg47, %arg48, %164, %162#0, %162#1, %162#2) : (tensor<6x2x4xf32>, tensor<6x2x7xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<7x16xf32>, tensor<i32>, tensor<7x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> ()
    }) : (tensor<6x2x4xf32>, tensor<6x2x7xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<7x16xf32>, tensor<i32>, tensor<7x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<6x2x4xf32>, tensor<6x2x7xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<6x2x4xf32>, tensor<7x16xf32>, tensor<i32>, tensor<7x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
    "func.return"(%131, %144#15) : (tensor<f32>, tensor<7x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>, sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<6x2x3xf32>, %arg32: tensor<i32>):
    %94 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %95 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %96 = "stablehlo.dynamic_slice"(%arg31, %arg32, %94, %95) <{slice_sizes = array<i64: 1, 2, 3>}> : (tensor<6x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
    %97 = "stablehlo.reshape"(%96) : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%97) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<7x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x7xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>), sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg27: tensor<7x16xf32>, %arg28: tensor<2x4xf32>, %arg29: tensor<2x4xf32>, %arg30: tensor<2x3xf32>):
    %40 = "stablehlo.concatenate"(%arg30, %arg28) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
    %41 = "stablehlo.dot_general"(%40, %arg27) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x7xf32>, tensor<7x16xf32>) -> tensor<2x16xf32>
    %42 = "stablehlo.slice"(%41) <{limit_indices = array<i64: 2, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %43 = "stablehlo.slice"(%41) <{limit_indices = array<i64: 2, 8>, start_indices = array<i64: 0, 4>, strides = array<i64: 1, 1>}> : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %44 = "stablehlo.slice"(%41) <{limit_indices = array<i64: 2, 12>, start_indices = array<i64: 0, 8>, strides = array<i64: 1, 1>}> : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %45 = "stablehlo.slice"(%41) <{limit_indices = array<i64: 2, 16>, start_indices = array<i64: 0, 12>, strides = array<i64: 1, 1>}> : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %46 = "stablehlo.negate"(%43) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %47 = "stablehlo.exponential"(%46) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %48 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %50 = "stablehlo.add"(%49, %47) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %51 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %53 = "stablehlo.divide"(%52, %50) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %54 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %56 = "stablehlo.subtract"(%55, %53) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %57 = "stablehlo.multiply"(%53, %56) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %58 = "stablehlo.multiply"(%53, %arg29) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %59 = "stablehlo.negate"(%42) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %60 = "stablehlo.exponential"(%59) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %61 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %63 = "stablehlo.add"(%62, %60) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %64 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %66 = "stablehlo.divide"(%65, %63) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %67 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %69 = "stablehlo.subtract"(%68, %66) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %70 = "stablehlo.multiply"(%66, %69) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %71 = "stablehlo.tanh"(%44) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %72 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %74 = "stablehlo.subtract"(%73, %71) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %75 = "stablehlo.multiply"(%66, %71) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %76 = "stablehlo.add"(%58, %75) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %77 = "stablehlo.negate"(%45) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %78 = "stablehlo.exponential"(%77) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %79 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %81 = "stablehlo.add"(%80, %78) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %82 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %84 = "stablehlo.divide"(%83, %81) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %85 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %87 = "stablehlo.subtract"(%86, %84) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %88 = "stablehlo.multiply"(%84, %87) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %89 = "stablehlo.tanh"(%76) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %90 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %92 = "stablehlo.subtract"(%91, %89) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %93 = "stablehlo.multiply"(%84, %89) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%93, %76, %93, %40, %57, %arg29, %53, %70, %71, %74, %66, %88, %89, %92, %84) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x7xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>, sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg24: tensor<6x2x4xf32>, %arg25: tensor<2x4xf32>, %arg26: tensor<i32>):
    %36 = "stablehlo.broadcast_in_dim"(%arg25) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %37 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %39 = "stablehlo.dynamic_update_slice"(%arg24, %36, %arg26, %37, %38) : (tensor<6x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x4xf32>
    "func.return"(%39) : (tensor<6x2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6x2x7xf32>, tensor<2x7xf32>, tensor<i32>) -> tensor<6x2x7xf32>, sym_name = "dynamic_update_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg21: tensor<6x2x7xf32>, %arg22: tensor<2x7xf32>, %arg23: tensor<i32>):
    %32 = "stablehlo.broadcast_in_dim"(%arg22) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<2x7xf32>) -> tensor<1x2x7xf32>
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.dynamic_update_slice"(%arg21, %32, %arg23, %33, %34) : (tensor<6x2x7xf32>, tensor<1x2x7xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x7xf32>
    "func.return"(%35) : (tensor<6x2x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>, sym_name = "dynamic_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<6x2x4xf32>, %arg20: tensor<i32>):
    %28 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %30 = "stablehlo.dynamic_slice"(%arg19, %arg20, %28, %29) <{slice_sizes = array<i64: 1, 2, 4>}> : (tensor<6x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %31 = "stablehlo.reshape"(%30) : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%31) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6x2x7xf32>, tensor<i32>) -> tensor<2x7xf32>, sym_name = "dynamic_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<6x2x7xf32>, %arg18: tensor<i32>):
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.dynamic_slice"(%arg17, %arg18, %24, %25) <{slice_sizes = array<i64: 1, 2, 7>}> : (tensor<6x2x7xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x7xf32>
    %27 = "stablehlo.reshape"(%26) : (tensor<1x2x7xf32>) -> tensor<2x7xf32>
    "func.return"(%27) : (tensor<2x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<7x16xf32>, tensor<7x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x7xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<7x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>), sym_name = "closed_call_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<7x16xf32>, %arg1: tensor<7x16xf32>, %arg2: tensor<2x4xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x7xf32>, %arg6: tensor<2x4xf32>, %arg7: tensor<2x4xf32>, %arg8: tensor<2x4xf32>, %arg9: tensor<2x4xf32>, %arg10: tensor<2x4xf32>, %arg11: tensor<2x4xf32>, %arg12: tensor<2x4xf32>, %arg13: tensor<2x4xf32>, %arg14: tensor<2x4xf32>, %arg15: tensor<2x4xf32>, %arg16: tensor<2x4xf32>):
    %0 = "stablehlo.add"(%arg2, %arg4) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %1 = "stablehlo.multiply"(%arg16, %0) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %2 = "stablehlo.multiply"(%0, %arg14) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = "stablehlo.multiply"(%1, %arg15) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %4 = "stablehlo.add"(%arg3, %3) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %5 = "stablehlo.multiply"(%3, %arg14) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %6 = "stablehlo.add"(%4, %5) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %7 = "stablehlo.multiply"(%2, %arg13) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %8 = "stablehlo.multiply"(%arg12, %6) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %9 = "stablehlo.multiply"(%6, %arg10) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %10 = "stablehlo.multiply"(%8, %arg11) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %11 = "stablehlo.multiply"(%10, %arg10) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %12 = "stablehlo.add"(%10, %11) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %13 = "stablehlo.multiply"(%9, %arg9) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %14 = "stablehlo.multiply"(%arg8, %6) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %15 = "stablehlo.multiply"(%6, %arg7) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %16 = "stablehlo.multiply"(%15, %arg6) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %17 = "stablehlo.concatenate"(%13, %16, %12, %7) <{dimension = 1 : i64}> : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x16xf32>
    %18 = "stablehlo.dot_general"(%17, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<2x16xf32>, tensor<2x7xf32>) -> tensor<16x7xf32>
    %19 = "stablehlo.transpose"(%18) <{permutation = array<i64: 1, 0>}> : (tensor<16x7xf32>) -> tensor<7x16xf32>
    %20 = "stablehlo.add"(%arg1, %19) : (tensor<7x16xf32>, tensor<7x16xf32>) -> tensor<7x16xf32>
    %21 = "stablehlo.dot_general"(%17, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x16xf32>, tensor<7x16xf32>) -> tensor<2x7xf32>
    %22 = "stablehlo.slice"(%21) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x7xf32>) -> tensor<2x3xf32>
    %23 = "stablehlo.slice"(%21) <{limit_indices = array<i64: 2, 7>, start_indices = array<i64: 0, 3>, strides = array<i64: 1, 1>}> : (tensor<2x7xf32>) -> tensor<2x4xf32>
    "func.return"(%20, %23, %14) : (tensor<7x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
