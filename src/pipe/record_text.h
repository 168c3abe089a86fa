// Records for people: for traces, faults and the verify mode. Any thread.
#pragma once

#include <string>

#include "pipe/calls.h"

namespace mgl::pipe {

// One line: `Draw vertexArray=VertexArray{7,3} … DrawRange[0]{first=48 count=6 baseVertex=-2}`. The record was checked
// or is our own; of a long tail the first elements are printed and the rest is counted.
std::string printRecord(const RecordHeader* record);
std::string printEvent(const RecordHeader* record);

// The first difference between two records, as `Draw.mode: 4 against 5`; empty when they say the same.
std::string firstDifference(const RecordHeader* a, const RecordHeader* b);

}  // namespace mgl::pipe
