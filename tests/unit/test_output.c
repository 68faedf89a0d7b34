/* The result files of a small run with known values, read back with HDF5 and as text.
 *
 *   test_unit_output                      the test, in the working directory
 *   test_unit_output BASE [tilted]        writes the result BASE.h5 ... and stops (tests/paraview opens it)
 */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_case.h"

static const char *const plain_names[CASE_WELLS] = {"INJ", "P-1", "H_2"};
static const char *const odd_names[CASE_WELLS] = {"I,1", "P\"<&>'", "A/B C"};

static int write_result(const char *base, bool tilted) {
  output_case o;
  hp_status s = case_create(&o, tilted, HP_UNITS_METRIC, plain_names);
  if (s == HP_OK) s = case_run(&o, base);
  if (s != HP_OK) fprintf(stderr, "%s\n", hp_fail_text());
  case_destroy(&o);
  return s == HP_OK ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc > 1) return write_result(argv[1], argc > 2 && strcmp(argv[2], "tilted") == 0);
  (void)odd_names;
  return check_result();
}
