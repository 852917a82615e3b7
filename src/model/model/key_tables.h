/* Shared by the tables of keys: short macros for dimensions and kinds of values, and the tables of bodies and joints.
 */
#ifndef RBV_MODEL_MODEL_KEY_TABLES_H
#define RBV_MODEL_MODEL_KEY_TABLES_H

#include "model/model/keys.h"

#define LENGTH RBV_DIM_LENGTH
#define ANGLE RBV_DIM_ANGLE
#define END                                                                                                            \
    { 0 }
#define IN_PLANE .in = RBV_KIND_PLANE
#define IN_SPACE .in = RBV_KIND_SPACE
/* A point or direction: two numbers in the plane, three in space. */
#define POINT_KEY .kind = RBV_KEY_QUANTITIES, .dimension = {LENGTH}, .least = 2, .most = 2, .spatial = 3
#define DAMPING_LINEAR RBV_DIM_DAMPING
#define DAMPING_TORSIONAL RBV_DIM_TORSIONAL_DAMPING

extern const char *const rbv_key_here[]; /* word list of keys whose only value is "here": the value at the state where
                                            the item engages or is defined */
extern const RbvKey rbv_body_keys[];     /* keys_of_mechanism.c */
extern const RbvKey rbv_joint_keys[];    /* keys_of_mechanism.c */
/* keys_of_sizing.c */
extern const RbvKey rbv_rating_keys[], rbv_bearing_keys[], rbv_plain_keys[], rbv_guide_keys[], rbv_screw_life_keys[];

#endif
