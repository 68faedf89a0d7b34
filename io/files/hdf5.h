/* HDF5 files, every call checked.
 *
 *   hdf5.c         a file that is built in memory
 *   chunks.c, .h   fields in compressed chunks
 *   remote.c, .h   fields of which other processes hold the parts
 *   driver.c, .h   a file on the disk, whose numbers other processes write
 *   hdf5_read.c    reading
 *   sums.c, .h     checksums; listed.c: looking at those of a file
 *
 * HDF5 never touches the disk when files are written: a file is built in memory, and its bytes go through the one
 * function that writes, syncs and renames. So a full disk is an error of write(), not a half-open HDF5 file. Files of
 * several ranks, whose fields may exceed any memory, are the exception (hp_h5_create_on_disk).
 */
#ifndef HP_IO_FILES_HDF5_H
#define HP_IO_FILES_HDF5_H

#include <hdf5.h>

#include "core/status.h"
#include "io/files/sums.h"

/* Types in the file and, in brackets, of the array that the caller passes. */
typedef enum {
  HP_H5_F32, /* [double] */
  HP_H5_F64, /* [double] */
  HP_H5_I32, /* [int32_t] */
  HP_H5_U8   /* [uint8_t] */
} hp_h5_type;

typedef struct hp_h5 {
  hid_t file;              /* < 0: none */
  hid_t plain;             /* while writing: how a contiguous dataset is created, 0: none */
  hid_t text;              /* and a text of variable length; a file has hundreds of both */
  const char *path;        /* borrowed */
  int compression;         /* gzip level of fields, 0: none */
  bool on_disk;            /* it is written as it grows, under a temporary name */
  struct hp_h5_list *list; /* while writing: of checksums (io/files/sums.h) */
  hp_sum sum;              /* of the contiguous dataset that is written in pieces, */
  int64_t summed;          /* of which so many bytes have been written */
} hp_h5;

/* HDF5's type of the caller's array. */
hid_t hp_h5_memory_type(hp_h5_type type);

/* The failure of the latest HDF5 call on `h`, with HDF5's own reason. */
hp_status hp_h5_fail(const hp_h5 *h, const char *what) HP_MUST_USE;

/* Is called once, before any other call of HDF5. It keeps HDF5 from cleaning up at the program's end, where HDF5 1.10
 * crashes over a file that it could not close on a full disk. It also reuses the half megabyte of each closed file: a
 * tenth of a small run under AddressSanitizer. */
void hp_h5_leave_at_exit(void);

/* Makes a file in memory that hp_h5_commit puts at `path`. HDF5 prints no errors from then on; they come through
 * hp_fail. */
hp_status hp_h5_create(hp_h5 *h, const char *path, int compression) HP_MUST_USE;
/* The same for a file that grows on the disk, under a temporary name until hp_h5_commit. */
hp_status hp_h5_create_on_disk(hp_h5 *h, const char *path, int compression) HP_MUST_USE;
/* Write the file atomically and close it in any case; hp_h5_place does not sync (hp_file_place). */
hp_status hp_h5_commit(hp_h5 *h) HP_MUST_USE;
hp_status hp_h5_place(hp_h5 *h) HP_MUST_USE;
/* Returns the file as bytes, image [*size], which the caller owns, instead of writing it, and closes it in any case. */
hp_status hp_h5_image(hp_h5 *h, char **image, int64_t *size) HP_MUST_USE;
/* The bytes of the file if it were written now. */
hp_status hp_h5_size(hp_h5 *h, int64_t *size) HP_MUST_USE;
/* Closes the file, if it is open, without writing. */
void hp_h5_discard(hp_h5 *h);

hp_status hp_h5_group(hp_h5 *h, const char *name) HP_MUST_USE;
/* data [dims[0]]..[dims[rank-1]], contiguous in the file; unit may be NULL. */
hp_status hp_h5_array(hp_h5 *h, const char *name, hp_h5_type type, int rank, const int64_t *dims, const void *data,
                      const char *unit) HP_MUST_USE;
