#version 450
layout(push_constant) uniform Push { vec4 box; ivec4 value; } push;
layout(location = 0) out ivec4 color;
void main() { color = push.value; }
