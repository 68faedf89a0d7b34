/* Wrong wells: each is the right deck with one change, and must be refused with a message that holds the place and the reason. */
#define _POSIX_C_SOURCE 200809L
#include "io/deck/deck.h"
#include "tests/unit/io/wrong_deck.h"

static const struct {
  const char *from, *to, *message;
} wrong[] = {
    /* segments */
    {"radius = 0.1; control = \"bhp\"",
     "reference_depth = 1990.0; segments = ( { number = 2; outlet = 1; depth = 2001.0; length = 30.0; diameter = 0.1; "
     "} ); radius = 0.1; control = \"bhp\"",
     "well P1: segment_of is missing: the segment of each perforated cell"},
    {"radius = 0.1; control = \"bhp\"",
     "segments = ( { number = 2; outlet = 1; depth = 2001.0; length = 30.0; diameter = 0.1; } ); segment_of = [2, 2]; "
     "radius = 0.1; control = \"bhp\"",
     "well P1: reference_depth is missing: it is that of segment 1"},
    {"radius = 0.1; control = \"bhp\"",
     "reference_depth = 1990.0; segments = ( { number = 2; outlet = 1; depth = 2001.0; length = 30.0; diameter = 0.1; "
     "} ); segment_of = [2, 3]; radius = 0.1; control = \"bhp\"",
     "wells[1].segment_of[1]: well P1 has no segment 3"},
    {"radius = 0.1; control = \"bhp\"",
     "reference_depth = 1990.0; segments = ( { number = 2; outlet = 1; depth = 2001.0; length = 30.0; diameter = 0.1; "
     "} ); segment_of = [2]; radius = 0.1; control = \"bhp\"",
     "wells[1].segment_of: must be a list of 2 numbers"},
    {"radius = 0.1; control = \"bhp\"",
     "reference_depth = 1990.0; segments = ( { number = 2; outlet = 1; depth = 2001.0; length = 30.0; diameter = 0.1; "
     "}, { number = 2; outlet = 1; depth = 2001.0; length = 30.0; diameter = 0.1; } ); segment_of = [2, 2]; radius = "
     "0.1; control = \"bhp\"",
     "wells[1].segments[1]: well P1: segment 2 is there twice"},
    {"radius = 0.1; control = \"bhp\"",
     "reference_depth = 1990.0; segments = ( { number = 2; outlet = 2; depth = 2001.0; length = 30.0; diameter = 0.1; "
     "} ); segment_of = [2, 2]; radius = 0.1; control = \"bhp\"",
     "wells[1].segments[0]: well P1: segment 2 is its own outlet"},
    {"radius = 0.1; control = \"bhp\"",
     "reference_depth = 1990.0; segments = ( { number = 2; outlet = 1; depth = 2001.0; length = 30.0; diameter = -0.1; "
     "} ); segment_of = [2, 2]; radius = 0.1; control = \"bhp\"",
     "wells[1].segments[0].diameter: -0.1 m: must be > 0"},
    {"radius = 0.1; control = \"bhp\"",
     "reference_depth = 1990.0; segments = ( { number = 2; outlet = 1; depth = 2001.0; length = 3.0; diameter = 0.1; } "
     "); segment_of = [2, 2]; radius = 0.1; control = \"bhp\"",
     "well P1: segment 2 is 3 m long, but its ends are 11 m apart in depth"},
    {"radius = 0.1; control = \"bhp\"",
     "reference_depth = 1990.0; segments = ( ); segment_of = [2, 2]; radius = 0.1; control = \"bhp\"",
     "wells[1].segments: must be a list of segments"},
    {"radius = 0.1; control = \"bhp\"", "pressure_drops = \"friction\"; radius = 0.1; control = \"bhp\"",
     "wells[1].pressure_drops: not used without segments"},
    /* lift tables */
    {"title",
     "vfp = ( { name = \"L\"; datum_depth = 2000.0; flow = [1.0, 2.0]; thp = [3.0, 4.0]; injector = true; bhp = [10.0, "
     "20.0, 30.0, 40.0]; } ); title",
     "vfp[0]: of: liquid: an injector has oil or water"},
    {"title",
     "vfp = ( { name = \"L\"; datum_depth = 2000.0; flow = [1.0, 2.0]; thp = [3.0, 4.0]; bhp = [10.0, 20.0, 30.0]; } "
     "); title",
     "vfp[0].bhp: 3 numbers, 4 are needed"},
    {"title", "vfp = ( { name = \"L\"; datum_depth = 2000.0; flow = [1.0, 2.0]; thp = [3.0, 4.0];  } ); title",
     "vfp[0]: bhp is missing"},
    {"title",
     "vfp = ( { name = \"L\"; datum_depth = 2000.0; flow = [1.0, 2.0]; thp = [3.0, 4.0]; bhp = [10.0, 20.0, 10.0, "
     "40.0]; } ); title",
     "table L: its bhp must rise with thp"},
    {"title", "vfp = ( { name = \"L\"; flow = [1.0, 2.0]; thp = [3.0, 4.0]; bhp = [10.0, 20.0, 30.0, 40.0]; } ); title",
     "vfp[0]: datum_depth is missing"},
    {"title",
     "vfp = ( { name = \"none\"; datum_depth = 2000.0; flow = [1.0, 2.0]; thp = [3.0, 4.0]; bhp = [10.0, 20.0, 30.0, "
     "40.0]; } ); title",
     "vfp[0].name: 'none'"},
    {"radius = 0.1; control = \"bhp\"", "thp = 20.0; radius = 0.1; control = \"bhp\"",
     "well P1: a tubing-head pressure needs a lift table"},
    {"radius = 0.1; control = \"bhp\"", "thp = 20.0; vfp = \"X\"; radius = 0.1; control = \"bhp\"",
     "wells[1].vfp: 'X'"},
    {"i = 4; j = 3; radius = 0.1; control = \"bhp\"",
     "path = ( (70.0, 70.0, 1990.0), (70.0, 70.0, 2010.0) ); reference_depth = 1990.0; segments = ( { number = 2; "
     "outlet = 1; depth = 2001.0; length = 30.0; diameter = 0.1; } ); segment_of = [2, 2]; radius = 0.1; control = "
     "\"bhp\"",
     "segments are of wells with cells, not of a path"},
    {"radius = 0.1; control = \"bhp\"",
     "reference_depth = 1990.0; segments = ( 5 ); segment_of = [2, 2]; radius = 0.1; control = \"bhp\"",
     "must be a segment { number = 2; ... }"},
};

int main(void) {
  for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; ++n)
    deck_check_wrong(wrong[n].from, wrong[n].to, wrong[n].message);
  deck_remove("deck.cfg");
  return check_result();
}
