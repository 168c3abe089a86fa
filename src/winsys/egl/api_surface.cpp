#include <algorithm>

#include "base/log.h"
#include "winsys/egl/functions.h"
#include "winsys/egl/objects.h"
#include "winsys/egl/thread_state.h"

namespace mgl::winsys::egl::api {
namespace {

struct PbufferAttribs {
  EGLint width = 0, height = 0, largest = EGL_FALSE, colorspace = EGL_GL_COLORSPACE_LINEAR;
};

// EGL 1.5, section 3.5.2. EGL_SUCCESS or the error.
EGLint parsePbufferAttribs(const EGLint* attribs, PbufferAttribs* out) {
  for (; attribs != nullptr && attribs[0] != EGL_NONE; attribs += 2) {
    const EGLint value = attribs[1];
    switch (attribs[0]) {
      case EGL_WIDTH: out->width = value; break;
      case EGL_HEIGHT: out->height = value; break;
      case EGL_LARGEST_PBUFFER: out->largest = value; break;
      case EGL_GL_COLORSPACE:
        if (value != EGL_GL_COLORSPACE_LINEAR && value != EGL_GL_COLORSPACE_SRGB) return EGL_BAD_ATTRIBUTE;
        out->colorspace = value;
        break;
      case EGL_VG_COLORSPACE:
      case EGL_VG_ALPHA_FORMAT: break;  // of OpenVG: allowed, and nothing here renders with it
      // Bound as a texture only by OpenGL ES, which no config renders. The values that mean "not at all" are harmless.
      case EGL_TEXTURE_FORMAT:
      case EGL_TEXTURE_TARGET:
        if (value != EGL_NO_TEXTURE) return EGL_BAD_ATTRIBUTE;
        break;
      case EGL_MIPMAP_TEXTURE:
        if (value != EGL_FALSE) return EGL_BAD_ATTRIBUTE;
        break;
      default: return EGL_BAD_ATTRIBUTE;
    }
  }
  return out->width < 0 || out->height < 0 ? EGL_BAD_PARAMETER : EGL_SUCCESS;
}

// No config of ours draws to windows or pixmaps.
EGLSurface refuseNative(EGLDisplay dpy, EGLConfig config, const char* what) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_NO_SURFACE;
  if (findConfig(display, config) == nullptr) return fail<EGLSurface>(EGL_BAD_CONFIG, EGL_NO_SURFACE);
  MGL_LOG_ONCE(Warning, "%s: a display without a window system has pbuffers only", what);
  return fail<EGLSurface>(EGL_BAD_MATCH, EGL_NO_SURFACE);
}

}  // namespace

EGLSurface CreatePbufferSurface(EGLDisplay dpy, EGLConfig config, const EGLint* attrib_list) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_NO_SURFACE;
  const Config* found = findConfig(display, config);
  if (found == nullptr) return fail<EGLSurface>(EGL_BAD_CONFIG, EGL_NO_SURFACE);
  PbufferAttribs attribs;
  const EGLint error = parsePbufferAttribs(attrib_list, &attribs);
  if (error != EGL_SUCCESS) return fail<EGLSurface>(error, EGL_NO_SURFACE);
  if (attribs.width > found->maxWidth || attribs.height > found->maxHeight) {
    if (attribs.largest == EGL_FALSE) return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);
    attribs.width = std::min(attribs.width, found->maxWidth);
    attribs.height = std::min(attribs.height, found->maxHeight);
  }

  std::string why;
  const std::shared_ptr<Session> session = workingSession(*display, why);
  if (session == nullptr) {
    MGL_LOGE("eglCreatePbufferSurface: %s", why.c_str());
    return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);
  }
  SurfaceSpec spec;
  spec.width = static_cast<u32>(attribs.width);
  spec.height = static_cast<u32>(attribs.height);
  spec.samples = static_cast<u32>(std::max(found->samples, 1));
  spec.depthBits = static_cast<u32>(found->depth);
  spec.stencilBits = static_cast<u32>(found->stencil);
  spec.srgb = attribs.colorspace == EGL_GL_COLORSPACE_SRGB;
  GlSurface* gl = session->createPbuffer(spec, why);
  if (gl == nullptr) {
    MGL_LOGE("eglCreatePbufferSurface: %s", why.c_str());
    return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);
  }
  auto surface = std::make_shared<Surface>(display, session, gl);
  surface->config = found;
  surface->width = attribs.width;
  surface->height = attribs.height;
  surface->largestPbuffer = attribs.largest;
  surface->colorspace = attribs.colorspace;
  const std::lock_guard lock(objectsMutex());
  display->surfaces.emplace(surface.get(), surface);
  return succeed<EGLSurface>(surface.get());
}

