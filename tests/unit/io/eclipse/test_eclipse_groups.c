/* Groups of wells and their targets in Eclipse decks. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/io/eclipse/eclipse_wells.h"

/* GCONPROD, GCONINJE, WGRUPCON: what is asked of the field, and which wells take part. */
static void test_field(void) {
  hp_case *c = schedule(TWO_WELLS
                        "WCONPROD\n P OPEN GRUP 4* 1* 90 /\n/\nWCONINJE\n I WATER OPEN GRUP 1* 30 300 /\n/\n"
                        "WGRUPCON\n P YES 5 LIQ 2 /\n/\nGCONPROD\n FIELD LRAT 10 20 1* 40 RATE 3* NONE 1* 1* 50 /\n/\n"
                        "GCONINJE\n FIELD WATER VREP 60 70 0.8 0.9 /\n/\nTSTEP\n 1 /\n"
                        "GCONPROD\n field none /\n/\nWGRUPCON\n P NO 5 /\n I YES /\n/\n"
                        "WCONPROD\n P OPEN GRUP 4* 1* 95 /\n/\nTSTEP\n 1 /\n"
                        "WCONHIST\n P OPEN ORAT 5 /\n/\nWGRUPCON\n P YES /\n/\nTSTEP\n 1 /\n"
                        "GCONPROD\n FIELD ORAT 9 /\n/\n");
  if (c == NULL) return;
  CHECK(c->ngroup == 1 && c->ngroup_event == 3 && c->group_event[0].group == 1); /* that of WELSPECS */
  CHECK(c->group_event[1].group == 0 && c->group_event[1].time == 0.0);
  CHECK(deck_noted("1 change of groups from this one on has no effect: the last report step ends at 3 day"));
  CHECK_NEAR(c->group_event[2].time, DAY, 1e-9);
  const hp_group_control *f = &c->group_event[1].control;
  CHECK_NEAR(f->production[HP_CONTROL_LRAT] * DAY, 40.0, 1e-9); /* the target */
  CHECK_NEAR(f->production[HP_CONTROL_ORAT] * DAY, 10.0, 1e-9); /* a limit, by item 7 */
  CHECK(isnan(f->production[HP_CONTROL_WRAT]));                 /* none, by item 11 */
  CHECK_NEAR(f->production[HP_CONTROL_RESV] * DAY, 50.0, 1e-9);
  CHECK_NEAR(f->injection_rate * DAY, 60.0, 1e-9);
  CHECK_NEAR(f->injection_volume * DAY, 70.0, 1e-9);
  CHECK(f->reinjection == 0.8 && f->voidage == 0.9);
  f = &c->group_event[2].control; /* production is free, what is asked of injection stays */
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) CHECK(isnan(f->production[k]));
  CHECK(f->voidage == 0.9);
  const int well = (int)(well_of(c, "P") - c->well);
  const hp_well_event *of[3] = {NULL, NULL, NULL};
  int count = 0;
  for (int n = 0; n < c->nevent; ++n)
    if (c->event[n].well == well && count < 3) of[count++] = &c->event[n];
  CHECK(count == 3);
  if (count == 3) {
    CHECK(of[0]->control.control == HP_CONTROL_BHP && of[0]->control.limit[HP_CONTROL_BHP] == 90e5);
    CHECK(of[0]->control.in_field && of[0]->control.guide_by == HP_GUIDE_LIQUID);
    CHECK_NEAR(of[0]->control.guide_rate * DAY, 10.0, 1e-9);
    CHECK(!of[1]->control.in_field && of[1]->control.limit[HP_CONTROL_BHP] == 95e5); /* WGRUPCON holds on */
    CHECK_NEAR(of[1]->control.guide_rate * DAY, 5.0, 1e-9);
    CHECK(!of[2]->control.in_field); /* a well by history takes no part, whatever WGRUPCON says */
  }
  hp_case_destroy(&c);
}

/* A tree that changes, with a well that moves in it. */
static void test_groups(void) {
  hp_case *c = schedule(
      "WELSPECS\n I A 1 1 1* WATER /\n P B 3 2 1* OIL /\n/\n"
      "COMPDAT\n I 2* 1 2 OPEN 2* 0.2 /\n P 2* 1 2 OPEN 2* 0.2 /\n/\n" TWO_CONTROLS
      "GRUPTREE\n A TOP /\n B TOP /\n/\nGEFAC\n B 0.5 /\n/\nGCONPROD\n 'B*' ORAT 5 /\n TOP LRAT 3* 7 /\n/\n"
      "TSTEP\n 1 /\nGRUPTREE\n B /\n/\nWELSPECS\n P A 3 2 1* OIL /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  const struct {
    double time;
    const char *name, *parent;
    double efficiency, oil, liquid;
  } asked[] = {{0.0, "A", "TOP", 1.0, NAN, NAN},
               {0.0, "B", "TOP", 0.5, 5.0, NAN},
               {0.0, "TOP", "FIELD", 1.0, NAN, 7.0},
               {DAY, "B", "FIELD", 0.5, 5.0, NAN}};
  CHECK(c->ngroup == 3 && c->ngroup_event == 4);
  for (int n = 0; n < c->ngroup_event && n < 4; ++n) {
    const hp_group_event *e = &c->group_event[n];
    const double oil = e->control.production[HP_CONTROL_ORAT] * DAY,
                 liquid = e->control.production[HP_CONTROL_LRAT] * DAY;
    CHECK_NEAR(e->time, asked[n].time, 1e-9);
    CHECK(strcmp(hp_case_group_name(c, e->group), asked[n].name) == 0);
    CHECK(strcmp(hp_case_group_name(c, e->control.parent), asked[n].parent) == 0);
    CHECK(e->control.efficiency == asked[n].efficiency);
    CHECK(isnan(asked[n].oil) ? isnan(oil) : fabs(oil - asked[n].oil) < 1e-9);
    CHECK(isnan(asked[n].liquid) ? isnan(liquid) : fabs(liquid - asked[n].liquid) < 1e-9);
  }
  const hp_well_event *last = &c->event[c->nevent - 1];
  CHECK(c->nevent == 3 && strcmp(c->well[last->well].name, "P") == 0);
  CHECK(strcmp(hp_case_group_name(c, last->control.group), "A") == 0 && last->given == HP_GIVEN_OF(group));
  hp_case_destroy(&c);
}

int main(void) {
  test_field();
  test_groups();
  return deck_end();
}
