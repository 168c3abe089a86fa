#!/usr/bin/env python3
"""A small scene, drawn off screen with moderngl: a field of textured, lit, instanced boxes over a floor, depth-tested,
with a uniform block, into a framebuffer with two colour targets (the lit picture and the normals), read back.

  scene.py OUT.npz [OUT.png]

Everything is computed from constants, so two drivers can be compared on it.  It knows nothing of the driver that runs it.
"""
import math
import struct
import sys

import moderngl
import numpy as np

WIDTH, HEIGHT = 480, 320
GRID = 7

VERTEX = """
#version 330 core

layout(std140) uniform Frame {
    mat4 view_projection;
    vec4 light;        // direction to the light, ambient in w
    vec4 eye;          // position of the eye, shininess in w
    vec4 tints[4];
};

in vec3 in_position;
in vec3 in_normal;
in vec2 in_uv;
in vec4 in_place;      // instance: position, turn about the vertical in w
in vec3 in_size;       // instance
in int in_tint;        // instance

out vec3 v_normal;
out vec3 v_world;
out vec2 v_uv;
flat out vec4 v_tint;

void main() {
    float c = cos(in_place.w), s = sin(in_place.w);
    mat3 turn = mat3(c, 0.0, -s, 0.0, 1.0, 0.0, s, 0.0, c);
    vec3 world = turn * (in_position * in_size) + in_place.xyz;
    v_normal = turn * in_normal;
    v_world = world;
    v_uv = in_uv * max(in_size.x, in_size.z);
    v_tint = tints[in_tint];
    gl_Position = view_projection * vec4(world, 1.0);
}
"""

FRAGMENT = """
#version 330 core

layout(std140) uniform Frame {
    mat4 view_projection;
    vec4 light;
    vec4 eye;
    vec4 tints[4];
};
uniform sampler2D surface;

in vec3 v_normal;
in vec3 v_world;
in vec2 v_uv;
flat in vec4 v_tint;

layout(location = 0) out vec4 out_color;
layout(location = 1) out vec4 out_normal;

void main() {
    vec3 n = normalize(v_normal);
    vec3 to_eye = normalize(eye.xyz - v_world);
    vec3 half_way = normalize(to_eye + light.xyz);
    float diffuse = max(dot(n, light.xyz), 0.0);
    float specular = diffuse > 0.0 ? pow(max(dot(n, half_way), 0.0), eye.w) : 0.0;
    vec3 base = texture(surface, v_uv).rgb * v_tint.rgb;
    float fog = clamp((length(eye.xyz - v_world) - 9.0) / 16.0, 0.0, 0.8);
    vec3 lit = base * (light.w + diffuse) + vec3(0.35 * specular);
    out_color = vec4(mix(lit, vec3(0.56, 0.66, 0.78), fog), 1.0);
    out_normal = vec4(n * 0.5 + 0.5, 1.0);
}
"""


def box():
    """36 vertices of a unit box that stands on the ground: position, normal, texture coordinate."""
    out = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = [0.0, 0.0, 0.0]
            normal[axis] = sign
            u, v = (axis + 1) % 3, (axis + 2) % 3
            corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
            order = (0, 1, 2, 0, 2, 3) if sign > 0 else (0, 2, 1, 0, 3, 2)
            for i in order:
                p = [0.0, 0.0, 0.0]
                p[axis], p[u], p[v] = 0.5 * sign, 0.5 * corners[i][0], 0.5 * corners[i][1]
                p[1] += 0.5
                out += p + normal + [0.5 + 0.5 * corners[i][0], 0.5 + 0.5 * corners[i][1]]
    return np.array(out, dtype="f4")