EGLSurface CreatePbufferFromClientBuffer(EGLDisplay dpy, EGLenum buftype, EGLClientBuffer buffer, EGLConfig config,
                                         const EGLint* attrib_list) {
  static_cast<void>(buffer);
  static_cast<void>(attrib_list);
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_NO_SURFACE;
  if (findConfig(display, config) == nullptr) return fail<EGLSurface>(EGL_BAD_CONFIG, EGL_NO_SURFACE);
  static_cast<void>(buftype);  // EGL_OPENVG_IMAGE is the only one that EGL has, and there is no OpenVG
  return fail<EGLSurface>(EGL_BAD_PARAMETER, EGL_NO_SURFACE);
}

EGLSurface CreateWindowSurface(EGLDisplay dpy, EGLConfig config, EGLNativeWindowType, const EGLint*) {
  return refuseNative(dpy, config, "eglCreateWindowSurface");
}
EGLSurface CreatePixmapSurface(EGLDisplay dpy, EGLConfig config, EGLNativePixmapType, const EGLint*) {
  return refuseNative(dpy, config, "eglCreatePixmapSurface");
}
EGLSurface CreatePlatformWindowSurface(EGLDisplay dpy, EGLConfig config, void*, const EGLAttrib*) {
  return refuseNative(dpy, config, "eglCreatePlatformWindowSurface");
}
EGLSurface CreatePlatformPixmapSurface(EGLDisplay dpy, EGLConfig config, void*, const EGLAttrib*) {
  return refuseNative(dpy, config, "eglCreatePlatformPixmapSurface");
}

EGLSurface CreatePlatformWindowSurfaceEXT(EGLDisplay dpy, EGLConfig config, void*, const EGLint*) {
  return refuseNative(dpy, config, "eglCreatePlatformWindowSurfaceEXT");
}
EGLSurface CreatePlatformPixmapSurfaceEXT(EGLDisplay dpy, EGLConfig config, void*, const EGLint*) {
  return refuseNative(dpy, config, "eglCreatePlatformPixmapSurfaceEXT");
}

EGLBoolean DestroySurface(EGLDisplay dpy, EGLSurface handle) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const std::shared_ptr<Surface> surface = findSurface(display, handle);  // current somewhere: that thread keeps it
  if (surface == nullptr) return fail(EGL_BAD_SURFACE);
  const std::lock_guard lock(objectsMutex());
  display->surfaces.erase(surface.get());
  return succeed();
}

EGLBoolean QuerySurface(EGLDisplay dpy, EGLSurface handle, EGLint attribute, EGLint* value) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const std::shared_ptr<Surface> surface = findSurface(display, handle);
  if (surface == nullptr) return fail(EGL_BAD_SURFACE);
  if (value == nullptr) return fail(EGL_BAD_PARAMETER);
  const std::lock_guard lock(objectsMutex());
  switch (attribute) {
    case EGL_CONFIG_ID: *value = surface->config->id; break;
    case EGL_WIDTH: *value = surface->width; break;
    case EGL_HEIGHT: *value = surface->height; break;
    case EGL_LARGEST_PBUFFER: *value = surface->largestPbuffer; break;
    case EGL_GL_COLORSPACE: *value = surface->colorspace; break;
    case EGL_VG_COLORSPACE: *value = EGL_VG_COLORSPACE_sRGB; break;
    case EGL_VG_ALPHA_FORMAT: *value = EGL_VG_ALPHA_FORMAT_NONPRE; break;
    case EGL_TEXTURE_FORMAT:
    case EGL_TEXTURE_TARGET: *value = EGL_NO_TEXTURE; break;
    case EGL_MIPMAP_TEXTURE: *value = EGL_FALSE; break;
    case EGL_MIPMAP_LEVEL: *value = surface->mipmapLevel; break;
    case EGL_MULTISAMPLE_RESOLVE: *value = surface->multisampleResolve; break;
    case EGL_SWAP_BEHAVIOR: *value = surface->swapBehavior; break;
    case EGL_RENDER_BUFFER: *value = EGL_BACK_BUFFER; break;
    case EGL_HORIZONTAL_RESOLUTION:
    case EGL_VERTICAL_RESOLUTION:
    case EGL_PIXEL_ASPECT_RATIO: *value = EGL_UNKNOWN; break;
    default: return fail(EGL_BAD_ATTRIBUTE);
  }
  return succeed();
}

