/* Inverse dynamics with Simbody: prescribed motions (Motion) on the driven mobilizers, constraints where loops are cut.
 *
 *   simbody FILE      FILE: a mechanism as run writes it
 *
 * Ways:
 *   prescribed  prescribe and project position and velocity, realize accelerations (which solves for multipliers and motion forces), read motion
 *               forces, mobilizer reactions and the forces of the constraints. Efforts and reactions.
 *   given       loops: the same at positions and velocities that are given for all joints of the tree: no projection.
 *   residual    trees: joint torques from given q, u and u-dot. Efforts.
 *   forward     trees: calcAccelerationIgnoringConstraints at given q, u and efforts, where the file has efforts. */
#include "simbody_tree.h"

using namespace SimTK;
using peers::Built;
using peers::frame;
using peers::vec;

namespace {

const double accuracy = 1e-10; /* asked of the projection */

struct Answer {
    Vector motion;
    Vector_<SpatialVec> reactions;
    Real error;
};

/* Positions and velocities of all joints of the tree. */
void place(const Built &built, const peers::Mechanism &m, State &state, int sample) {
    for (size_t j = 0; j < m.joints.size(); j++) {
        if (m.joints[j].cut)
            continue;
        const std::vector<double> &at = m.samples[(size_t)sample][j];
        int nq = built.mobilizer[j].getNumQ(state), nu = built.mobilizer[j].getNumU(state);
        for (int k = 0; k < nq; k++)
            built.mobilizer[j].setOneQ(state, k, at[(size_t)k]);
        for (int k = 0; k < nu; k++)
            built.mobilizer[j].setOneU(state, k, at[(size_t)(nq + k)]);
    }
}

void solve(const Built &built, const peers::Mechanism &m, State &state, int sample, bool given, Answer &answer) {
    state.setTime(sample * m.step);
    if (given)
        place(built, m, state, sample);
    else
        built.system.project(state, accuracy);
    built.system.realize(state, Stage::Acceleration);
    built.matter.findMotionForces(state, answer.motion);
    built.matter.calcMobilizerReactionForces(state, answer.reactions);
}

/* What a cut joint does to its second body: the forces of its constraints, moved from the body's origin to the marker. Simbody's equation
 * M u' + tau + ~G lambda = f has them, and the motion forces, on the left. */
SpatialVec cut_reaction(const Built &built, const peers::Joint &joint, const std::vector<Constraint> &with, const State &state, const Vec3 &place) {
    const MobilizedBody &second = built.bodies[(size_t)joint.second];
    SpatialVec sum(Vec3(0), Vec3(0));
    for (const Constraint &constraint : with) {
        Vector_<SpatialVec> forces = constraint.getConstrainedBodyForcesAsVector(state);
        const MobilizedBody &ancestor = constraint.getAncestorMobilizedBody();
        for (ConstrainedBodyIndex k(0); k < constraint.getNumConstrainedBodies(); ++k)
            if (constraint.getMobilizedBodyFromConstrainedBody(k).getMobilizedBodyIndex() == second.getMobilizedBodyIndex()) {
                const Rotation &turn = ancestor.getBodyRotation(state);
                sum -= SpatialVec(turn * forces[k][0], turn * forces[k][1]);
            }
    }
    Vec3 arm = second.getBodyOriginLocation(state) - place;
    sum[0] += arm % sum[1];
    return sum;
}

void report(const char *way, const Built &built, const peers::Mechanism &m, const State &state, int sample, const Answer &answer) {
    for (size_t j = 0; j < m.joints.size(); j++) {
        const peers::Joint &joint = m.joints[j];
        const MobilizedBody &second = built.bodies[(size_t)joint.second];
        Vec3 place = second.findStationLocationInGround(state, vec(joint.p2));
        SpatialVec r = joint.cut ? cut_reaction(built, joint, built.closing[j], state, place)
                                 : answer.reactions[second.getMobilizedBodyIndex()];
        Vec3 axis = second.getBodyRotation(state) * frame(joint.R2, joint.p2, 0).R().z();
        if (joint.drive >= 0)
            peers::print_effort(way, sample, m.drives[(size_t)joint.drive], -answer.motion[(int)second.getFirstUIndex(state)]);
        peers::print_reaction(way, sample, joint, &axis[0], &r[1][0], &r[0][0]);
    }
}

void run_prescribed(const peers::Mechanism &m, const char *way, bool given) {
    Built built(m, true);
    State state = built.start;
    Answer answer;
    auto sample_at = [&](int sample) {
        if (sample == 0)
            state = built.start;
        solve(built, m, state, sample, given, answer);
    };
    if (!peers::measure(m, way, sample_at))
        return;
    state = built.start;
    double apart = 0;
    for (int sample = 0; sample <= m.report.back(); sample++) {
        solve(built, m, state, sample, given, answer);
        for (int k = 0; k < state.getNQErr(); k++)
            apart = std::max(apart, std::abs(state.getQErr()[k]));
        if (peers::reported(m, sample))
            report(way, built, m, state, sample, answer);
    }
    std::printf("value %s apart %.3g\n", way, apart);
}

void run_residual(const peers::Mechanism &m) {
    Built built(m, false);
    State state = built.start;
    int count = state.getNU();
    Vector q(count), u(count), udot(count), residual, none;
    auto sample_at = [&](int sample) {
        for (size_t j = 0; j < m.joints.size(); j++) {
            const std::vector<double> &at = m.samples[(size_t)sample][j];
            int k = (int)built.mobilizer[j].getFirstUIndex(state);
            q[k] = at[0], u[k] = at[1], udot[k] = at[2];
        }
        state.setQ(q);
        state.setU(u);
        built.system.realize(state, Stage::Velocity);
        built.matter.calcResidualForceIgnoringConstraints(state, none, built.gravity.getBodyForces(state), udot, residual);
    };
    if (!peers::measure(m, "residual", sample_at))
        return;
    for (int sample : m.report) {
        sample_at(sample);
        peers::print_joints(m, "effort", "residual", sample,
                            [&](int j) { return residual[(int)built.mobilizer[(size_t)j].getFirstUIndex(state)]; });
    }
}

void run_forward(const peers::Mechanism &m) {
    Built built(m, false);
    State state = built.start;
    int count = state.getNU();
    Vector q(count), u(count), tau(count), udot;
    Vector_<SpatialVec> accelerations;
    auto sample_at = [&](int sample) {
        for (size_t j = 0; j < m.joints.size(); j++) {
            const std::vector<double> &at = m.samples[(size_t)sample][j];
            int k = (int)built.mobilizer[j].getFirstUIndex(state);
            q[k] = at[0], u[k] = at[1], tau[k] = m.efforts[(size_t)sample][j];
        }
        state.setQ(q);
        state.setU(u);
        built.system.realize(state, Stage::Dynamics);
        built.matter.calcAccelerationIgnoringConstraints(state, tau, built.gravity.getBodyForces(state), udot, accelerations);
    };
    if (!peers::measure(m, "forward", sample_at))
        return;
    for (int sample : m.report) {
        sample_at(sample);
        peers::print_joints(m, "acceleration", "forward", sample,
                            [&](int j) { return udot[(int)built.mobilizer[(size_t)j].getFirstUIndex(state)]; });
    }
}

} // namespace

int main(int count, char **words) {
    if (count != 2)
        return 2;
    peers::Mechanism m = peers::read(words[1]);
    try {
        run_prescribed(m, "prescribed", false);
        if (m.tree())
            run_residual(m);
        else
            run_prescribed(m, "given", true);
        if (!m.efforts.empty())
            run_forward(m);
    } catch (const std::exception &why) {
        std::fprintf(stderr, "simbody: %s\n", why.what());
        return 1;
    }
    return 0;
}
