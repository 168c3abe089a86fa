// glslang's trees are as deep as a program's expressions are long, and everything that walks them recurses.
#pragma once

#include <functional>

namespace mgl::shader {

// Runs `work` to its end, on a thread of its own with a stack of half a gigabyte of address space when `deep`, else
// right here. Falls back to the calling thread where the system gives no such thread.
void runOnStack(bool deep, const std::function<void()>& work);

}  // namespace mgl::shader
