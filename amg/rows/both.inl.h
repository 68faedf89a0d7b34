/* The text HP_BOTH for double and for float, by macros because C has no templates: HP_REAL is the type,
 * HP_AMG_NAME(name) the function's name for it.
 *
 *     #define HP_BOTH "amg/rows/form_real.inl.h"
 *     #include "amg/rows/both.inl.h"
 *
 * Headers that use this one, too, are included before, not first by that text: they would end its HP_BOTH.
 */
#include "core/portable.h"

#ifdef HP_BOTH
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#include HP_BOTH
#undef HP_REAL
#undef HP_AMG_NAME
#define HP_REAL float
#define HP_AMG_NAME(name) name##_float
#include HP_BOTH
#undef HP_REAL
#undef HP_AMG_NAME
#undef HP_BOTH
#endif