EGLBoolean SurfaceAttrib(EGLDisplay dpy, EGLSurface handle, EGLint attribute, EGLint value) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const std::shared_ptr<Surface> surface = findSurface(display, handle);
  if (surface == nullptr) return fail(EGL_BAD_SURFACE);
  const std::lock_guard lock(objectsMutex());
  switch (attribute) {
    case EGL_MIPMAP_LEVEL: surface->mipmapLevel = value; return succeed();
    case EGL_MULTISAMPLE_RESOLVE:
      if (value == EGL_MULTISAMPLE_RESOLVE_BOX) return fail(EGL_BAD_MATCH);  // no config has that bit
      if (value != EGL_MULTISAMPLE_RESOLVE_DEFAULT) return fail(EGL_BAD_ATTRIBUTE);
      surface->multisampleResolve = value;
      return succeed();
    case EGL_SWAP_BEHAVIOR:
      if (value == EGL_BUFFER_PRESERVED) return fail(EGL_BAD_MATCH);  // no config has that bit
      if (value != EGL_BUFFER_DESTROYED) return fail(EGL_BAD_ATTRIBUTE);
      surface->swapBehavior = value;
      return succeed();
    default: return fail(EGL_BAD_ATTRIBUTE);
  }
}

EGLBoolean BindTexImage(EGLDisplay dpy, EGLSurface handle, EGLint buffer) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  if (findSurface(display, handle) == nullptr) return fail(EGL_BAD_SURFACE);
  if (buffer != EGL_BACK_BUFFER) return fail(EGL_BAD_PARAMETER);
  return fail(EGL_BAD_MATCH);  // every surface's texture format is EGL_NO_TEXTURE
}

EGLBoolean ReleaseTexImage(EGLDisplay dpy, EGLSurface surface, EGLint buffer) {
  return BindTexImage(dpy, surface, buffer);
}

EGLBoolean SwapBuffers(EGLDisplay dpy, EGLSurface handle) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const std::shared_ptr<Surface> surface = findSurface(display, handle);
  if (surface == nullptr || surface != thread().draw) return fail(EGL_BAD_SURFACE);
  if (surface->session->lost()) return fail(EGL_CONTEXT_LOST);
  surface->session->present(surface->gl);
  return succeed();
}

EGLBoolean SwapInterval(EGLDisplay dpy, EGLint interval) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const ThreadState& mine = thread();
  if (mine.context == nullptr) return fail(EGL_BAD_CONTEXT);
  if (mine.draw == nullptr) return fail(EGL_BAD_SURFACE);
  const EGLint least = configAttrib(*mine.draw->config, EGL_MIN_SWAP_INTERVAL).value_or(0);
  const EGLint most = configAttrib(*mine.draw->config, EGL_MAX_SWAP_INTERVAL).value_or(1);
  mine.draw->session->setSwapInterval(mine.draw->gl, std::clamp(interval, least, most));
  return succeed();
}

EGLBoolean CopyBuffers(EGLDisplay dpy, EGLSurface handle, EGLNativePixmapType) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  if (findSurface(display, handle) == nullptr) return fail(EGL_BAD_SURFACE);
  return fail(EGL_BAD_NATIVE_PIXMAP);  // a display without a window system has none
}

}  // namespace mgl::winsys::egl::api
