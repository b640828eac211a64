// The intrinsics that kernels/cpu/*_avx512vnni.cc use, as plain loops: their sources then run
// on any machine, and a test can hold them against the reference. What the compiler makes of
// the real ones is not tested here.
//
// Include it before such a source: it keeps the compiler's own header away.
//
// Source: Intel, "Intrinsics Guide", the operation of each.
#pragma once

#define _IMMINTRIN_H_INCLUDED  // NOLINT: the guard of the compiler's header
#define __IMMINTRIN_H          // NOLINT: clang's

#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/float16.h"

// A call each: inlined, they are minutes of compiling.
#define ESP_EMULATED [[gnu::noinline]] inline

// NOLINTBEGIN: the names are not ours
struct __m256i {
  std::uint16_t halves[16];
};
struct __m512i {
  std::int32_t lanes[16];
};
struct __m512 {
  float lanes[16];
};
using __mmask16 = std::uint16_t;

#ifndef _MM_HINT_T0
#define _MM_HINT_T0 3
#endif
#define _mm_prefetch(address, hint) static_cast<void>(address)

template <typename Fn>
__m512i MakeLanes(const Fn& fn) {
  __m512i out;
  for (int i = 0; i < 16; ++i) out.lanes[i] = fn(i);
  return out;
}
template <typename Fn>
__m512 MakeFloats(const Fn& fn) {
  __m512 out;
  for (int i = 0; i < 16; ++i) out.lanes[i] = fn(i);
  return out;
}

ESP_EMULATED __m512i _mm512_setzero_si512() {
  return MakeLanes([](int) { return 0; });
}
ESP_EMULATED __m512i _mm512_set1_epi32(int x) {
  return MakeLanes([&](int) { return x; });
}
ESP_EMULATED __m512i _mm512_set1_epi8(char x) {
  __m512i out;
  std::memset(&out, static_cast<unsigned char>(x), sizeof(out));
  return out;
}
ESP_EMULATED __m512i _mm512_loadu_si512(const void* p) {
  __m512i out;
  std::memcpy(&out, p, sizeof(out));
  return out;
}
ESP_EMULATED __m512i _mm512_and_si512(__m512i a, __m512i b) {
  return MakeLanes([&](int i) { return a.lanes[i] & b.lanes[i]; });
}
ESP_EMULATED __m512i _mm512_xor_si512(__m512i a, __m512i b) {
  return MakeLanes([&](int i) { return a.lanes[i] ^ b.lanes[i]; });
}
ESP_EMULATED __m512i _mm512_sub_epi32(__m512i a, __m512i b) {
  return MakeLanes([&](int i) { return a.lanes[i] - b.lanes[i]; });
}
ESP_EMULATED __m512i _mm512_srli_epi16(__m512i a, unsigned count) {
  std::uint16_t halves[32];
  std::memcpy(halves, &a, sizeof(a));
  for (std::uint16_t& half : halves) half = static_cast<std::uint16_t>(half >> count);
  std::memcpy(&a, halves, sizeof(a));
  return a;
}
ESP_EMULATED __m512i _mm512_dpbusd_epi32(__m512i sum, __m512i a, __m512i b) {
  std::uint8_t codes[64];
  std::int8_t values[64];
  std::memcpy(codes, &a, sizeof(a));
  std::memcpy(values, &b, sizeof(b));
  for (int i = 0; i < 64; ++i) sum.lanes[i / 4] += codes[i] * values[i];
  return sum;
}

ESP_EMULATED __m256i _mm256_loadu_si256(const __m256i* p) {
  __m256i out;
  std::memcpy(&out, p, sizeof(out));
  return out;
}
ESP_EMULATED __m512 _mm512_cvtph_ps(__m256i a) {
  return MakeFloats([&](int i) { return espalier::HalfToFloat(a.halves[i]); });
}
ESP_EMULATED __m512 _mm512_cvtepi32_ps(__m512i a) {
  return MakeFloats([&](int i) { return static_cast<float>(a.lanes[i]); });
}
ESP_EMULATED __m512 _mm512_set1_ps(float x) {
  return MakeFloats([&](int) { return x; });
}
ESP_EMULATED __m512 _mm512_loadu_ps(const float* p) {
  return MakeFloats([&](int i) { return p[i]; });
}
ESP_EMULATED __m512 _mm512_load_ps(const float* p) { return _mm512_loadu_ps(p); }
ESP_EMULATED __m512 _mm512_mul_ps(__m512 a, __m512 b) {
  return MakeFloats([&](int i) { return a.lanes[i] * b.lanes[i]; });
}
ESP_EMULATED __m512 _mm512_fmadd_ps(__m512 a, __m512 b, __m512 c) {
  return MakeFloats([&](int i) { return std::fma(a.lanes[i], b.lanes[i], c.lanes[i]); });
}
ESP_EMULATED void _mm512_store_ps(float* p, __m512 a) { std::memcpy(p, &a, sizeof(a)); }
ESP_EMULATED void _mm512_mask_storeu_ps(float* p, __mmask16 lanes, __m512 a) {
  for (int i = 0; i < 16; ++i) {
    if (((lanes >> i) & 1) != 0) p[i] = a.lanes[i];
  }
}
// NOLINTEND
