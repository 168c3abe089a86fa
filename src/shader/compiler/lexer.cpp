#include "shader/compiler/lexer.h"

namespace mgl::shader {
namespace {

bool isIdentifierStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isIdentifier(char c) { return isIdentifierStart(c) || isDigit(c); }

// The length of a line continuation at `at`, 0 when there is none.
u32 continuationLength(std::string_view text, u32 at) {
  if (text[at] != '\\' || at + 1 >= text.size()) return 0;
  if (text[at + 1] == '\n') return 2;
  if (text[at + 1] == '\r') return at + 2 < text.size() && text[at + 2] == '\n' ? 3 : 2;
  return 0;
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 4);
  const u32 end = static_cast<u32>(text.size());
  bool lineStart = true;
  bool inDirective = false;
  u32 at = 0;
  while (at < end) {
    const char c = text[at];
    if (const u32 skip = continuationLength(text, at)) {
      at += skip;
      continue;
    }
    if (c == '\n' || c == '\r') {
      lineStart = true;
      inDirective = false;
      ++at;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\v' || c == '\f') {
      ++at;
      continue;
    }
    if (c == '/' && at + 1 < end && text[at + 1] == '/') {
      while (at < end && text[at] != '\n' && text[at] != '\r') {
        const u32 skip = continuationLength(text, at);
        at += skip ? skip : 1;
      }
      continue;
    }
    if (c == '/' && at + 1 < end && text[at + 1] == '*') {
      const std::size_t close = text.find("*/", at + 2);
      at = close == std::string_view::npos ? end : static_cast<u32>(close) + 2;
      continue;
    }
    Token token;
    token.offset = at;
    if (isIdentifierStart(c)) {
      token.kind = TokenKind::Identifier;
      while (at < end && isIdentifier(text[at])) ++at;
    } else if (isDigit(c) || (c == '.' && at + 1 < end && isDigit(text[at + 1]))) {
      token.kind = TokenKind::Number;
      while (at < end && (isIdentifier(text[at]) || text[at] == '.' ||
                          ((text[at] == '+' || text[at] == '-') && (text[at - 1] == 'e' || text[at - 1] == 'E') &&
                           !(text[token.offset] == '0' && (text[token.offset + 1] | 32) == 'x'))))
        ++at;
    } else {
      if (c == '#' && lineStart) {
        inDirective = true;
        token.startsDirective = true;
      }
      ++at;
    }
    token.length = at - token.offset;
    token.inDirective = inDirective;
    lineStart = false;
    tokens.push_back(token);
  }
  return tokens;
}

}  // namespace mgl::shader
