/* Biconnected blocks of hand-made topologies: what shares a loop shares a block, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solution/solvability/blocks.h"
#include "support/machines.h"

#include <stdio.h>
#include <string.h>

/* A model of bodies a, b, c ... with joints "J0", "J1" ... between them; body '0' is ground. */
typedef struct Topology {
    RbvModel *model;
    RbvSystem *system;
    RbvArena arena;
    RbvBlocks blocks;
    int32_t joints;
} Topology;

static void begin(Topology *top, int bodies) {
    memset(top, 0, sizeof *top);
    top->model = rbv_model_create(RBV_PLANAR, "topology");
    for (int k = 0; k < bodies; k++) {
        char name[2] = {(char)('a' + k), 0};
        RbvBodyDef def = {
            .name = name, .mass = 1, .inertia = {0, 0, 1}, .at = {k + 1.0, 0.3 * k * k, 0}, .angle = 0.2 * k};
        assert_int_equal(rbv_model_add_body(top->model, &def, NULL), RBV_OK);
    }
}

static const char *body_name(char letter, char text[2]) {
    text[0] = letter;
    text[1] = 0;
    return letter == '0' ? "ground" : text;
}

/* Joints of `type` between the bodies named by pairs of letters: "0a ab b0". */
static void join(Topology *top, const char *type, const char *pairs) {
    for (; *pairs; pairs += pairs[2] ? 3 : 2) {
        char name[8], first[2], second[2];
        snprintf(name, sizeof name, "J%d", (int)top->joints++);
        RbvJointDef def = rbv_joint_def_default;
        def.name = name;
        def.type = type;
        def.between[0] = body_name(pairs[0], first);
        def.between[1] = body_name(pairs[1], second);
        def.radii[0] = def.radii[1] = 0.5;
        assert_int_equal(rbv_model_add_joint(top->model, &def, NULL), RBV_OK);
    }
}

static void drive(Topology *top, const char *name, const char *coordinate) {
    assert_int_equal(rbv_model_add_drive(top->model, name, coordinate, "t", NULL), RBV_OK);
}

static void constrain(Topology *top, const char *name, const char *equation) {
    assert_int_equal(rbv_model_add_constraint(top->model, name, equation, NULL), RBV_OK);
}

static int by_number(const void *a, const void *b) {
    return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

/* Compile and split; checks what must hold for any topology: each row in one block, columns ascending, of the bodies
 * touched. */
static void split(Topology *top, int32_t expected_blocks) {
    top->system = machine_compile(top->model);
    assert_true(rbv_blocks_create(top->system, NULL, &top->arena, &top->blocks));
    const RbvBlocks *blocks = &top->blocks;
    int32_t rows = 0, elements = 0, seen[64] = {0};
    for (int32_t b = 0; b < blocks->block_count; b++) {
        const RbvBlock *block = &blocks->blocks[b];
        assert_true(block->element_count > 0);
        for (int32_t e = 0; e < block->element_count; e++)
            assert_int_equal(blocks->elements[block->elements[e]].block, b);
        for (int32_t r = 0; r < block->row_count; r++) {
            int32_t row = block->rows[r];
            assert_in_range(row, 0, top->system->row_count - 1);
            assert_int_equal(seen[row]++, 0);
            for (int32_t e = top->system->D.start[row]; e < top->system->D.start[row + 1]; e++) {
                bool found = false;
                for (int32_t c = 0; c < block->column_count; c++)
                    found = found || block->columns[c] == top->system->D.column[e];
                assert_true(found);
            }
        }
        for (int32_t c = 1; c < block->column_count; c++)
            assert_true(by_number(&block->columns[c - 1], &block->columns[c]) < 0);
        rows += block->row_count;
        elements += block->element_count;
    }
    assert_int_equal(rows, top->system->row_count);
    assert_int_equal(elements, blocks->element_count);
    assert_int_equal(blocks->block_count, expected_blocks);
}

/* Element: joint k, then constraints, then drives, as listed. */
static int32_t block_of(const Topology *top, int32_t element) {
    assert_in_range(element, 0, top->blocks.element_count - 1);
    return top->blocks.elements[element].block;
}

static void end(Topology *top) {
    rbv_arena_clear(&top->arena);
    rbv_system_destroy(top->system);
    rbv_model_destroy(top->model);
}

static void each_joint_of_a_chain_is_a_block(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 5);
    join(&top, "revolute", "0a ab bc cd de");
    split(&top, 5);
    for (int32_t k = 0; k < 5; k++) {
        const RbvBlock *block = &top.blocks.blocks[block_of(&top, k)];
        assert_int_equal(block->element_count, 1);
        assert_int_equal(block->row_count, 2);
        assert_int_equal(block->column_count, k == 0 ? 3 : 6); /* ground has none */
    }
    end(&top);
}

