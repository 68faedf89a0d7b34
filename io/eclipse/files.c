/* Files that a deck names, and the keywords that end or pass over text. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"
#include "io/files/text.h"

static bool is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

hp_status hp_ecl_file_start(hp_ecl *e, const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash != NULL) HP_TRY(hp_ecl_text(path, slash > path ? (size_t)(slash - path) : 1, &e->folder));
  else HP_TRY(hp_ecl_text(".", 1, &e->folder));
  const char *kept;
  if (e->c->deck == NULL) HP_TRY(hp_ecl_text(path, strlen(path), &e->c->deck));
  hp_inputs_add(&e->diag->read, path);
  HP_TRY(hp_case_file(e->c, path, &kept));
  HP_TRY(hp_ecl_open_all(e, path, kept));
  if (e->c->text != NULL) HP_FREE(e->c->text);
  size_t size;
  if (e->c->spread != NULL) return hp_spread_opens_files(e->c->spread) ? hp_file_read(path, &e->c->text, &size) : HP_OK;
  return hp_ecl_text(e->lexer.source[0].text, (size_t)e->lexer.source[0].size, &e->c->text);
}

/* The name of the entry of `folder` that equals `name` but for the case of letters. */
static bool other_case(const char *folder, const char *name, char *found, size_t size) {
  DIR *d = opendir(folder);
  if (d == NULL) return false;
  bool ok = false;
  for (const struct dirent *f = readdir(d); f != NULL && !ok; f = readdir(d))
    if (strcasecmp(f->d_name, name) == 0 && strlen(f->d_name) < size) {
      memcpy(found, f->d_name, strlen(f->d_name) + 1);
      ok = true;
    }
  closedir(d);
  return ok;
}

/* Corrects the case of each part of path behind its first `fixed` characters. */
static bool correct_case(char *path, size_t fixed) {
  struct stat st;
  for (char *part = path + fixed; *part != '\0';) {
    char *end = part + strcspn(part, "/");
    const char kept = *end;
    *end = '\0';
    if (*part != '\0' && stat(path, &st) != 0) {
      char found[256];
      const bool at_root = part == path || part == path + 1;
      if (part > path) part[-1] = '\0';
      const char *folder = part == path ? "." : at_root ? "/" : path;
      const bool ok = other_case(folder, part, found, sizeof found);
      if (part > path) part[-1] = '/';
      if (!ok) return false;
      memcpy(part, found, strlen(found)); /* the same length: only letters' case differs */
    }
    *end = kept;
    part = end + (kept == '/');
  }
  return is_file(path);
}

static const char *find_alias(const hp_ecl *e, const char *name, size_t n) {
  for (int k = 0; k < e->aliases; ++k)
    if (strlen(e->alias[k].name) == n && strncasecmp(e->alias[k].name, name, n) == 0) return e->alias[k].path;
  return NULL;
}

enum { PATH = 4096 };

/* The full name of what a deck calls `name`, with `ending` behind it, and the folder it is looked for in; *there: there
 * is such a file. */
static hp_status complete(hp_ecl *e, const hp_ecl_token *name, const char *ending, char full[PATH], const char **folder,
                          bool *there) {
  char text[PATH];
  if (name->length <= 0 || name->length >= PATH) return hp_ecl_error(e, name->file, name->line, "not a file name");
  hp_ecl_copy(name, text, sizeof text);
  const char *rest = text, *root = "";
  if (text[0] == '$') {
    const size_t n = strcspn(text + 1, "/\\");
    root = find_alias(e, text + 1, n);
    if (root == NULL) return hp_ecl_error(e, name->file, name->line, "%.*s: no such alias in PATHS", (int)n + 1, text);
    rest = text + 1 + n;
  }
  const bool absolute = root[0] == '/' || (root[0] == '\0' && rest[0] == '/');
  const int length = snprintf(full, PATH, "%s%s%s%s%s", absolute ? "" : e->folder, absolute ? "" : "/", root, rest,
                              ending);
  *folder = absolute ? "/" : e->folder;
  if (length < 0 || length >= PATH) return hp_ecl_error(e, name->file, name->line, "%s: the path is too long", text);
  *there = is_file(full);
  if (*there) return HP_OK;
  for (char *c = full; *c != '\0'; ++c)
    if (*c == '\\') *c = '/';
  *there = is_file(full) || correct_case(full, absolute ? 0 : strlen(e->folder) + 1);
  return HP_OK;
}

