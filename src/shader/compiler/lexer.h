// Cuts GLSL source text into tokens without expanding anything: enough to find directives and to rename identifiers in
// place.
#pragma once

#include <string_view>
#include <vector>

#include "base/types.h"

namespace mgl::shader {

enum class TokenKind : u8 { Identifier, Number, Punctuator };

struct Token {
  TokenKind kind = TokenKind::Punctuator;
  bool inDirective = false;      // between a '#' that starts a line and the end of that (continued) line
  bool startsDirective = false;  // that '#' itself
  u32 offset = 0;
  u32 length = 0;
};

// Total on any bytes: comments and white space are skipped, unknown bytes become one-byte punctuators.
std::vector<Token> tokenize(std::string_view text);

inline std::string_view tokenText(std::string_view text, const Token& token) {
  return text.substr(token.offset, token.length);
}

}  // namespace mgl::shader
