// The dense vocabulary of the pipe. The frontend turns GLenums into these; each backend turns them into its host's own in
// one convert.cpp. Values are not GL's. Every enum ends in Count, which is what the checks bound a field by.
#pragma once

#include "base/types.h"

namespace mgl::pipe {

enum class Primitive : u8 {
  Points, Lines, LineLoop, LineStrip, Triangles, TriangleStrip, TriangleFan, Quads, QuadStrip, Polygon,
  LinesAdjacency, LineStripAdjacency, TrianglesAdjacency, TriangleStripAdjacency, Patches, Count
};
enum class IndexType : u8 { None, U8, U16, U32, Count };

enum class CompareOp : u8 { Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always, Count };
enum class StencilOp : u8 { Keep, Zero, Replace, IncrClamp, DecrClamp, Invert, IncrWrap, DecrWrap, Count };
enum class BlendFactor : u8 {
  Zero, One, SrcColor, OneMinusSrcColor, DstColor, OneMinusDstColor, SrcAlpha, OneMinusSrcAlpha, DstAlpha,
  OneMinusDstAlpha, ConstantColor, OneMinusConstantColor, ConstantAlpha, OneMinusConstantAlpha, SrcAlphaSaturate,
  Src1Color, OneMinusSrc1Color, Src1Alpha, OneMinusSrc1Alpha, Count
};
enum class BlendOp : u8 {
  Add, Subtract, ReverseSubtract, Min, Max,
  // KHR_blend_equation_advanced
  Multiply, Screen, Overlay, Darken, Lighten, ColorDodge, ColorBurn, HardLight, SoftLight, Difference, Exclusion,
  HslHue, HslSaturation, HslColor, HslLuminosity, Count
};
enum class LogicOp : u8 {
  Clear, And, AndReverse, Copy, AndInverted, Noop, Xor, Or, Nor, Equiv, Invert, OrReverse, CopyInverted, OrInverted,
  Nand, Set, Count
};
enum class CullMode : u8 { None, Front, Back, FrontAndBack, Count };
enum class Winding : u8 { CounterClockwise, Clockwise, Count };
enum class PolygonMode : u8 { Fill, Line, Point, Count };
enum class ProvokingVertex : u8 { Last, First, Count };
enum class RestartMode : u8 { Off, Chosen, Fixed, Count };  // Fixed: the largest value of the index type
enum class ClipOrigin : u8 { LowerLeft, UpperLeft, Count };
enum class ClipDepth : u8 { NegativeOneToOne, ZeroToOne, Count };
enum class PointOrigin : u8 { UpperLeft, LowerLeft, Count };

enum class Filter : u8 { Nearest, Linear, Count };
enum class MipMode : u8 { None, Nearest, Linear, Count };
enum class Wrap : u8 { Repeat, MirroredRepeat, ClampToEdge, ClampToBorder, MirrorClampToEdge, Clamp, Count };
enum class BorderClass : u8 { Float, Int, Uint, Count };
enum class Swizzle : u8 { Red, Green, Blue, Alpha, Zero, One, Count };
enum class TextureTarget : u8 {
  Tex1D, Tex2D, Tex3D, Cube, Tex1DArray, Tex2DArray, CubeArray, Rectangle, Buffer, Tex2DMultisample,
  Tex2DMultisampleArray, Renderbuffer, Count
};
enum class ImageAccess : u8 { ReadOnly, WriteOnly, ReadWrite, Count };

enum class Stage : u8 { Vertex, TessControl, TessEvaluation, Geometry, Fragment, Compute, Count };

enum class VertexType : u8 {
  Byte, UByte, Short, UShort, Int, UInt, Half, Float, Double, Fixed, Int2101010Rev, UInt2101010Rev, UInt10F11F11FRev,
  Count
};
// How the shader sees an attribute: converted to float, kept integer, or 64-bit.
enum class AttribClass : u8 { Float, Int, Uint, Double, Count };

enum class BufferClass : u8 { Uniform, Storage, AtomicCounter, Count };  // the three shader-buffer classes

enum class QueryKind : u8 {
  SamplesPassed, AnySamplesPassed, AnySamplesPassedConservative, PrimitivesGenerated, StreamOutputPrimitivesWritten,
  TimeElapsed, Timestamp, StreamOutputOverflow, StreamOutputStreamOverflow,
  VerticesSubmitted, PrimitivesSubmitted, VertexShaderInvocations, TessControlPatches, TessEvaluationInvocations,
  GeometryShaderInvocations, GeometryShaderPrimitives, FragmentShaderInvocations, ComputeShaderInvocations,
  ClippingInputPrimitives, ClippingOutputPrimitives, Count
};
enum class ConditionMode : u8 { Wait, NoWait, ByRegionWait, ByRegionNoWait, Count };

enum class SurfaceKind : u8 { Pbuffer, X11Window, X11Pixmap, WaylandWindow, VirtualDisplay, Returned, Count };

enum class ClearKind : u8 { Float, Int, Uint, Count };
enum class UniformPatchKind : u8 { Inline, Blob, Count };
enum class BlobWhere : u32 { None, Host, Stage, Count };
enum class MapTier : u8 { None, T0, T1, T2, Count };
enum class LabelKind : u8 {
  Buffer, Shader, Program, VertexArray, Query, Pipeline, StreamOutput, Sampler, Texture, Renderbuffer, Framebuffer, Sync,
  Count
};
enum class DebugSeverity : u8 { High, Medium, Low, Notification, Count };
enum class GlError : u8 { None, InvalidEnum, InvalidValue, InvalidOperation, OutOfMemory, InvalidFramebufferOperation,
                          ContextLost, Count };

}  // namespace mgl::pipe