def instances():
    """One floor and GRID x GRID boxes, from a fixed recurrence: floats for place, turn and size, an integer for the tint."""
    rows = [struct.pack("7fi", 0.0, -0.5, 0.0, 0.0, 16.0, 0.5, 16.0, 3)]
    state = 12345
    for z in range(GRID):
        for x in range(GRID):
            numbers = []
            for _ in range(3):
                state = (state * 1103515245 + 12345) % 2147483648
                numbers.append(state / 2147483648)
            height = 0.4 + 2.2 * numbers[0]
            rows.append(struct.pack("7fi", 1.5 * (x - GRID // 2), 0.0, 1.5 * (z - GRID // 2), 3.0 * numbers[1],
                                    0.8, height, 0.8, int(3 * numbers[2])))
    return b"".join(rows), len(rows)


def surface():
    """64 x 64 bricks with a soft grain, RGB."""
    y, x = np.mgrid[0:64, 0:64].astype("f4")
    row = (y // 16).astype(int)
    shifted = (x + 16 * (row % 2)) % 32
    mortar = ((y % 16) < 2) | (shifted < 2)
    grain = 0.92 + 0.08 * np.sin(0.7 * x) * np.cos(0.9 * y)
    shade = np.where(mortar, 0.45, 0.95) * grain
    rgb = np.stack([shade, shade * 0.96, shade * 0.9], axis=-1)
    return np.clip(rgb * 255 + 0.5, 0, 255).astype("u1")


def look_at_projection():
    eye = np.array([5.5, 6.0, 8.5])
    target = np.array([0.0, 0.6, 0.0])
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    view = np.eye(4)
    view[0, :3], view[1, :3], view[2, :3] = right, up, -forward
    view[:3, 3] = -view[:3, :3] @ eye
    near, far, f = 0.5, 60.0, 1.0 / math.tan(math.radians(27.0))
    projection = np.zeros((4, 4))
    projection[0, 0], projection[1, 1] = f * HEIGHT / WIDTH, f
    projection[2, 2], projection[2, 3] = (far + near) / (near - far), 2 * far * near / (near - far)
    projection[3, 2] = -1.0
    return (projection @ view).T.astype("f4"), eye


def draw(ctx):
    program = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    matrix, eye = look_at_projection()
    light = np.array([0.45, 0.8, 0.35])
    light /= np.linalg.norm(light)
    tints = [(1.0, 0.55, 0.4, 1), (0.45, 0.75, 1.0, 1), (0.8, 1.0, 0.5, 1), (0.75, 0.75, 0.8, 1)]
    block = ctx.buffer(matrix.tobytes() + struct.pack("4f", *light, 0.25) + struct.pack("4f", *eye, 24.0)
                       + np.array(tints, dtype="f4").tobytes())
    block.bind_to_uniform_block(2)
    program["Frame"].binding = 2
    program["surface"].value = 3

    texture = ctx.texture((64, 64), 3, surface().tobytes())
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    texture.repeat_x = texture.repeat_y = True
    texture.use(3)

    rows, count = instances()
    shape = ctx.vertex_array(program, [
        (ctx.buffer(box().tobytes()), "3f 3f 2f", "in_position", "in_normal", "in_uv"),
        (ctx.buffer(rows), "4f 3f i/i", "in_place", "in_size", "in_tint"),
    ])
    color = ctx.texture((WIDTH, HEIGHT), 4)
    normal = ctx.texture((WIDTH, HEIGHT), 4)
    target = ctx.framebuffer([color, normal], ctx.depth_renderbuffer((WIDTH, HEIGHT)))
    target.use()
    target.clear(0.56, 0.66, 0.78, 1.0)
    ctx.enable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
    shape.render(moderngl.TRIANGLES, instances=count)

    pictures = [np.frombuffer(target.read(components=4, attachment=i), dtype="u1").reshape(HEIGHT, WIDTH, 4)[::-1]
                for i in range(2)]
    if ctx.error != "GL_NO_ERROR":
        raise SystemExit(f"GL error: {ctx.error}")
    return pictures


def main():
    ctx = moderngl.create_standalone_context(backend="egl", require=330)
    color, normal = draw(ctx)
    np.savez_compressed(sys.argv[1], color=color, normal=normal, renderer=ctx.info["GL_RENDERER"])
    if len(sys.argv) > 2:
        from PIL import Image
        Image.fromarray(color, "RGBA").save(sys.argv[2])
    print(f"{ctx.info['GL_RENDERER']}, {ctx.info['GL_VERSION']}: {WIDTH}x{HEIGHT}, two targets, "
          f"mean colour {color[..., :3].mean():.1f}")


main()
