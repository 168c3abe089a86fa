#version 450
// One bit of stencil a draw: where it is not set, nothing is written.
layout(push_constant) uniform Push { vec4 box; vec4 extra; } push;  // extra.x: the bit
layout(set = 0, binding = 0) uniform usampler2D source;
layout(location = 0) in vec2 at;
void main() {
  const uint value = texelFetch(source, clamp(ivec2(floor(at)), ivec2(0), textureSize(source, 0) - 1), 0).x;
  if ((value & uint(push.extra.x)) == 0u) discard;
}
