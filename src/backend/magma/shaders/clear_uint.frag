#version 450
layout(push_constant) uniform Push { vec4 box; uvec4 value; } push;
layout(location = 0) out uvec4 color;
void main() { color = push.value; }
