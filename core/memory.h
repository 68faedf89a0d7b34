/* Memory of the host: aligned, zeroed, counted.
 *
 * Setup allocates; solving and stepping do not. The counters feed the memory
 * line of `hepta check` and of the report at the end of a run.
 */
#ifndef HP_CORE_MEMORY_H
#define HP_CORE_MEMORY_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* Allocates count*size zeroed bytes aligned to 64 into *out (NULL when count
 * is 0). Fails with HP_ERR_MEMORY and a text that names `what` and the size. */
hp_status hp_alloc(void **out, int64_t count, size_t size, const char *what) HP_MUST_USE;

/* The same without zeroing, for arrays that a team fills. */
hp_status hp_alloc_unset(void **out, int64_t count, size_t size, const char *what) HP_MUST_USE;

/* Frees *p and sets it to NULL; p == NULL and *p == NULL are allowed. */
void hp_free(void *p);

/* Allocates an array of `count` elements of *ptr's type into ptr. */
#define HP_ALLOC(ptr, count) hp_alloc((void **)&(ptr), (int64_t)(count), sizeof *(ptr), #ptr)
#define HP_ALLOC_UNSET(ptr, count) hp_alloc_unset((void **)&(ptr), (int64_t)(count), sizeof *(ptr), #ptr)
#define HP_FREE(ptr) hp_free((void *)&(ptr))

/* Gives an array of hp_alloc room for `more` elements behind `count`, zeros: twice the room at least, where it has too little. */
hp_status hp_grow(void **array, int64_t count, int64_t more, size_t size, const char *what) HP_MUST_USE;
#define HP_GROW(ptr, count, more) hp_grow((void **)&(ptr), (int64_t)(count), (int64_t)(more), sizeof *(ptr), #ptr)

/* Bytes held now and the most ever held through hp_alloc. */
int64_t hp_memory_now(void);
int64_t hp_memory_peak(void);
/* The most held from now on. */
void hp_memory_restart_peak(void);

/* Memory that this machine has for a program, with its swap, within the limits of its control group and process. */
int64_t hp_memory_machine(void);

/* Tests: hp_alloc fails where more than so many bytes would be held, as if the machine had no more; 0: no limit. */
void hp_memory_limit(int64_t bytes);

HP_EXTERN_C_END

#endif