static void each_branch_of_a_tree_is_a_block(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 5);
    join(&top, "revolute", "0a ab ac 0d de");
    split(&top, 5);
    end(&top);
}

static void a_four_bar_loop_is_one_block(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 3);
    join(&top, "revolute", "0a ab bc c0");
    split(&top, 1);
    assert_int_equal(top.blocks.blocks[0].row_count, 8);
    assert_int_equal(top.blocks.blocks[0].column_count, 9);
    end(&top);
}

static void two_loops_that_share_only_ground_are_two_blocks(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 6);
    join(&top, "revolute", "0a ab bc c0 0d de ef f0");
    split(&top, 2);
    for (int32_t k = 1; k < 4; k++) {
        assert_int_equal(block_of(&top, k), block_of(&top, 0));
        assert_int_equal(block_of(&top, 4 + k), block_of(&top, 4));
    }
    assert_int_not_equal(block_of(&top, 0), block_of(&top, 4));
    end(&top);
}

static void two_loops_that_share_one_body_are_two_blocks(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 6);
    /* ground-a-b-c is a loop; c-d-e-f-c another, hanging on body c */
    join(&top, "revolute", "0a ab bc c0 cd de ef fc");
    split(&top, 2);
    assert_int_equal(block_of(&top, 4), block_of(&top, 7));
    assert_int_not_equal(block_of(&top, 3), block_of(&top, 4));
    const RbvBlock *hanging = &top.blocks.blocks[block_of(&top, 4)];
    assert_int_equal(hanging->column_count, 12);
    end(&top);
}

static void two_loops_that_share_two_bodies_are_one_block(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 5);
    join(&top, "revolute", "0a ab bc c0 ad db");
    split(&top, 1);
    end(&top);
}

static void a_bridge_between_loops_is_a_block_of_its_own(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 6);
    join(&top, "revolute", "0a ab b0 bc cd de ec");
    split(&top, 3);
    assert_int_not_equal(block_of(&top, 3), block_of(&top, 0));
    assert_int_not_equal(block_of(&top, 3), block_of(&top, 4));
    end(&top);
}

static void two_joints_between_the_same_bodies_are_one_block(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 2);
    join(&top, "revolute", "0a 0a ab");
    split(&top, 2);
    assert_int_equal(block_of(&top, 0), block_of(&top, 1));
    assert_int_not_equal(block_of(&top, 0), block_of(&top, 2));
    end(&top);
}

static void a_drive_lies_in_the_block_of_its_joint(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 3);
    join(&top, "revolute", "0a ab bc");
    drive(&top, "D0", "J0.angle");
    drive(&top, "D2", "J2.angle");
    split(&top, 3);
    assert_int_equal(block_of(&top, 3), block_of(&top, 0));
    assert_int_equal(block_of(&top, 4), block_of(&top, 2));
    assert_int_not_equal(block_of(&top, 1), block_of(&top, 0));
    end(&top);
}

