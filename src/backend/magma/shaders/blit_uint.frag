#version 450
layout(push_constant) uniform Push { vec4 box; vec4 extra; } push;  // extra.x: filter linearly
layout(set = 0, binding = 0) uniform usampler2D source;
layout(location = 0) in vec2 at;
layout(location = 0) out uvec4 color;
void main() {
  const ivec2 size = textureSize(source, 0);

  color = texelFetch(source, clamp(ivec2(floor(at)), ivec2(0), size - 1), 0);
}
