#include "base/strings.h"

#include <algorithm>
#include <charconv>
#include <cstdarg>
#include <cstdio>

namespace mgl {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <class Piece>
std::string joinPieces(std::span<const Piece> pieces, std::string_view separator) {
  std::string out;
  for (const Piece& piece : pieces) {
    if (&piece != pieces.data()) out += separator;
    out += piece;
  }
  return out;
}

template <class Number>
std::optional<Number> parseNumber(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  Number value{};
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> pieces;
  while (true) {
    std::size_t begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return pieces;
    std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    pieces.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

std::string_view trim(std::string_view text) {
  std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string toLower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string join(std::span<const std::string_view> pieces, std::string_view separator) {
  return joinPieces(pieces, separator);
}

std::string join(std::span<const std::string> pieces, std::string_view separator) {
  return joinPieces(pieces, separator);
}

std::optional<i64> parseInt(std::string_view text) { return parseNumber<i64>(text); }

std::optional<f64> parseFloat(std::string_view text) { return parseNumber<f64>(text); }

u32 editDistance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<u32> before(width), last(width), now(width);
  for (std::size_t j = 0; j < width; ++j) last[j] = static_cast<u32>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<u32>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const u32 substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::optional<std::string_view> nearestName(std::string_view name, std::span<const std::string_view> candidates) {
  std::optional<std::string_view> best;
  u32 bestDistance = ~0u;
  for (std::string_view candidate : candidates) {
    const u32 distance = editDistance(name, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  if (best && bestDistance * 3 > best->size()) best.reset();
  return best;
}

std::string formatText(const char* format, ...) {
  std::va_list args;
  va_start(args, format);
  std::va_list again;
  va_copy(again, args);
  const int length = std::vsnprintf(nullptr, 0, format, args);
  va_end(args);
  std::string out(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  if (length > 0) std::vsnprintf(out.data(), out.size() + 1, format, again);
  va_end(again);
  return out;
}

}  // namespace mgl
