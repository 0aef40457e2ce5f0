// SHA-256 (FIPS 180-4) with the instructions of x86 (SHA-NI) and ARMv8 (FEAT_SHA256). The instructions are enabled for
// single functions, so the rest of the program also runs on processors without them.
#include "CMappingSHA256.h"

#if defined(__x86_64__) || defined(__i386__)
#define SHA256_X86 1
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ \
    && (defined(__ARM_FEATURE_SHA2) || defined(__linux__))
#define SHA256_ARM 1
#include <arm_neon.h>
#ifndef __ARM_FEATURE_SHA2
#include <sys/auxv.h>
#endif
#endif

#if defined(SHA256_X86) || defined(SHA256_ARM)
static const uint32_t round_constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
#endif

#if defined(SHA256_X86)

bool mappingkit_sha256_is_available(void) {
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) return false;
    // `compress` also uses PSHUFB and PALIGNR (SSSE3) and PBLENDW (SSE4.1).
    const unsigned ssse3 = 1u << 9, sse41 = 1u << 19;
    if ((ecx & (ssse3 | sse41)) != (ssse3 | sse41)) return false;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return false;
    return ebx >> 29 & 1;
}

__attribute__((target("sha,sse4.1,ssse3")))
void mappingkit_sha256_compress(uint32_t *state, const void *blocks, size_t count) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i *constants = (const __m128i *)round_constants, *input = blocks;

    // The instructions keep the words of the state as A B E F and C D G H, from the highest to the lowest.
    __m128i dcba = _mm_loadu_si128((const __m128i *)state), hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);

    for (; count > 0; count--, input += 4) {
        const __m128i old_abef = abef, old_cdgh = cdgh;
        __m128i words[4];
        // Four rounds a turn; unrolled, all indexes are constants and `words` is in registers.
#pragma unroll
        for (int i = 0; i < 16; i++) {
            if (i < 4) {
                words[i] = _mm_shuffle_epi8(_mm_loadu_si128(input + i), big_endian);
            } else {
                __m128i early = _mm_sha256msg1_epu32(words[i % 4], words[(i + 1) % 4]);
                __m128i middle = _mm_alignr_epi8(words[(i + 3) % 4], words[(i + 2) % 4], 4);
                words[i % 4] = _mm_sha256msg2_epu32(_mm_add_epi32(early, middle), words[(i + 3) % 4]);
            }
            __m128i added = _mm_add_epi32(words[i % 4], constants[i]);
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
        }
        abef = _mm_add_epi32(abef, old_abef);
        cdgh = _mm_add_epi32(cdgh, old_cdgh);
    }

    __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#elif defined(SHA256_ARM)

bool mappingkit_sha256_is_available(void) {
#ifdef __ARM_FEATURE_SHA2
    return true; // The program is compiled for processors that have them, as on all of Apple's.
#else
    const unsigned long hwcap_sha2 = 1ul << 6; // HWCAP_SHA2 of Linux; not every C library's header defines it.
    return getauxval(AT_HWCAP) & hwcap_sha2;
#endif
}

__attribute__((target("+sha2")))
void mappingkit_sha256_compress(uint32_t *state, const void *blocks, size_t count) {
    const uint8_t *input = blocks;
    uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);

    for (; count > 0; count--, input += 64) {
        const uint32x4_t old_abcd = abcd, old_efgh = efgh;
        uint32x4_t words[4];
        // Four rounds a turn; unrolled, all indexes are constants and `words` is in registers.
#pragma unroll
        for (int i = 0; i < 16; i++) {
            if (i < 4) {
                words[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(input + 16 * i)));
            } else {
                uint32x4_t early = vsha256su0q_u32(words[i % 4], words[(i + 1) % 4]);
                words[i % 4] = vsha256su1q_u32(early, words[(i + 2) % 4], words[(i + 3) % 4]);
            }
            uint32x4_t added = vaddq_u32(words[i % 4], vld1q_u32(round_constants + 4 * i)), before = abcd;
            abcd = vsha256hq_u32(abcd, efgh, added);
            efgh = vsha256h2q_u32(efgh, before, added);
        }
        abcd = vaddq_u32(abcd, old_abcd);
        efgh = vaddq_u32(efgh, old_efgh);
    }

    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}

#else

bool mappingkit_sha256_is_available(void) { return false; }

void mappingkit_sha256_compress(uint32_t *state, const void *blocks, size_t count) {
    (void)state, (void)blocks, (void)count;
}

#endif
