#include "harness/scenario.h"

// KHR_debug's labels, groups and marks on objects that are drawn with (OpenGL 4.6 sections 20.3, 20.6, 20.9): what was set is
// what is answered, and none of it changes the picture.
SCENARIO(lifetime, labels_and_marks, .needs = {"GL_KHR_debug"}) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  const GLuint texture = makeSolidTexture(2, 2, {255, 128, 0, 255});
  GLuint buffer, array, query;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, 64, nullptr, GL_STATIC_DRAW);
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  glGenQueries(1, &query);
  glBeginQuery(GL_SAMPLES_PASSED, query);
  glEndQuery(GL_SAMPLES_PASSED);
  GLint bound = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);

  const struct {
    GLenum kind;
    GLuint name;
    std::string label;
  } labelled[] = {{GL_BUFFER, buffer, "vertices"},           {GL_TEXTURE, texture, "a brick"},
                  {GL_PROGRAM, program, "full screen"},      {GL_VERTEX_ARRAY, array, "empty"},
                  {GL_QUERY, query, "samples"},              {GL_FRAMEBUFFER, static_cast<GLuint>(bound), "target"}};
  const auto answer = [](GLenum kind, GLuint name) {
    char text[64] = "";
    glGetObjectLabel(kind, name, sizeof text, nullptr, text);
    return std::string(text);
  };
  for (const auto& object : labelled) glObjectLabel(object.kind, object.name, -1, object.label.c_str());
  glObjectPtrLabel(fence, 3, "fence");
  for (const auto& object : labelled) CHECK_EQ(answer(object.kind, object.name), object.label);
  char text[64] = "";
  glGetObjectPtrLabel(fence, sizeof text, nullptr, text);
  CHECK_EQ(std::string(text), std::string("fen"));

  glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 1, -1, "frame");
  glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 2, GL_DEBUG_SEVERITY_NOTIFICATION, -1, "draw");
  glViewport(0, 0, s.width(), s.height());
  glBindTexture(GL_TEXTURE_2D, texture);
  drawFull(program);
  glPopDebugGroup();
  glObjectLabel(GL_TEXTURE, texture, 0, nullptr);
  CHECK_EQ(answer(GL_TEXTURE, texture), std::string());
  CHECK_GL_ERROR(GL_NO_ERROR);
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{255, 128, 0, 255});
  glDeleteSync(fence);
}
