// What a workload is to the program around it (main.cpp): objects made once, and a frame that is drawn again and again,
// with the same calls each time and nothing that depends on the machine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frame/gl.h"

namespace workload {

// A frame's figures, known by construction.
struct Expected {
  unsigned draws = 0;  // a multi-draw's parts one by one
  unsigned calls = 0;
  unsigned pairs = 0;  // different pairs of vertex array and program
  unsigned dirty = 0;  // gaps between draws with more than buffers, vertex arrays, programs in use and plain uniforms
  // The fewest render passes: the runs of draws to the same attachments. Clears are loads or happen in the pass, blits
  // of one size and format are copies.
  unsigned passes = 0;
  struct Kind {
    Function function;
    unsigned calls;
  };
  std::vector<Kind> kinds;  // of the calls that the frame is known for
};

class Workload {
 public:
  virtual ~Workload() = default;
  virtual const Expected& expected() const = 0;
  // Draws to framebuffer 0 in the end, or to target where it is not 0. Without a current frame: nothing is counted.
  virtual void make(int width, int height, GLuint target) = 0;
  // All calls through GL(). The picture depends on nothing but the number of the frame, from 0.
  virtual void draw(unsigned frame) = 0;
  // Draws of the last frame, parts of multi-draws one by one.
  virtual unsigned draws() const = 0;
};

// Each program links one.
extern const char* const kName;
std::unique_ptr<Workload> makeWorkload();

}  // namespace workload