static void a_drive_between_the_ends_of_a_chain_closes_a_loop(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 4);
    join(&top, "revolute", "0a ab bc cd");
    drive(&top, "ram", "distance(a, c)");
    split(&top, 3);
    assert_int_equal(block_of(&top, 4), block_of(&top, 1));
    assert_int_equal(block_of(&top, 4), block_of(&top, 2));
    assert_int_not_equal(block_of(&top, 4), block_of(&top, 0));
    assert_int_not_equal(block_of(&top, 4), block_of(&top, 3));
    end(&top);
}

static void a_constraint_over_three_bodies_merges_their_blocks(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 4);
    /* a, b, c each on ground by a joint of its own, d apart */
    join(&top, "revolute", "0a 0b 0c 0d");
    constrain(&top, "E", "angle(a) + angle(b) - 2*angle(c)");
    split(&top, 2);
    for (int32_t k = 0; k < 3; k++)
        assert_int_equal(block_of(&top, k), block_of(&top, 4));
    assert_int_not_equal(block_of(&top, 3), block_of(&top, 4));
    end(&top);
}

/* The joints c-d and d-e hang on c: the constraint touches a, b, c and ground only. */
static void a_constraint_does_not_merge_what_hangs_on_its_bodies(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 5);
    join(&top, "revolute", "0a ab bc cd de");
    constrain(&top, "E", "J0.angle + J2.angle - t");
    split(&top, 3);
    assert_int_equal(block_of(&top, 0), block_of(&top, 5));
    assert_int_equal(block_of(&top, 1), block_of(&top, 5));
    assert_int_equal(block_of(&top, 2), block_of(&top, 5));
    end(&top);
}

static void a_gear_closes_the_loop_of_its_bearings(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 3);
    join(&top, "revolute", "0a ab");
    join(&top, "revolute", "0c");
    join(&top, "gear", "ac");
    split(&top, 2);
    assert_int_equal(block_of(&top, 3), block_of(&top, 0));
    assert_int_equal(block_of(&top, 3), block_of(&top, 2));
    assert_int_not_equal(block_of(&top, 3), block_of(&top, 1));
    end(&top);
}

/* Turning arm and wheels together changes nothing in the gear's row: its wrenches balance without ground, whatever the
 * axes. */
static void a_gear_on_an_arm_leaves_the_bearing_of_the_arm_alone(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 3);
    join(&top, "revolute", "0a ab ac");
    join(&top, "gear", "bc");
    split(&top, 2);
    assert_int_equal(block_of(&top, 1), block_of(&top, 3));
    assert_int_equal(block_of(&top, 2), block_of(&top, 3));
    end(&top);
}

static void parts_without_connection_are_blocks_of_their_own(void **unused) {
    (void)unused;
    Topology top;
    begin(&top, 5);
    join(&top, "revolute", "ab cd"); /* neither touches ground; e touches nothing */
    split(&top, 2);
    end(&top);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_joint_of_a_chain_is_a_block),
        cmocka_unit_test(each_branch_of_a_tree_is_a_block),
        cmocka_unit_test(a_four_bar_loop_is_one_block),
        cmocka_unit_test(two_loops_that_share_only_ground_are_two_blocks),
        cmocka_unit_test(two_loops_that_share_one_body_are_two_blocks),
        cmocka_unit_test(two_loops_that_share_two_bodies_are_one_block),
        cmocka_unit_test(a_bridge_between_loops_is_a_block_of_its_own),
        cmocka_unit_test(two_joints_between_the_same_bodies_are_one_block),
        cmocka_unit_test(a_drive_lies_in_the_block_of_its_joint),
        cmocka_unit_test(a_drive_between_the_ends_of_a_chain_closes_a_loop),
        cmocka_unit_test(a_constraint_over_three_bodies_merges_their_blocks),
        cmocka_unit_test(a_constraint_does_not_merge_what_hangs_on_its_bodies),
        cmocka_unit_test(a_gear_closes_the_loop_of_its_bearings),
        cmocka_unit_test(a_gear_on_an_arm_leaves_the_bearing_of_the_arm_alone),
        cmocka_unit_test(parts_without_connection_are_blocks_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
