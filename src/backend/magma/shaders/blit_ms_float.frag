#version 450
layout(push_constant) uniform Push { vec4 box; vec4 extra; } push;  // extra.y: samples
layout(set = 0, binding = 0) uniform sampler2DMS source;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
void main() {
  const ivec2 texel = clamp(ivec2(floor(at)), ivec2(0), textureSize(source) - 1);
  const int count = int(push.extra.y);
  vec4 sum = vec4(0.0);
  for (int i = 0; i < count; ++i) sum += texelFetch(source, texel, i);
  color = sum / float(count);
}
