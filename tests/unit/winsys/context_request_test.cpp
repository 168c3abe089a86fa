#include "winsys/egl/context_request.h"

#include <EGL/eglext.h>
#include <gtest/gtest.h>

namespace mgl::winsys::egl {
namespace {

constexpr GlOffer kCore33{{3, 3}, {0, 0}, false};
constexpr GlOffer kBoth46{{4, 6}, {4, 6}, false};

EGLint parse(std::vector<EGLint> attribs, ContextRequest* request) {
  attribs.push_back(EGL_NONE);
  return parseContextAttribs(attribs.data(), request);
}

// "core 3.3", "compat 4.6", or "-" for a refusal.
std::string granted(std::vector<EGLint> attribs, const GlOffer& offer) {
  ContextRequest request;
  if (parse(std::move(attribs), &request) != EGL_SUCCESS) return "attribute";
  std::string why;
  const auto spec = grant(request, offer, &why);
  EXPECT_NE(spec.has_value(), !why.empty());
  if (!spec) return "-";
  return (spec->compatibility ? "compat " : "core ") + std::to_string(spec->version.major) + "." +
         std::to_string(spec->version.minor);
}

std::vector<EGLint> version(EGLint major, EGLint minor, std::vector<EGLint> more = {}) {
  std::vector<EGLint> attribs{EGL_CONTEXT_MAJOR_VERSION, major, EGL_CONTEXT_MINOR_VERSION, minor};
  attribs.insert(attribs.end(), more.begin(), more.end());
  return attribs;
}

TEST(ContextRequest, CoreVersionsGetTheHighest) {
  EXPECT_EQ("core 3.3", granted(version(3, 2), kCore33));
  EXPECT_EQ("core 3.3", granted(version(3, 3), kCore33));
  EXPECT_EQ("-", granted(version(4, 0), kCore33));
  EXPECT_EQ("core 4.6", granted(version(3, 3), kBoth46));
}

// 3.1 may be given a core profile; what is older, or says nothing, needs one that is compatible with it.
TEST(ContextRequest, WhatHasNoProfile) {
  EXPECT_EQ("core 3.3", granted(version(3, 1), kCore33));
  EXPECT_EQ("-", granted(version(3, 0), kCore33));
  EXPECT_EQ("-", granted(version(2, 1), kCore33));
  EXPECT_EQ("-", granted({}, kCore33));
  EXPECT_EQ("compat 4.6", granted({}, kBoth46));
  EXPECT_EQ("compat 4.6", granted(version(3, 0), kBoth46));
}

TEST(ContextRequest, TheProfileMaskCountsFrom32On) {
  const std::vector<EGLint> compat{EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT};
  EXPECT_EQ("-", granted(version(3, 2, compat), kCore33));
  EXPECT_EQ("compat 4.6", granted(version(3, 2, compat), kBoth46));
  EXPECT_EQ("core 3.3", granted(version(3, 1, compat), kCore33));
  EXPECT_EQ("-", granted(version(3, 3, {EGL_CONTEXT_OPENGL_PROFILE_MASK, 0}), kBoth46));
  EXPECT_EQ("-", granted(version(3, 3, {EGL_CONTEXT_OPENGL_PROFILE_MASK, 3}), kBoth46));
  EXPECT_EQ("-", granted(version(3, 3, {EGL_CONTEXT_OPENGL_PROFILE_MASK, 4}), kBoth46));
}

TEST(ContextRequest, OnlyVersionsThatExist) {
  for (auto [major, minor] : {std::pair{1, 6}, {2, 2}, {3, 4}, {4, 7}, {5, 0}, {0, 9}, {-1, 0}}) {
    ContextRequest request;
    std::string why;
    const EGLint error = parse(version(major, minor), &request);
    EXPECT_TRUE(error == EGL_BAD_MATCH || !grant(request, kBoth46, &why)) << major << "." << minor;
  }
}

TEST(ContextRequest, AForcedVersionIsGivenToEverybody) {
  constexpr GlOffer kForced{{3, 3}, {0, 0}, true};
  EXPECT_EQ("core 3.3", granted({}, kForced));
  EXPECT_EQ("core 3.3", granted(version(4, 5), kForced));
  constexpr GlOffer kForcedCompat{{0, 0}, {3, 0}, true};
  EXPECT_EQ("compat 3.0", granted(version(3, 3), kForcedCompat));
}

TEST(ContextRequest, FlagsOfBothKinds) {
  ContextRequest request;
  EXPECT_EQ(EGL_SUCCESS, parse({EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR |
                                                           EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR |
                                                           EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR},
                               &request));
  EXPECT_TRUE(request.debug && request.forwardCompatible && request.robust);
  request = {};
  EXPECT_EQ(EGL_SUCCESS,
            parse({EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE, EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE, EGL_TRUE,
                   EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_TRUE, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                   EGL_LOSE_CONTEXT_ON_RESET, EGL_CONTEXT_PRIORITY_LEVEL_IMG, EGL_CONTEXT_PRIORITY_HIGH_IMG},
                  &request));
  EXPECT_TRUE(request.debug && request.forwardCompatible && request.robust && request.loseOnReset);
}

TEST(ContextRequest, BadAttributes) {
  ContextRequest request;
  EXPECT_EQ(EGL_BAD_ATTRIBUTE, parse({EGL_WIDTH, 1}, &request));
  EXPECT_EQ(EGL_BAD_ATTRIBUTE, parse({EGL_CONTEXT_FLAGS_KHR, 0x80}, &request));
  EXPECT_EQ(EGL_BAD_ATTRIBUTE, parse({EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, 1}, &request));
  EXPECT_EQ(EGL_BAD_ATTRIBUTE, parse({EGL_CONTEXT_OPENGL_DEBUG, 2}, &request));
}

TEST(ContextRequest, CombinationsThatAreNone) {
  EXPECT_EQ("-", granted(version(2, 1, {EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE, EGL_TRUE}), kBoth46));
  EXPECT_EQ("-", granted(version(3, 3, {EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE, EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE}),
                         kBoth46));
  EXPECT_EQ("-", granted(version(3, 3, {EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE, EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                                        EGL_TRUE}),
                         kBoth46));
  EXPECT_EQ("core 4.6", granted(version(3, 3, {EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE}), kBoth46));
}

}  // namespace
}  // namespace mgl::winsys::egl
