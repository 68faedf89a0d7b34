/* Bad input: one entry, LLVMFuzzerTestOneInput, for libFuzzer (HEPTA_FUZZ) and for the suite's own driver (replay.c).
 *
 *     byte 0   'c' an own deck, 'e' an Eclipse deck: the text follows; after a line "%%" a file a.inc, after others
 *              b.inc and r.FUNRST
 *              's' options --set, a line each, on base.cfg, 'S' on BASE.DATA
 *              'r' changes to the result of a small run, eight bytes each (restart.c), which is then gone on from;
 *              'R' the same, with the checksums of what the result holds then (sums.c)
 *
 * A case is read as `hepta check` reads it, in a folder of its own, with HELD bytes of memory. guard.c watches the
 * calls to the system meanwhile: what opens a file for writing, makes, renames or removes one or starts a process
 * aborts; no file outside of the folder can be read.
 */
#ifndef HP_TESTS_FUZZ_H
#define HP_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_HELD = 16 << 20 };

/* The folder, with no slash at its end; made at the first call, removed at the end of the program. */
const char *fuzz_folder(void);
/* "FOLDER/name", valid until the next call but three. */
const char *fuzz_path(const char *name);
void fuzz_write(const char *name, const void *text, size_t size);

/* Ends the program with a line that says why. */
void fuzz_fail(const char *what, const char *about);

/* guard.c */
void fuzz_guard(const char *folder); /* NULL: watch no more */
long fuzz_guard_refused(void);       /* files outside of the folder that were asked for */

/* restart.c */
void fuzz_restart_prepare(void);
void fuzz_restart(const uint8_t *data, size_t size, bool renewed);

/* sums.c: makes the checksums of a result's file those of what it holds. */
void fuzz_renew_sums(const char *path);

/* Cases that ended well: read, or gone on from. */
extern long fuzz_sound;

#endif
