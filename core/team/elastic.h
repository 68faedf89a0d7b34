/* A team that makes room for other programs.
 *
 * Members that meet at thousands of barriers a second are slow on cores that other programs use, too: at each barrier
 * all wait for the one that has just lost its core. An elastic hub runs its programs on as many members as have a core
 * of their own, at least one. The number may change between two programs; bits do not.
 *
 *   all members --- off its core for a quarter of the time ---> member 0 alone, the others look: each spins for
 *        ^                                                      12 ms and compares its processor time with the clock
 *        |                                                                     |
 *        |---- all have a core ------------------------------------------------|
 *        |                                                                     v
 *        '---- faster all the same ---- all for 10 .. 50 ms  ---- slower ---> as many as have a core, until
 *                                                                              the others look again
 *
 * A finding holds for 0.1 s, the next one for 0.2 s, up to 2 s, and longer if trying all was expensive. Runs are
 * compared by seconds per barrier of the same program. Looking costs the programs nothing, because member 0 runs them
 * meanwhile. A hub begins with a look.
 */
#ifndef HP_CORE_TEAM_ELASTIC_H
#define HP_CORE_TEAM_ELASTIC_H

#include "core/team/team.h"

HP_EXTERN_C_BEGIN

/* Makes a hub elastic before its first run. hp_team_hub_size stays the largest number of members. */
void hp_team_be_elastic(hp_team_hub *hub);

HP_EXTERN_C_END

#endif
