#version 450
layout(set = 0, binding = 0) uniform isampler2DMS source;
layout(location = 0) in vec2 at;
layout(location = 0) out ivec4 color;
void main() { color = texelFetch(source, clamp(ivec2(floor(at)), ivec2(0), textureSize(source) - 1), 0); }
