/* Data that HDF5 would take from other files: what a file of unknown origin may not lead to. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "io/files/hdf5.h"
#include "io/files/text.h"

bool hp_h5_is_elsewhere(hid_t set) {
  const hid_t how = H5Dget_create_plist(set);
  const bool elsewhere = how < 0 || H5Pget_external_count(how) != 0 || H5Pget_layout(how) == H5D_VIRTUAL;
  if (how >= 0) H5Pclose(how);
  return elsewhere;
}

/* Whether a path leads from a folder to what is beneath it. */
static bool is_beneath(const char *path) {
  if (path[0] == '/' || path[0] == '\0') return false;
  for (const char *part = path; part != NULL; part = strchr(part, '/')) {
    part += *part == '/';
    if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return false;
  }
  return true;
}

typedef struct {
  const hp_h5 *h;
  bool links; /* whether there may be external ones */
  char *last; /* the file of the last one, which was looked at */
  hp_status status;
} look;

static hp_status check_set(const look *l, hid_t group, const char *name) {
  const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  const bool bad = object >= 0 && H5Iget_type(object) == H5I_DATASET && hp_h5_is_elsewhere(object);
  if (object >= 0) H5Oclose(object);
  return bad ? hp_fail(HP_ERR_FILE, "%s: %s: its numbers stand in other files", l->h->path, name) : HP_OK;
}

static hp_status check_all(hp_h5 *h, bool links);

/* A file that is missing is told where it is needed. */
static hp_status check_target(look *l, const char *name, char *path) {
  struct stat st;
  hp_h5 target;
  if (stat(path, &st) != 0) return HP_OK;
  if (!S_ISREG(st.st_mode))
    return hp_fail(HP_ERR_FILE, "%s: the link %s leads to %s, which is no file", l->h->path, name, path);
  if (l->last != NULL && strcmp(path, l->last) == 0) return HP_OK;
  hp_status s = hp_h5_open_unseen(&target, path);
  if (s == HP_OK) s = check_all(&target, false);
  hp_h5_discard(&target);
  HP_FREE(l->last);
  return s == HP_OK ? hp_format(&l->last, "%s", path) : s;
}

static hp_status check_external(look *l, const char *name) {
  char *file, *path;
  if (!l->links) return hp_fail(HP_ERR_FILE, "%s: %s is a link to another file", l->h->path, name);
  HP_TRY(hp_h5_link_file(l->h, name, &file));
  hp_status s = is_beneath(file) ? HP_OK
                                 : hp_fail(HP_ERR_FILE, "%s: the link %s leads out of the folder", l->h->path, name);
  HP_FREE(file);
  if (s == HP_OK) s = hp_h5_linked(l->h, name, &path);
  if (s != HP_OK) return s;
  s = check_target(l, name, path);
  HP_FREE(path);
  return s;
}

static herr_t look_at(hid_t group, const char *name, const H5L_info_t *info, void *arg) {
  look *l = arg;
  if (info->type == H5L_TYPE_HARD) l->status = check_set(l, group, name);
  else if (info->type != H5L_TYPE_SOFT) l->status = check_external(l, name);
  return l->status == HP_OK ? 0 : -1;
}

static hp_status check_all(hp_h5 *h, bool links) {
  look l = {.h = h, .links = links};
  if (H5Lvisit(h->file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at, &l) < 0 && l.status == HP_OK)
    l.status = hp_fail(HP_ERR_FILE, "%s: is damaged: its groups cannot be read", h->path);
  HP_FREE(l.last);
  return l.status;
}

hp_status hp_h5_check_own(hp_h5 *h) { return check_all(h, true); }
