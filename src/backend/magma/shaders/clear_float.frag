#version 450
layout(push_constant) uniform Push { vec4 box; vec4 value; } push;
layout(location = 0) out vec4 color;
void main() { color = push.value; }
