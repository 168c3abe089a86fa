#include "winsys/egl/config.h"

#include <gtest/gtest.h>

namespace mgl::winsys::egl {
namespace {

class ConfigTest : public testing::Test {
 protected:
  ConfigTest() {
    SessionInfo info;
    info.maxSurfaceWidth = 4096;
    info.maxSurfaceHeight = 2048;
    info.surfaceSamples = 1 | 4 | 8;
    configs = makeConfigs(info);
  }
  std::optional<std::vector<const Config*>> choose(std::vector<EGLint> attribs) {
    attribs.insert(attribs.begin(), {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT});
    attribs.push_back(EGL_NONE);
    return chooseConfigs(configs, attribs.data());
  }
  std::vector<Config> configs;
};

TEST_F(ConfigTest, OnePerSampleCountWithAndWithoutDepth) {
  ASSERT_EQ(6u, configs.size());
  for (std::size_t i = 0; i < configs.size(); ++i) EXPECT_EQ(static_cast<EGLint>(i) + 1, configs[i].id);
}

// EGL 1.5, table 3.1: each of these must have an answer.
TEST_F(ConfigTest, AnswersEveryAttribute) {
  for (EGLint attribute :
       {EGL_BUFFER_SIZE, EGL_RED_SIZE, EGL_GREEN_SIZE, EGL_BLUE_SIZE, EGL_LUMINANCE_SIZE, EGL_ALPHA_SIZE, EGL_ALPHA_MASK_SIZE,
        EGL_BIND_TO_TEXTURE_RGB, EGL_BIND_TO_TEXTURE_RGBA, EGL_COLOR_BUFFER_TYPE, EGL_CONFIG_CAVEAT, EGL_CONFIG_ID,
        EGL_CONFORMANT, EGL_DEPTH_SIZE, EGL_LEVEL, EGL_MAX_PBUFFER_WIDTH, EGL_MAX_PBUFFER_HEIGHT, EGL_MAX_PBUFFER_PIXELS,
        EGL_MAX_SWAP_INTERVAL, EGL_MIN_SWAP_INTERVAL, EGL_NATIVE_RENDERABLE, EGL_NATIVE_VISUAL_ID, EGL_NATIVE_VISUAL_TYPE,
        EGL_RENDERABLE_TYPE, EGL_SAMPLE_BUFFERS, EGL_SAMPLES, EGL_STENCIL_SIZE, EGL_SURFACE_TYPE, EGL_TRANSPARENT_TYPE,
        EGL_TRANSPARENT_RED_VALUE, EGL_TRANSPARENT_GREEN_VALUE, EGL_TRANSPARENT_BLUE_VALUE}) {
    EXPECT_TRUE(configAttrib(configs[0], attribute).has_value()) << std::hex << attribute;
  }
  EXPECT_FALSE(configAttrib(configs[0], EGL_WIDTH).has_value());
  EXPECT_FALSE(configAttrib(configs[0], EGL_MATCH_NATIVE_PIXMAP).has_value());
  EXPECT_EQ(32, *configAttrib(configs[0], EGL_BUFFER_SIZE));
}

TEST_F(ConfigTest, DefaultsAskForWindowsOfOpenGlEs) {
  EXPECT_TRUE(chooseConfigs(configs, nullptr)->empty());
  const EGLint onlyApi[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EXPECT_TRUE(chooseConfigs(configs, onlyApi)->empty());
}

TEST_F(ConfigTest, FewestSamplesAndLeastDepthComeFirst) {
  const auto chosen = choose({});
  ASSERT_EQ(6u, chosen->size());
  EXPECT_EQ(0, (*chosen)[0]->samples);
  EXPECT_EQ(0, (*chosen)[0]->depth);
  EXPECT_EQ(0, (*chosen)[1]->samples);
  EXPECT_EQ(24, (*chosen)[1]->depth);
  EXPECT_EQ(4, (*chosen)[2]->samples);
  EXPECT_EQ(8, (*chosen)[5]->samples);
}

TEST_F(ConfigTest, SizesAreLowerBounds) {
  const auto depth = choose({EGL_DEPTH_SIZE, 16});
  ASSERT_EQ(3u, depth->size());
  EXPECT_EQ(24, depth->front()->depth);
  EXPECT_TRUE(choose({EGL_DEPTH_SIZE, 32})->empty());
  EXPECT_TRUE(choose({EGL_RED_SIZE, 10})->empty());
  EXPECT_EQ(4u, choose({EGL_SAMPLE_BUFFERS, 1})->size());
  EXPECT_EQ(8, choose({EGL_SAMPLES, 5})->front()->samples);
}

TEST_F(ConfigTest, DontCareMatchesAnything) { EXPECT_EQ(6u, choose({EGL_DEPTH_SIZE, EGL_DONT_CARE})->size()); }

TEST_F(ConfigTest, AnIdBeatsAllElse) {
  const auto chosen = choose({EGL_CONFIG_ID, 3, EGL_DEPTH_SIZE, 32});
  ASSERT_EQ(1u, chosen->size());
  EXPECT_EQ(3, chosen->front()->id);
}

TEST_F(ConfigTest, LevelIsExactEvenWhereItReadsAsDontCare) { EXPECT_TRUE(choose({EGL_LEVEL, -1})->empty()); }

TEST_F(ConfigTest, NoConfigDrawsToPixmaps) {
  EXPECT_TRUE(choose({EGL_MATCH_NATIVE_PIXMAP, 7})->empty());
  EXPECT_EQ(6u, choose({EGL_MATCH_NATIVE_PIXMAP, EGL_NONE})->size());
}

TEST_F(ConfigTest, IgnoredAttributesSelectNothing) {
  EXPECT_EQ(6u, choose({EGL_MAX_PBUFFER_WIDTH, 1 << 30, EGL_NATIVE_VISUAL_ID, 77, EGL_TRANSPARENT_RED_VALUE, 3})->size());
}

TEST_F(ConfigTest, BadListsAreRefused) {
  EXPECT_FALSE(choose({EGL_WIDTH, 1}));
  EXPECT_FALSE(choose({EGL_DEPTH_SIZE, -2}));
  EXPECT_FALSE(choose({EGL_COLOR_BUFFER_TYPE, 3}));
  EXPECT_FALSE(choose({EGL_CONFIG_CAVEAT, 3}));
  EXPECT_FALSE(choose({EGL_NATIVE_RENDERABLE, 2}));
}

}  // namespace
}  // namespace mgl::winsys::egl
