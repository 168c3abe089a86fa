// The GL that a workload calls: entry points taken from EGL, each call of a frame counted by name.
//
//   gl.BindTexture(GL_TEXTURE_2D, name);   set-up: not counted
//   GL(BindTexture)(GL_TEXTURE_2D, name);  of a frame: counted
//
// The same sources are built twice: for desktop OpenGL 3.3 core, and with WORKLOAD_ES=1 for OpenGL ES 3.2.
#pragma once

#define GL_GLEXT_PROTOTYPES 0
#include <GL/glcorearb.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#ifndef WORKLOAD_ES
#define WORKLOAD_ES 0
#endif

namespace workload {

inline constexpr bool kEs = WORKLOAD_ES != 0;

#define WORKLOAD_GL(F)                                                                                                 \
  F(ActiveTexture, ACTIVETEXTURE)                                                                                      \
  F(AttachShader, ATTACHSHADER)                                                                                        \
  F(BindBuffer, BINDBUFFER) F(BindFramebuffer, BINDFRAMEBUFFER) F(BindRenderbuffer, BINDRENDERBUFFER) F(               \
      BindTexture, BINDTEXTURE) F(BindVertexArray, BINDVERTEXARRAY) F(BlendEquation, BLENDEQUATION)                    \
      F(BlendFunc, BLENDFUNC) F(BlendFuncSeparate, BLENDFUNCSEPARATE) F(BlitFramebuffer, BLITFRAMEBUFFER) F(           \
          BufferData, BUFFERDATA) F(BufferSubData, BUFFERSUBDATA) F(CheckFramebufferStatus, CHECKFRAMEBUFFERSTATUS)    \
          F(Clear, CLEAR) F(ClearColor, CLEARCOLOR) F(ColorMask, COLORMASK) F(CompileShader, COMPILESHADER) F(         \
              CreateProgram, CREATEPROGRAM) F(CreateShader, CREATESHADER) F(CullFace, CULLFACE)                        \
              F(DepthFunc, DEPTHFUNC) F(DepthMask, DEPTHMASK) F(Disable, DISABLE) F(DrawArrays, DRAWARRAYS) F(         \
                  DrawBuffers, DRAWBUFFERS) F(DrawElements, DRAWELEMENTS) F(DrawElementsBaseVertex,                    \
                                                                            DRAWELEMENTSBASEVERTEX) F(Enable, ENABLE)  \
                  F(EnableVertexAttribArray, ENABLEVERTEXATTRIBARRAY) F(Flush, FLUSH) F(FramebufferRenderbuffer,       \
                                                                                        FRAMEBUFFERRENDERBUFFER)       \
                      F(FramebufferTexture2D, FRAMEBUFFERTEXTURE2D) F(FrontFace, FRONTFACE) F(GenBuffers, GENBUFFERS)  \
                          F(GenFramebuffers, GENFRAMEBUFFERS)                                                          \
                              F(GenRenderbuffers, GENRENDERBUFFERS) F(GenTextures, GENTEXTURES) F(                     \
                                  GenVertexArrays, GENVERTEXARRAYS) F(GenerateMipmap, GENERATEMIPMAP)                  \
                                  F(GetError, GETERROR) F(GetIntegerv, GETINTEGERV) F(                                 \
                                      GetProgramInfoLog, GETPROGRAMINFOLOG) F(GetProgramiv, GETPROGRAMIV)              \
                                      F(GetShaderInfoLog, GETSHADERINFOLOG) F(GetShaderiv, GETSHADERIV) F(             \
                                          GetString, GETSTRING)                                                        \
                                          F(GetUniformLocation, GETUNIFORMLOCATION) F(LinkProgram, LINKPROGRAM) F(     \
                                              PixelStorei, PIXELSTOREI) F(PolygonOffset, POLYGONOFFSET)                \
                                              F(ReadPixels, READPIXELS) F(RenderbufferStorage, RENDERBUFFERSTORAGE) F( \
                                                  Scissor, SCISSOR) F(ShaderSource, SHADERSOURCE)                      \
                                                  F(TexImage2D, TEXIMAGE2D) F(TexParameteri, TEXPARAMETERI) F(         \
                                                      Uniform1f, UNIFORM1F) F(Uniform1i, UNIFORM1I)                    \
                                                      F(Uniform2f, UNIFORM2F) F(Uniform3fv, UNIFORM3FV)                \
                                                          F(Uniform4f, UNIFORM4F) F(Uniform4fv, UNIFORM4FV)            \
                                                              F(UniformMatrix4fv, UNIFORMMATRIX4FV)                    \
                                                                  F(UseProgram, USEPROGRAM)                            \
                                                                      F(VertexAttribIPointer, VERTEXATTRIBIPOINTER)    \
                                                                          F(VertexAttribPointer, VERTEXATTRIBPOINTER)  \
                                                                              F(Viewport, VIEWPORT)                    \
                                                                                  WORKLOAD_GL_BINDINGS(F)              \
                                                                                      WORKLOAD_GL_DESKTOP(F)

// OpenGL 4.3, ARB_vertex_attrib_binding or ES 3.1.
#define WORKLOAD_GL_BINDINGS(F)               \
  F(BindVertexBuffer, BINDVERTEXBUFFER)       \
  F(VertexAttribBinding, VERTEXATTRIBBINDING) \
  F(VertexAttribFormat, VERTEXATTRIBFORMAT) F(VertexAttribIFormat, VERTEXATTRIBIFORMAT)

// What OpenGL ES 3.2 has not.
#define WORKLOAD_GL_DESKTOP(F) F(MultiDrawElementsBaseVertex, MULTIDRAWELEMENTSBASEVERTEX) F(PolygonMode, POLYGONMODE)

enum class Function : std::uint8_t {
#define WORKLOAD_FUNCTION(name, upper) name,
  WORKLOAD_GL(WORKLOAD_FUNCTION)
#undef WORKLOAD_FUNCTION
      Count
};

struct Entries {
#define WORKLOAD_FUNCTION(name, upper) PFNGL##upper##PROC name = nullptr;
  WORKLOAD_GL(WORKLOAD_FUNCTION)
#undef WORKLOAD_FUNCTION
};

extern Entries gl;

using Calls = std::array<unsigned, static_cast<std::size_t>(Function::Count)>;
extern Calls calls;  // made through GL(), since it was last zeroed

inline unsigned called(Function function) { return calls[static_cast<std::size_t>(function)]; }
unsigned calledInAll();
std::string_view name(Function function);

#define GL(name) (++::workload::calls[static_cast<std::size_t>(::workload::Function::name)], ::workload::gl.name)

// Takes every entry point that the API has. Ends the program when one is missing.
void loadEntries();
// Whether vertex formats and buffers are separate: fcl needs it.
bool hasVertexBindings();

[[noreturn]] void fail(const std::string& what);

}  // namespace workload
