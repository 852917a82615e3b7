/* Linkages of models (rbv_linkage_from_model) beside the whole program in absolute coordinates, for the same motion.
 * Shared by tests. */
#ifndef TEST_SUPPORT_LINKAGES_H
#define TEST_SUPPORT_LINKAGES_H

#include "machines.h"

enum { LINKAGE_DRIVES = 6 };

/* A model, a text or a file of examples/, whose drives move by from + rate t + curve t^2, in the order of the model;
 * those of a file as `kinematics` has it. */
typedef struct LinkageCase {
    const char *name, *text, *file;
    int drives;
    double motion[LINKAGE_DRIVES][3];
    int closings, not_unique, efforts_not_unique, idle,
        at_closings; /* how many closings; components of theirs, efforts that are not unique; idle spins; drives at
                        closings */
    double scale;    /* forces and torques that cancel, in N and N m: the size that errors are told by; 0: 1000 */
} LinkageCase;

/* Efforts, reactions of closings, what of both is unique, resultants of the reactions of the tree's joints: all
 * samples. */
void linkage_compare(const LinkageCase *machine);

#endif
