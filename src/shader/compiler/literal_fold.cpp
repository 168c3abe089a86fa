#include "shader/compiler/literal_fold.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace mgl::shader {
namespace {

struct Folded {
  u32 offset = 0;  // of the replaced text
  u32 length = 0;
  std::string text;
};

// A literal or constructor: column-major components.
struct Value {
  bool isBool = false;
  u32 columns = 1;
  u32 rows = 1;
  std::vector<double> components;
};

struct Shape {
  bool isBool = false;
  u32 columns = 0;
  u32 rows = 0;
};

std::optional<Shape> constructorShape(std::string_view word) {
  const auto digit = [&](std::size_t i) -> u32 {
    return i < word.size() && word[i] >= '2' && word[i] <= '4' ? word[i] - '0' : 0;
  };
  if (word == "float") return Shape{false, 1, 1};
  if (word == "bool") return Shape{true, 1, 1};
  if (word.size() == 4 && word.substr(0, 3) == "vec" && digit(3)) return Shape{false, 1, digit(3)};
  if (word.size() == 5 && word.substr(0, 4) == "bvec" && digit(4)) return Shape{true, 1, digit(4)};
  if (word.substr(0, 3) != "mat" || !digit(3)) return std::nullopt;
  if (word.size() == 4) return Shape{false, digit(3), digit(3)};
  if (word.size() == 6 && word[4] == 'x' && digit(5)) return Shape{false, digit(3), digit(5)};
  return std::nullopt;
}

class Folder {
 public:
  Folder(std::string_view text, std::vector<Token> tokens) : text_(text), tokens_(std::move(tokens)) {}

  std::vector<Folded> run() {
    std::vector<Folded> result;
    for (std::size_t i = 0; i < tokens_.size();) {
      std::size_t next = i;
      if (const auto value = fold(next)) {
        const u32 offset = tokens_[i].offset;
        const Token& last = tokens_[next - 1];
        result.push_back({offset, last.offset + last.length - offset, write(*value)});
        // Line breaks inside keep their place in the count of lines.
        for (u32 at = offset; at < last.offset; ++at) {
          if (text_[at] == '\n') result.back().text += '\n';
        }
        i = next;
      } else {
        ++i;
      }
    }
    return result;
  }

 private:
  std::string_view word(std::size_t i) const {
    return i < tokens_.size() ? tokenText(text_, tokens_[i]) : std::string_view{};
  }

  std::optional<double> literal(std::size_t& i) const {
    bool negative = false;
    if (word(i) == "-" || word(i) == "+") negative = word(i++) == "-";
    if (word(i) == "true" || word(i) == "false")
      return negative ? std::nullopt : std::optional(word(i++) == "true" ? 1.0 : 0.0);
    if (i >= tokens_.size() || tokens_[i].kind != TokenKind::Number) return std::nullopt;
    const std::string_view digits = word(i);
    const bool octal = digits.size() > 1 && digits[0] == '0' && digits.find_first_of(".eE") == std::string_view::npos;
    if (octal) return std::nullopt;  // or hexadecimal
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const std::string_view suffix(end, static_cast<std::size_t>(digits.data() + digits.size() - end));
    if (error != std::errc() || !(suffix.empty() || suffix == "f" || suffix == "F")) return std::nullopt;
    ++i;
    return negative ? -value : value;
  }

  std::optional<Value> operand(std::size_t& i) const {
    const auto shape = constructorShape(word(i));
    if (!shape) {
      const bool isBool = word(i) == "true" || word(i) == "false";
      const auto number = literal(i);
      if (!number) return std::nullopt;
      return Value{isBool, 1, 1, {*number}};
    }
    std::size_t at = i + 1;
    if (word(at++) != "(") return std::nullopt;
    Value value{shape->isBool, shape->columns, shape->rows, {}};
    while (true) {
      const auto number = literal(at);
      if (!number) return std::nullopt;
      // Components have the precision of float.
      value.components.push_back(static_cast<double>(static_cast<float>(*number)));
      if (word(at) == ")") break;
      if (word(at++) != ",") return std::nullopt;
    }
    if (value.components.size() != value.columns * value.rows) return std::nullopt;
    i = at + 1;
    return value;
  }

