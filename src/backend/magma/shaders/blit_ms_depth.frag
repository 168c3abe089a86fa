#version 450
layout(set = 0, binding = 0) uniform sampler2DMS source;
layout(location = 0) in vec2 at;
void main() { gl_FragDepth = texelFetch(source, clamp(ivec2(floor(at)), ivec2(0), textureSize(source) - 1), 0).x; }
