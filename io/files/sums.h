/* Checksums of a file's contents: a line for each contiguous dataset, attribute and link, in the order of writing, in
 * the text attribute "checksums" of its root.
 *
 *     0123456789abcdef /pressure              of the numbers
 *     0123456789abcdef unit /pressure         of the attribute `unit`
 *     0123456789abcdef link /steps/000012     of what a link names
 *     0123456789abcdef                        of the lines before
 *
 * Packed chunks need none, because HDF5 checks that of deflate. A checksum combines two sums modulo 2^64 over the
 * bytes' 64-bit words w_n (lowest byte first): that of w_n, which any one bit changes, and that of n w_n, which words
 * that swap places change. Ranks can add those of their parts, wherever these begin.
 */
#ifndef HP_IO_FILES_SUMS_H
#define HP_IO_FILES_SUMS_H

#include <stddef.h>
#include <stdint.h>

typedef struct hp_sum {
  uint64_t words, placed; /* of w_n, of (n + 1) w_n */
} hp_sum;

/* Adds bytes that begin at byte `place` of the whole. */
void hp_sum_add(hp_sum *s, const void *bytes, size_t size, uint64_t place);
/* The checksum of `size` bytes in all. */
uint64_t hp_sum_value(const hp_sum *s, uint64_t size);
/* The same for bytes in one piece. */
uint64_t hp_sum_of(const void *bytes, size_t size);

#endif