  // Leaves `i` behind what was folded.
  std::optional<Value> fold(std::size_t& i) const {
    if (tokens_[i].kind != TokenKind::Identifier || (i > 0 && word(i - 1) == ".")) return std::nullopt;
    std::size_t at = i;
    if (word(at + 1) == "(" && isFunction(word(at)) && !isDefinedHere(word(at))) {
      const std::string_view name = word(at);
      at += 2;
      std::vector<Value> arguments;
      while (true) {
        auto argument = operand(at);
        if (!argument) return std::nullopt;
        arguments.push_back(std::move(*argument));
        if (word(at) == ")") break;
        if (word(at++) != ",") return std::nullopt;
      }
      auto value = call(name, arguments);
      if (value) i = at + 1;
      return value;
    }
    const auto shape = constructorShape(word(at));
    if (!shape || (!shape->isBool && shape->columns == 1) || shape->columns * shape->rows == 1) return std::nullopt;
    const auto left = operand(at);
    if (!left || word(at + 1) != "=" || (word(at) != "=" && word(at) != "!")) return std::nullopt;
    // Something that binds tighter than the comparison would need a parser: only the start of an expression is taken.
    static constexpr std::array<std::string_view, 8> kBefore = {"(", ",", "=", "[", "return", "{", ";", "?"};
    bool starts = i == 0;
    for (std::string_view before : kBefore) starts |= i > 0 && word(i - 1) == before;
    if (!starts) return std::nullopt;
    const bool equal = word(at) == "=";
    at += 2;
    const auto right = operand(at);
    if (!right || right->isBool != left->isBool || right->columns != left->columns || right->rows != left->rows)
      return std::nullopt;
    static constexpr std::array<std::string_view, 9> kAfter = {"*", "/", "+", "-", ".", "[", "<", ">", "%"};
    for (std::string_view after : kAfter) {
      if (word(at) == after) return std::nullopt;
    }
    i = at;
    return Value{true, 1, 1, {(left->components == right->components) == equal ? 1.0 : 0.0}};
  }

  // The program's own function of that name: its type stands before it.
  bool isDefinedHere(std::string_view name) const {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (word(i) == name && word(i + 1) == "(" && tokens_[i - 1].kind == TokenKind::Identifier &&
          word(i - 1) != "return" && word(i - 1) != "else" && !tokens_[i - 1].inDirective)
        return true;
    }
    return false;
  }

  static bool isFunction(std::string_view name) {
    static constexpr std::array<std::string_view, 9> kNames = {"inverse", "transpose", "matrixCompMult", "sinh", "cosh",
                                                               "tanh",    "asinh",     "acosh",          "atanh"};
    for (std::string_view known : kNames) {
      if (known == name) return true;
    }
    return false;
  }

  static std::optional<Value> call(std::string_view name, const std::vector<Value>& arguments) {
    for (const Value& argument : arguments) {
      if (argument.isBool) return std::nullopt;
    }
    const Value& a = arguments[0];
    if (name == "matrixCompMult") {
      if (arguments.size() != 2 || a.columns < 2 || arguments[1].columns != a.columns || arguments[1].rows != a.rows)
        return std::nullopt;
      Value product = a;
      for (std::size_t i = 0; i < product.components.size(); ++i) product.components[i] *= arguments[1].components[i];
      return product;
    }
    if (arguments.size() != 1) return std::nullopt;
    if (name == "transpose") {
      if (a.columns < 2) return std::nullopt;
      Value turned{false, a.rows, a.columns, std::vector<double>(a.components.size())};
      for (u32 c = 0; c < a.columns; ++c) {
        for (u32 r = 0; r < a.rows; ++r) turned.components[r * a.columns + c] = a.components[c * a.rows + r];
      }
      return turned;
    }
    if (name == "inverse") return invert(a);
    if (a.columns != 1) return std::nullopt;
    Value mapped = a;
    for (double& x : mapped.components) {
      if (name == "sinh") x = std::sinh(x);
      if (name == "cosh") x = std::cosh(x);
      if (name == "tanh") x = std::tanh(x);
      if (name == "asinh") x = std::asinh(x);
      if (name == "acosh") x = std::acosh(x);
      if (name == "atanh") x = std::atanh(x);
      if (!std::isfinite(x)) return std::nullopt;
    }
    return mapped;
  }

