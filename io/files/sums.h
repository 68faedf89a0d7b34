/* Checksums of what a file of hepta holds: a line for each contiguous dataset, attribute and link in the text attribute
 * "checksums" of its root, in the order in which they were written.
 *
 *     0123456789abcdef /pressure              of the numbers
 *     0123456789abcdef unit /pressure         of the attribute `unit`
 *     0123456789abcdef link /steps/000012     of what a link names
 *     0123456789abcdef                        of the lines before
 *
 * Packed chunks need none: deflate has a checksum of its own, which HDF5 looks at. A sum is that of the bytes' words of 64
 * bits w_n, the lowest byte first, by two sums modulo 2^64: of w_n, which any one bit changes, and of n w_n, which words that
 * change places do. Both are sums of the parts' that several ranks have, wherever these begin.
 */
#ifndef HP_IO_FILES_SUMS_H
#define HP_IO_FILES_SUMS_H

#include <stddef.h>
#include <stdint.h>

typedef struct hp_sum {
  uint64_t words, placed; /* of w_n, of (n + 1) w_n */
} hp_sum;

/* Adds bytes that begin at byte `place` of all. */
void hp_sum_add(hp_sum *s, const void *bytes, size_t size, uint64_t place);
/* The checksum of `size` bytes in all. */
uint64_t hp_sum_value(const hp_sum *s, uint64_t size);
/* The same of bytes that are all together. */
uint64_t hp_sum_of(const void *bytes, size_t size);

#endif
