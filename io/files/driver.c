#define _POSIX_C_SOURCE 200809L
#include "io/files/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "io/files/text.h"
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* A file as HDF5 has it open; from malloc, since HDF5 keeps one that it could not close. */
typedef struct {
  H5FD_t base; /* HDF5's */
  int fd;
  haddr_t end, written; /* of the file as HDF5 sees it; of what is on the disk by this process */
  dev_t device;
  ino_t number;
  hp_shared_token token;
  bool reserves;  /* numbers are not written */
  haddr_t lowest; /* place of those that were not; HADDR_UNDEF: none */
} disk;

/* The reason as hp_h5_fail looks for it. */
static herr_t refuse(hid_t kind, const char *what) {
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_VFL, kind, "%s: error message = '%s'", what,
           strerror(errno));
  return -1;
}

/* ---- HDF5's calls ---- */

/* HDF5 opens a file first as it is, to see whether it has it open already, then with all flags. */
static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most) {
  (void)access, (void)most;
  struct stat st;
  struct timespec now;
  const int how = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
  const bool fresh = (flags & H5F_ACC_CREAT) != 0;
  const int fd = fresh ? hp_file_create(name, how) : open(name, how | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    (void)refuse(H5E_CANTOPENFILE, "unable to open the file");
    return NULL;
  }
  disk *f = calloc(1, sizeof *f);
  bool ok = f != NULL && fstat(fd, &st) == 0;
  if (ok) {
    clock_gettime(CLOCK_REALTIME, &now);
    f->fd = fd;
    f->device = st.st_dev;
    f->number = st.st_ino;
    f->written = (haddr_t)st.st_size;
    f->lowest = HADDR_UNDEF;
    f->token = (hp_shared_token){{(int64_t)getpid(), (int64_t)now.tv_sec, now.tv_nsec}};
    if ((flags & H5F_ACC_TRUNC) != 0) {
      ok = hp_shared_put(fd, &f->token, sizeof f->token, 0);
      f->written = 0; /* by which HDF5 knows that the file is new */
    }
  }
  if (ok) return &f->base;
  (void)refuse(H5E_CANTOPENFILE, "unable to open the file");
  free(f);
  close(fd);
  return NULL;
}

static herr_t close_file(H5FD_t *base) {
  disk *f = (disk *)base;
  const herr_t r = close(f->fd) == 0 ? 0 : refuse(H5E_CANTCLOSEFILE, "unable to close the file");
  free(f);
  return r;
}

static int compare(const H5FD_t *a, const H5FD_t *b) {
  const disk *x = (const disk *)a, *y = (const disk *)b;
  if (x->device != y->device) return x->device < y->device ? -1 : 1;
  return x->number == y->number ? 0 : x->number < y->number ? -1 : 1;
}

/* Those of sec2 that places depend on. Without a sieve HDF5 keeps no numbers back that it would write over those of others. */
static herr_t query(const H5FD_t *base, unsigned long *flags) {
  (void)base;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA |
           H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t get_eoa(const H5FD_t *base, H5FD_mem_t type) {
  (void)type;
  return ((const disk *)base)->end;
}

static herr_t set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t end) {
  (void)type;
  ((disk *)base)->end = end;
  return 0;
}

static haddr_t get_eof(const H5FD_t *base, H5FD_mem_t type) {
  (void)type;
  return ((const disk *)base)->written;
}

static herr_t get_handle(H5FD_t *base, hid_t access, void **handle) {
  (void)access;
  *handle = base;
  return 0;
}

/* Bytes beyond the end are zero. */
static herr_t read_bytes(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t place, size_t size, void *to) {
  (void)type, (void)transfer;
  const disk *f = (const disk *)base;
  char *at = to;
  while (size > 0) {
    const ssize_t n = pread(f->fd, at, size, (off_t)place);
    if (n < 0 && errno != EINTR) return refuse(H5E_READERROR, "unable to read the file");
    if (n == 0) {
      memset(at, 0, size);
      return 0;
    }
    if (n < 0) continue;
    at += n;
    place += (haddr_t)n;
    size -= (size_t)n;
  }
  return 0;
}

