// Small things on text that the standard library of C++20 lacks.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace mgl {

// The pieces between any of the separator characters; empty pieces are left out. The views point into text.
std::vector<std::string_view> split(std::string_view text, std::string_view separators);

std::string_view trim(std::string_view text);
std::string toLower(std::string_view text);
bool equalIgnoringCase(std::string_view a, std::string_view b);

std::string join(std::span<const std::string_view> pieces, std::string_view separator);
std::string join(std::span<const std::string> pieces, std::string_view separator);

// The whole of text as a number, or nothing. Decimal; independent of the locale.
std::optional<i64> parseInt(std::string_view text);
std::optional<f64> parseFloat(std::string_view text);

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, each 1.
u32 editDistance(std::string_view a, std::string_view b);

// The candidate with the least edit distance to name, the first of equals, or nothing when even that one shares too
// little with it (distance over a third of its length) to be what was meant.
std::optional<std::string_view> nearestName(std::string_view name, std::span<const std::string_view> candidates);

[[gnu::format(printf, 1, 2)]] std::string formatText(const char* format, ...);

}  // namespace mgl