/* Finds the file that a deck names, by aliases, separators and any case. */
static hp_status find_file(hp_ecl *e, const hp_ecl_token *name, char **path) {
  char full[PATH], text[PATH];
  const char *folder;
  bool there;
  *path = NULL;
  HP_TRY(complete(e, name, "", full, &folder, &there));
  if (there) return hp_ecl_text(full, strlen(full), path);
  hp_ecl_copy(name, text, sizeof text);
  struct stat st;
  if (stat(full, &st) != 0 && errno == EACCES)
    return hp_ecl_error(e, name->file, name->line, "%s: cannot open: %s", text, strerror(EACCES));
  return hp_ecl_error(e, name->file, name->line, "%s: no such file, in any case of letters, in %s%s", text, folder,
                      hp_file_advice(text));
}

hp_status hp_ecl_file_look(hp_ecl *e, const hp_ecl_token *name, const char *ending, char **path) {
  char full[PATH];
  const char *folder;
  bool there;
  *path = NULL;
  HP_TRY(complete(e, name, ending, full, &folder, &there));
  return there ? hp_ecl_text(full, strlen(full), path) : HP_OK;
}

/* Whether the file is being read: it would include itself. */
static bool is_open(const hp_ecl *e, const char *path) {
  for (int n = 0; n < e->lexer.depth; ++n)
    if (hp_file_is_same(e->lexer.source[n].file, path)) return true;
  return false;
}

static hp_status find_included(hp_ecl *e, const hp_ecl_record *record, char **path) {
  HP_TRY(find_file(e, &record->include.file.text, path));
  if (!is_open(e, *path)) return HP_OK;
  HP_FREE(*path);
  return hp_ecl_error(e, record->file, record->line, "the file includes itself, or one that includes it");
}

/* The contents of an included file are lost with it. */
hp_status hp_ecl_do_include(hp_ecl *e, const hp_ecl_record *record) {
  char *path = NULL;
  hp_status found = hp_spread_opens_files(e->c->spread) ? find_included(e, record, &path) : HP_OK;
  found = hp_ecl_share_path(e, found, &path);
  if (found == HP_ERR_DECK) e->lost = HP_ECL_ANYWHERE;
  HP_TRY(found);
  const char *kept;
  hp_inputs_add(&e->diag->read, path);
  hp_status s = hp_case_file(e->c, path, &kept);
  if (s == HP_OK) s = hp_ecl_open_all(e, path, kept);
  HP_FREE(path);
  if (s == HP_ERR_DECK || s == HP_ERR_FILE) {
    e->lost = HP_ECL_ANYWHERE;
    return hp_ecl_error(e, record->file, record->line, "%s", hp_fail_text());
  }
  return s;
}

hp_status hp_ecl_do_paths(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_token *name = &record->paths.alias.text, *path = &record->paths.path.text;
  HP_TRY(HP_GROW(e->alias, e->aliases, 1));
  hp_ecl_alias *a = &e->alias[e->aliases];
  memset(a, 0, sizeof *a);
  HP_TRY(hp_ecl_text(name->text, (size_t)name->length, &a->name));
  const hp_status s = hp_ecl_text(path->text, (size_t)path->length, &a->path);
  if (s != HP_OK) {
    HP_FREE(a->name);
    return s;
  }
  e->aliases += 1;
  return HP_OK;
}

hp_status hp_ecl_do_endinc(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (e->lexer.depth == 1) return hp_ecl_error(e, e->file, e->line, "is not in an included file");
  hp_ecl_close(&e->lexer);
  return HP_OK;
}

hp_status hp_ecl_do_end(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  e->ended = true;
  return HP_OK;
}

hp_status hp_ecl_do_skip(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  hp_ecl_token t;
  do {
    hp_ecl_line(&e->lexer, &t);
    if (t.kind == HP_ECL_END) return hp_ecl_error(e, e->file, e->line, "ENDSKIP is missing");
    if (t.length > 7 && (unsigned char)t.text[7] <= ' ') t.length = 7;
  } while (!hp_ecl_equals(&t, "ENDSKIP"));
  return HP_OK;
}

hp_status hp_ecl_do_endskip(hp_ecl *e, const hp_ecl_record *record) {
  (void)e;
  (void)record;
  return HP_OK;
}
