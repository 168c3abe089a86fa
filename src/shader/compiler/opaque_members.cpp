#include "shader/compiler/opaque_members.h"

#include <algorithm>

namespace mgl::shader {
namespace {

void collectLeaves(const std::string& path, const Type& type, std::vector<u32> dims, std::vector<OpaqueLeaf>& leaves) {
  for (u32 dim : type.dims) dims.push_back(std::max(dim, 1u));
  if (!type.isStruct()) {
    const OpaqueKind kind = uniformTypeInfo(type.data).opaque;
    if (kind == OpaqueKind::Sampler || kind == OpaqueKind::Image) leaves.push_back({path, std::move(dims), type.data});
    return;
  }
  for (const Member& member : *type.members) collectLeaves(path + "." + member.name, member.type, dims, leaves);
}

bool isOpaqueTypeName(std::string_view word) {
  if (!word.empty() && (word[0] == 'i' || word[0] == 'u')) word.remove_prefix(1);
  return word.substr(0, 7) == "sampler" || word.substr(0, 5) == "image";
}

class Rewriter {
 public:
  Rewriter(const SourceText& source, const std::vector<OpaqueLeaf>& leaves) : source_(source), leaves_(leaves) {}

  std::string run() {
    std::string text = range(0, source_.tokens.size());
    return std::string(
               source_.text.substr(0, source_.tokens.empty() ? source_.text.size() : source_.tokens[0].offset)) +
           text + std::string(gapAfter(source_.tokens.size()));
  }

 private:
  std::string_view word(std::size_t i) const {
    return i < source_.tokens.size() ? tokenText(source_.text, source_.tokens[i]) : std::string_view{};
  }

  // The text between token i - 1 and token i.
  std::string_view gapAfter(std::size_t i) const {
    if (i == 0) return {};
    const Token& before = source_.tokens[i - 1];
    const u32 from = before.offset + before.length;
    const u32 to = i < source_.tokens.size() ? source_.tokens[i].offset : static_cast<u32>(source_.text.size());
    return std::string_view(source_.text).substr(from, to - from);
  }

  // Tokens [first, end) with the gaps between them, rewritten.
  std::string range(std::size_t first, std::size_t end) {
    std::string text;
    for (std::size_t i = first; i < end;) {
      if (i > first) text += gapAfter(i);
      if (word(i) == "struct" && !source_.tokens[i].inDirective) {
        i = structure(i, end, text);
        continue;
      }
      if (source_.tokens[i].kind == TokenKind::Identifier && (i == 0 || word(i - 1) != ".")) {
        if (const std::size_t next = use(i, end, text)) {
          i = next;
          continue;
        }
      }
      text += word(i);
      ++i;
    }
    return text;
  }

  // Copies a structure's declaration up to its '}' without the opaque members.
  std::size_t structure(std::size_t i, std::size_t end, std::string& text) {
    std::size_t open = i;
    while (open < end && word(open) != "{" && word(open) != ";" && open < i + 3) ++open;
    if (open >= end || word(open) != "{") {
      text += word(i);
      return i + 1;
    }
    for (std::size_t k = i; k <= open; ++k) {
      if (k > i) text += gapAfter(k);
      text += word(k);
    }
    std::size_t at = open + 1;
    bool kept = false;
    while (at < end && word(at) != "}") {
      std::size_t semicolon = at;
      bool opaque = false;
      while (semicolon < end && word(semicolon) != ";" && word(semicolon) != "}") {
        opaque |= isOpaqueTypeName(word(semicolon)) && !source_.tokens[semicolon].inDirective;
        ++semicolon;
      }
      if (semicolon < end && word(semicolon) == ";") ++semicolon;
      for (std::size_t k = at; k < semicolon; ++k) {
        for (char c : gapAfter(k)) text += opaque && c != '\n' && c != '\r' ? ' ' : c;
        if (!opaque) text += word(k);
      }
      kept |= !opaque;
      at = semicolon;
    }
    text += gapAfter(at);
    if (!kept) text += " float mgl_none; ";
    return at;
  }

