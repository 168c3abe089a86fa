#include "shader/archive/uniform_type.h"

#include <array>
#include <cassert>

namespace mgl::shader {
namespace {

constexpr std::array<UniformTypeInfo, countOf<UniformType>()> kInfos = {{
#define X(name, glToken, spelling, scalar, columns, rows) {spelling, ScalarKind::scalar, columns, rows},
#define X_OPAQUE(name, glToken, spelling, kind, scalar, dim, shadow, arrayed, multisample) \
  {spelling, ScalarKind::scalar, 1, 1, OpaqueKind::kind, TextureDim::dim, shadow, arrayed, multisample},
#include "shader/archive/uniform_types.def"
#undef X
#undef X_OPAQUE
}};

}  // namespace

const UniformTypeInfo& uniformTypeInfo(UniformType type) {
  assert(type < UniformType::Count);
  return kInfos[indexOf(type)];
}

std::optional<UniformType> dataType(ScalarKind scalar, u32 columns, u32 rows) {
  for (u32 i = 0; i < kInfos.size(); ++i) {
    const UniformTypeInfo& info = kInfos[i];
    if (!info.isOpaque() && info.scalar == scalar && info.columns == columns && info.rows == rows)
      return static_cast<UniformType>(i);
  }
  return std::nullopt;
}

std::optional<UniformType> opaqueType(OpaqueKind kind, ScalarKind scalar, TextureDim dim, bool shadow, bool arrayed,
                                      bool multisample) {
  if (kind == OpaqueKind::None) return std::nullopt;
  for (u32 i = 0; i < kInfos.size(); ++i) {
    const UniformTypeInfo& info = kInfos[i];
    if (info.opaque == kind && info.scalar == scalar && info.dim == dim && info.shadow == shadow &&
        info.arrayed == arrayed && info.multisample == multisample)
      return static_cast<UniformType>(i);
  }
  return std::nullopt;
}

}  // namespace mgl::shader
