// libglvnd's vendor interface, after the headers that its own header takes for granted.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <stdint.h>

#include <glvnd/libeglabi.h>