  // Writes an access to a hoisted uniform; 0 when the tokens at i are none.
  std::size_t use(std::size_t i, std::size_t end, std::string& text) {
    std::string path(word(i));
    if (std::none_of(leaves_.begin(), leaves_.end(), [&](const OpaqueLeaf& leaf) {
          return leaf.path.size() > path.size() && leaf.path[path.size()] == '.' &&
                 leaf.path.substr(0, path.size()) == path;
        }))
      return 0;
    std::vector<std::string> indices;
    std::size_t at = i + 1;
    const OpaqueLeaf* found = nullptr;
    while (at < end) {
      if (word(at) == "[") {
        u32 depth = 0;
        std::size_t close = at;
        for (; close < end; ++close) {
          if (word(close) == "[") ++depth;
          if (word(close) == "]" && --depth == 0) break;
        }
        if (close >= end) return 0;
        indices.push_back(range(at + 1, close));
        at = close + 1;
        if (found && indices.size() == found->dims.size()) break;
        continue;
      }
      if (found || word(at) != "." || at + 1 >= end) break;
      path += ".";
      path += word(at + 1);
      at += 2;
      const auto leaf =
          std::find_if(leaves_.begin(), leaves_.end(), [&](const OpaqueLeaf& l) { return l.path == path; });
      if (leaf != leaves_.end()) found = &*leaf;
    }
    if (!found) return 0;
    text += hoistedName(found->path);
    if (indices.size() == found->dims.size() && !indices.empty()) {
      std::string flat = "(" + indices[0] + ")";
      for (std::size_t d = 1; d < indices.size(); ++d)
        flat = "(" + flat + "*" + std::to_string(found->dims[d]) + "+(" + indices[d] + "))";
      text += "[" + flat + "]";
    }
    return at;
  }

  const SourceText& source_;
  const std::vector<OpaqueLeaf>& leaves_;
};

}  // namespace

u32 OpaqueLeaf::elements() const {
  u64 count = 1;
  for (u32 dim : dims) count = std::min<u64>(count * dim, 1u << 20);
  return static_cast<u32>(count);
}

std::vector<OpaqueLeaf> opaqueLeaves(const Variable& variable) {
  std::vector<OpaqueLeaf> leaves;
  if (variable.storage == Storage::Uniform && !variable.isBlock)
    collectLeaves(variable.name, variable.type, {}, leaves);
  return leaves;
}

std::string hoistedName(std::string_view path) {
  std::string name = path.find('.') == std::string_view::npos ? "" : "mgl_o_";
  for (char c : path) {
    if (c == '.')
      name += "_m_";
    else
      name += c;
  }
  return name;
}

std::string pathOf(std::string_view uniformName) {
  std::string path;
  bool inside = false;
  for (char c : uniformName) {
    if (c == '[') inside = true;
    if (!inside) path += c;
    if (c == ']') inside = false;
  }
  return path;
}

bool hoistOpaqueMembers(const ShaderInterface& shader, SourceText& source, std::string& declarations) {
  std::vector<OpaqueLeaf> leaves;
  for (const Variable& variable : shader.variables) {
    if (!variable.type.isStruct()) continue;
    for (OpaqueLeaf& leaf : opaqueLeaves(variable)) leaves.push_back(std::move(leaf));
  }
  if (leaves.empty()) return false;
  for (const OpaqueLeaf& leaf : leaves) {
    declarations += "uniform ";
    declarations += uniformTypeInfo(leaf.type).spelling;
    declarations += " " + hoistedName(leaf.path);
    if (!leaf.dims.empty()) declarations += "[" + std::to_string(leaf.elements()) + "]";
    declarations += ";\n";
  }
  const std::string text = Rewriter(source, leaves).run();
  const std::string_view whole = text;
  const SourceText rewritten = readSource(std::span(&whole, 1));
  source = rewritten;
  return true;
}

}  // namespace mgl::shader
