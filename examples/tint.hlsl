// SPDX-License-Identifier: Apache-2.0
// For `fenceline shader`: a pixel shader that tints a picture, and a compute shader that darkens one.
Texture2D<float4> picture : register(t0);
RWTexture2D<float4> darkened : register(u0);
SamplerState wrapped : register(s0);
cbuffer Tint : register(b0) { float4 tint; };

#ifndef AMOUNT
#define AMOUNT 0.25
#endif

float4 main(float4 position : SV_Position, float2 at : TEXCOORD0) : SV_Target {
  return picture.Sample(wrapped, at) * tint;
}

[numthreads(8, 8, 1)] void darken(uint3 at : SV_DispatchThreadID) {
  darkened[at.xy] = picture.Load(int3(at.xy, 0)) * AMOUNT;
}
