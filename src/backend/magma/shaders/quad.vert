#version 450
// A triangle over the viewport; `at` runs over the source box, in texels.
layout(push_constant) uniform Push { vec4 box; vec4 extra; } push;
layout(location = 0) out vec2 at;
void main() {
  const vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
  at = push.box.xy + corner * push.box.zw;
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