/* data [nz][ny][nx], in chunks of about 262144 cells with shuffle and gzip. */
hp_status hp_h5_field(hp_h5 *h, const char *name, hp_h5_type type, const int dims[3], const void *data,
                      const char *unit) HP_MUST_USE;

/* A field and where its numbers come from. */
typedef struct hp_h5_source {
  const char *name, *unit; /* unit may be NULL */
  const void *data;        /* [nz][ny][nx], or as by_cell says */
  bool by_cell;            /* doubles in the order of the cells, k fastest, then j, then i */
  bool less_one;           /* 1 - data is meant; of doubles by cell */
  double divisor;          /* data divided by it is meant; of doubles by cell; 0: as it is */
  int tail;                /* > 1: dims[2] counts so many numbers for each cell or node, a last axis of the dataset */
  /* Not NULL: makes the n numbers from `from` on, a multiple of tail, of the row k, j from data, as the type says. */
  void (*row)(const void *data, int k, int j, int64_t from, int64_t n, void *to);
} hp_h5_source;

/* Writes `count` such fields of one tail; `threads` pack their chunks at the same time, which changes no byte. Several
 * threads need memory for all packed chunks. */
hp_status hp_h5_fields(hp_h5 *h, int count, const hp_h5_source *field, hp_h5_type type, const int dims[3],
                       int threads) HP_MUST_USE;
/* Writes a field with made rows, contiguous and not compressed, some layers at a time. */
hp_status hp_h5_rows(hp_h5 *h, const hp_h5_source *field, hp_h5_type type, const int dims[3]) HP_MUST_USE;
/* The bytes that hp_h5_fields needs. */
int64_t hp_h5_fields_bytes(int count, hp_h5_type type, const int dims[3], int threads);
/* A dataset that is written in boxes, in the order of its numbers; chunk: in packed chunks instead (H5Dwrite_chunk); NULL:
 * contiguous, and what others write of it is told to hp_h5_sum_bytes. Whatever
 * opening and writing came to, it is closed with that status, and gets its unit. */
hp_status hp_h5_open_set(hp_h5 *h, const char *name, hp_h5_type type, int rank, const hsize_t *size,
                         const hsize_t *chunk, hid_t *set) HP_MUST_USE;
hp_status hp_h5_write_box(hp_h5 *h, hid_t set, const char *name, hp_h5_type type, int rank, const hsize_t *from,
                          const hsize_t *count, const void *data) HP_MUST_USE;
/* Adds `count` numbers (the type's in brackets) from byte `place` of the file's dataset on. */
void hp_h5_sum_numbers(hp_h5_type type, const void *data, int64_t count, hp_sum *sum, int64_t place);
void hp_h5_sum_bytes(hp_h5 *h, const hp_sum *sum, int64_t bytes);
hp_status hp_h5_close_set(hp_h5 *h, const char *name, hid_t set, const char *unit, hp_status s) HP_MUST_USE;
/* [count] strings, of the length of the longest; NULL: empty. */
hp_status hp_h5_strings(hp_h5 *h, const char *name, int64_t count, const char *const *text) HP_MUST_USE;
/* Attributes of `object`. Texts have variable length, so that a deck of megabytes fits. */
hp_status hp_h5_text(hp_h5 *h, const char *object, const char *name, const char *value) HP_MUST_USE;
hp_status hp_h5_number(hp_h5 *h, const char *object, const char *name, double value) HP_MUST_USE;
hp_status hp_h5_integer(hp_h5 *h, const char *object, const char *name, int64_t value) HP_MUST_USE;
/* Link `name` to `object` of the file `target` (relative to this file's folder). */
hp_status hp_h5_link(hp_h5 *h, const char *name, const char *target, const char *object) HP_MUST_USE;

/* ---- listed.c ---- */

