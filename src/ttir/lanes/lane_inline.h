#pragma once

// Files of lane operations are compiled once for each instruction set. Whatever they share must be inlined into each of
// them: the linker keeps one copy of an ordinary inline function, and it may be one that this machine cannot run.
#define TRITONRL_LANE [[gnu::always_inline]] inline

// Iterations do not depend on each other: `out` is an input or apart from all of them.
#if defined(__clang__)
#define TRITONRL_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define TRITONRL_LANE_LOOP _Pragma("GCC ivdep")
#endif