  // Gauss and Jordan, with pivots.
  static std::optional<Value> invert(const Value& a) {
    if (a.columns != a.rows || a.columns < 2) return std::nullopt;
    const u32 n = a.columns;
    std::vector<double> left = a.components;
    std::vector<double> right(n * n, 0.0);
    for (u32 i = 0; i < n; ++i) right[i * n + i] = 1.0;
    const auto swapRows = [n](std::vector<double>& m, u32 x, u32 y) {
      for (u32 c = 0; c < n; ++c) std::swap(m[c * n + x], m[c * n + y]);
    };
    for (u32 column = 0; column < n; ++column) {
      u32 pivot = column;
      for (u32 r = column; r < n; ++r) {
        if (std::fabs(left[column * n + r]) > std::fabs(left[column * n + pivot])) pivot = r;
      }
      if (left[column * n + pivot] == 0.0) return std::nullopt;
      swapRows(left, pivot, column);
      swapRows(right, pivot, column);
      const double scale = 1.0 / left[column * n + column];
      for (u32 c = 0; c < n; ++c) {
        left[c * n + column] *= scale;
        right[c * n + column] *= scale;
      }
      for (u32 r = 0; r < n; ++r) {
        const double factor = left[column * n + r];
        if (r == column || factor == 0.0) continue;
        for (u32 c = 0; c < n; ++c) {
          left[c * n + r] -= factor * left[c * n + column];
          right[c * n + r] -= factor * right[c * n + column];
        }
      }
    }
    return Value{false, n, n, right};
  }

  static std::string write(const Value& value) {
    if (value.isBool) return value.components[0] != 0.0 ? "true" : "false";
    std::string text;
    const bool scalar = value.columns * value.rows == 1;
    if (value.columns > 1)
      text =
          "mat" + std::to_string(value.columns) + (value.rows == value.columns ? "" : "x" + std::to_string(value.rows));
    else if (!scalar)
      text = "vec" + std::to_string(value.rows);
    text += "(";
    for (std::size_t i = 0; i < value.components.size(); ++i) {
      char digits[40];
      // Ten digits hold a float; the exponent makes it a floating literal in every version.
      const auto end =
          std::to_chars(digits, digits + sizeof digits, value.components[i], std::chars_format::scientific, 9).ptr;
      if (i) text += ", ";
      text.append(digits, end);
    }
    return text + ")";
  }

  std::string_view text_;
  const std::vector<Token> tokens_;
};

}  // namespace

std::string foldLiterals(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const bool functions =
      has("inverse") || has("transpose") || has("matrixCompMult") || has("sinh") || has("cosh") || has("tanh");
  const bool comparisons = (has("==") || has("!=")) && (has("bvec") || has("mat"));
  if (!functions && !comparisons) return std::string(text);
  std::string result;
  u32 at = 0;
  for (const Folded& folded : Folder(text, tokenize(text)).run()) {
    result.append(text.substr(at, folded.offset - at));
    result += folded.text;
    at = folded.offset + folded.length;
  }
  result.append(text.substr(at));
  return result;
}

}  // namespace mgl::shader