/* Verifies everything in the file's list of checksums; HP_ERR_FILE names what is damaged. *listed: there is a list; if
 * `must`, a missing list is damage. */
hp_status hp_h5_verify(const hp_h5 *h, bool must, bool *listed) HP_MUST_USE;
/* Reads all datasets in packed chunks. */
hp_status hp_h5_verify_packed(const hp_h5 *h) HP_MUST_USE;
/* The file that the external link `name` leads to, to be freed with HP_FREE: as the link has it, and from here. */
hp_status hp_h5_link_file(const hp_h5 *h, const char *name, char **file) HP_MUST_USE;
hp_status hp_h5_linked(const hp_h5 *h, const char *name, char **path) HP_MUST_USE;

/* ---- elsewhere.c ---- */

/* External storage and virtual datasets: numbers, or bytes taken for such, of any file. */
bool hp_h5_is_elsewhere(hid_t set);
/* HP_ERR_FILE: a dataset is elsewhere, or an external link leads to what is no file beneath the folder of this one, or to a
 * file that has links itself. */
hp_status hp_h5_check_own(hp_h5 *h) HP_MUST_USE;

/* ---- hdf5_read.c ---- */

/* A file all of whose numbers are its own (hp_h5_check_own); the other one leaves that to the caller. */
hp_status hp_h5_open(hp_h5 *h, const char *path) HP_MUST_USE;
hp_status hp_h5_open_unseen(hp_h5 *h, const char *path) HP_MUST_USE;
/* Turns HP_ERR_FILE into HP_ERR_USAGE, for commands that only read: an unreadable file is a mistake on their command
 * line. */
hp_status hp_h5_as_usage(hp_status s) HP_MUST_USE;
/* Whether an object stands at `name`; a link whose file is missing counts as none. */
bool hp_h5_exists(const hp_h5 *h, const char *name);
/* A whole dataset in row order, to be freed with HP_FREE. */
hp_status hp_h5_read(const hp_h5 *h, const char *name, double **data, int64_t *count) HP_MUST_USE;
/* The number of a dataset's entries; the file must have their bytes. */
hp_status hp_h5_count(const hp_h5 *h, const char *name, int64_t *count) HP_MUST_USE;
/* Rows first .. first + count of a dataset [rows][numbers], or of one axis, into data [count][numbers]. */
hp_status hp_h5_read_rows(const hp_h5 *h, const char *name, int64_t first, int64_t count, int numbers,
                          double *data) HP_MUST_USE;
/* HP_ERR_FILE unless the file that the dataset stands in, which may be behind a link, can hold `count` entries of `width` bytes. A
 * damaged size would ask for memory without end. */
hp_status hp_h5_check_stored(const hp_h5 *h, const char *name, hid_t set, double count, double width) HP_MUST_USE;
/* Entry `index` of a one-dimensional dataset of strings. */
hp_status hp_h5_read_string(const hp_h5 *h, const char *name, int64_t index, char **text) HP_MUST_USE;
/* All entries of a one-dimensional dataset of strings, to be freed with hp_h5_members_free. */
hp_status hp_h5_read_strings(const hp_h5 *h, const char *name, char ***text, int64_t *count) HP_MUST_USE;
/* A text attribute; an absent one is an empty string. */
hp_status hp_h5_read_text(const hp_h5 *h, const char *object, const char *name, char **text) HP_MUST_USE;
hp_status hp_h5_read_number(const hp_h5 *h, const char *object, const char *name, double *value) HP_MUST_USE;
/* Names of the members of a group, in alphabetical order: *names has *count strings in one block. */
hp_status hp_h5_members(const hp_h5 *h, const char *group, char ***names, int64_t *count) HP_MUST_USE;
void hp_h5_members_free(char ***names, int64_t count);

/* The name as part of an HDF5 path: '/' becomes '_'. */
hp_status hp_h5_name(char **out, const char *prefix, const char *name) HP_MUST_USE;

#endif