static herr_t write_bytes(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t place, size_t size,
                          const void *bytes) {
  (void)transfer;
  disk *f = (disk *)base;
  if (f->reserves && type == H5FD_MEM_DRAW) {
    if (f->lowest == HADDR_UNDEF || place < f->lowest) f->lowest = place;
    return 0;
  }
  if (!hp_shared_put(f->fd, bytes, (int64_t)size, (int64_t)place))
    return refuse(H5E_WRITEERROR, "unable to write the file");
  if (place + size > f->written) f->written = place + size;
  return 0;
}

/* The file gets the length that HDF5 has for it: never less than what others have written. */
static herr_t truncate_file(H5FD_t *base, hid_t transfer, bool closing) {
  (void)transfer, (void)closing;
  disk *f = (disk *)base;
  if (f->end == f->written) return 0;
  if (ftruncate(f->fd, (off_t)f->end) != 0) return refuse(H5E_SEEKERROR, "unable to extend the file");
  f->written = f->end;
  return 0;
}

bool hp_driver_use(hid_t access) {
  const H5FD_class_t class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 512 + 'h', /* beyond those that HDF5 keeps for itself */
#endif
    .name = "hepta",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = open_file,
    .close = close_file,
    .cmp = compare,
    .query = query,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .get_handle = get_handle,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = truncate_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY, /* sec2's */
  };
  static hid_t driver = H5I_INVALID_HID; /* for good: HDF5 lets go of a file's driver before it calls its functions */
  if (driver < 0) driver = H5FDregister(&class);
  return driver >= 0 && H5Pset_driver(access, driver, NULL) >= 0;
}

/* ---- places ---- */

static disk *disk_of(const hp_h5 *h) {
  void *handle = NULL;
  return h->on_disk && H5Fget_vfd_handle(h->file, H5P_DEFAULT, &handle) >= 0 ? handle : NULL;
}

hp_status hp_driver_token(const hp_h5 *h, hp_shared_token *token) {
  const disk *f = disk_of(h);
  if (f == NULL) return hp_h5_fail(h, "is in memory");
  *token = f->token;
  return HP_OK;
}

/* A reservation begins; NULL: the file is not on the disk. */
static disk *begin(const hp_h5 *h) {
  disk *f = disk_of(h);
  if (f == NULL) return NULL;
  f->lowest = HADDR_UNDEF;
  f->reserves = true;
  return f;
}

static hp_status end(const hp_h5 *h, const char *name, disk *f, bool ok, int64_t *place) {
  f->reserves = false;
  if (!ok) return hp_h5_fail(h, name);
  if (f->lowest == HADDR_UNDEF) return hp_fail(HP_ERR_INTERNAL, "%s: %s: HDF5 gives no place", h->path, name);
  *place = (int64_t)f->lowest;
  return HP_OK;
}

hp_status hp_driver_reserve_chunk(const hp_h5 *h, hid_t set, const char *name, const hsize_t *from, size_t size,
                                  int64_t *place) {
  const char none = 0; /* which nobody reads */
  disk *f = begin(h);
  if (f == NULL) return hp_h5_fail(h, name);
  return end(h, name, f, H5Dwrite_chunk(set, H5P_DEFAULT, 0, from, size, &none) >= 0, place);
}

/* HDF5 gives all of it a place when the first number is written. */
hp_status hp_driver_reserve_all(hp_h5 *h, hid_t set, const char *name, hp_h5_type type, int rank, int64_t *place) {
  const hsize_t from[4] = {0, 0, 0, 0}, count[4] = {1, 1, 1, 1};
  const double none = 0.0;
  disk *f = begin(h);
  if (f == NULL) return hp_h5_fail(h, name);
  const hp_status s = hp_h5_write_box(h, set, name, type, rank, from, count, &none);
  h->sum = (hp_sum){0, 0}; /* that number is none */
  h->summed = 0;
  const hp_status ended = end(h, name, f, s == HP_OK, place);
  return s != HP_OK ? s : ended;
}
