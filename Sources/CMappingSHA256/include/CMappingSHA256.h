#ifndef MAPPINGKIT_CSHA256_H
#define MAPPINGKIT_CSHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns whether this processor has instructions for SHA-256 that this library can use.
bool mappingkit_sha256_is_available(void);

/// Adds `count` blocks of 64 bytes to a SHA-256 state.
///
/// Only call it if `mappingkit_sha256_is_available` returns true; otherwise it does nothing.
void mappingkit_sha256_compress(uint32_t *state, const void *blocks, size_t count);

#endif
