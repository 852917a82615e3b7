/* Inverse dynamics with Simbody: prescribed motions (Motion) on the driven mobilizers, constraints where loops are cut.
 *
 *   simbody FILE      FILE: a mechanism as run writes it
 *
 * Ways:
 *   prescribed  prescribe and project position and velocity, realize accelerations (which solves for multipliers and motion forces), read motion
 *               forces, mobilizer reactions and the forces of the constraints. Efforts and reactions.
 *   given       loops: the same at positions and velocities that are given for all joints of the tree: no projection.
 *   residual    trees: joint torques from given q, u and u-dot. Efforts. */
#include "mechanism.h"

#include <Simbody.h>

using namespace SimTK;

namespace {

const double accuracy = 1e-10; /* asked of the projection */

Vec3 vec(const double a[3]) {
    return Vec3(a[0], a[1], a[2]);
}

/* A frame whose axes are a marker's, taken in the order x = axis `first`, y, z the following ones. */
Transform frame(const double R[9], const double p[3], int first) {
    Mat33 m;
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 3; k++)
            m(row, k) = R[3 * row + (first + k) % 3];
    return Transform(Rotation(m, true), vec(p));
}

class Prescribed : public Motion::Custom::Implementation {
  public:
    Prescribed(const peers::Mechanism &mechanism, size_t joint) : mechanism_(mechanism), joint_(joint) {
    }
    Implementation *clone() const override {
        return new Prescribed(*this);
    }
    Motion::Level getLevel(const State &) const override {
        return Motion::Position;
    }
    void calcPrescribedPosition(const State &state, int, Real *q) const override {
        *q = at(state)[0];
    }
    void calcPrescribedPositionDot(const State &state, int, Real *q) const override {
        *q = at(state)[1];
    }
    void calcPrescribedPositionDotDot(const State &state, int, Real *q) const override {
        *q = at(state)[2];
    }

  private:
    const std::vector<double> &at(const State &state) const {
        return mechanism_.samples[(size_t)std::lround(state.getTime() / mechanism_.step)][joint_];
    }
    const peers::Mechanism &mechanism_;
    size_t joint_;
};

struct Built {
    MultibodySystem system;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    Force::Gravity gravity;
    std::vector<MobilizedBody> bodies;    /* by our index */
    std::vector<MobilizedBody> mobilizer; /* by joint; of cut joints nothing */
    std::vector<std::vector<Constraint>> closing;
    State start;

    Built(const peers::Mechanism &m, bool prescribed)
        : matter(system), forces(system), gravity(forces, matter, vec(m.gravity)), bodies(m.bodies.size()), mobilizer(m.joints.size()),
          closing(m.joints.size()) {
        system.setUseUniformBackground(true);
        for (size_t j = 0; j < m.joints.size(); j++)
            if (!m.joints[j].cut)
                add(m, j, prescribed);
        for (size_t j = 0; j < m.joints.size(); j++)
            if (m.joints[j].cut)
                close(m.joints[j], closing[j]);
        system.realizeTopology();
        start = system.getDefaultState();
        system.realizeModel(start);
        for (size_t j = 0; j < m.joints.size(); j++)
            if (!m.joints[j].cut)
                for (int k = 0; k < mobilizer[j].getNumQ(start); k++)
                    mobilizer[j].setOneQ(start, k, m.samples[0][j][(size_t)k]);
    }

    MobilizedBody &body(int index) {
        return index < 0 ? matter.updGround() : bodies[(size_t)index];
    }

    void add(const peers::Mechanism &m, size_t j, bool prescribed) {
        const peers::Joint &joint = m.joints[j];
        const peers::Body &b = m.bodies[(size_t)joint.second];
        const double *I = b.inertia;
        Inertia about = Inertia(I[0], I[1], I[2], I[3], I[4], I[5]).shiftFromMassCenter(vec(b.centroid), b.mass);
        Body::Rigid rigid(MassProperties(b.mass, vec(b.centroid), about));
        MobilizedBody &parent = body(joint.first), &made = bodies[(size_t)joint.second];
        if (joint.kind == "revolute")
            made = MobilizedBody::Pin(parent, frame(joint.R1, joint.p1, 0), rigid, frame(joint.R2, joint.p2, 0));
        else if (joint.kind == "prismatic")
            made = MobilizedBody::Slider(parent, frame(joint.R1, joint.p1, 2), rigid, frame(joint.R2, joint.p2, 2));
        else if (joint.kind == "universal")
            made = MobilizedBody::Universal(parent, frame(joint.R1, joint.p1, 2), rigid, frame(joint.R2, joint.p2, 1));
        else
            made = MobilizedBody::Ball(parent, frame(joint.R1, joint.p1, 0), rigid, frame(joint.R2, joint.p2, 0));
        bodies[(size_t)joint.second] = made;
        mobilizer[j] = made;
        if (prescribed && joint.drive >= 0)
            Motion::Custom(made, new Prescribed(m, j));
    }

    void close(const peers::Joint &joint, std::vector<Constraint> &with) {
        with.push_back(Constraint::Ball(body(joint.first), vec(joint.p1), body(joint.second), vec(joint.p2)));
        if (joint.kind != "revolute")
            return;
        Rotation one = frame(joint.R1, joint.p1, 0).R(), two = frame(joint.R2, joint.p2, 0).R();
        with.push_back(Constraint::ConstantAngle(body(joint.first), one.x(), body(joint.second), two.z(), Pi / 2));
        with.push_back(Constraint::ConstantAngle(body(joint.first), one.y(), body(joint.second), two.z(), Pi / 2));
    }
};

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
    double best = peers::per_sample(m, [&](int sample) {
        if (sample == 0)
            state = built.start;
        solve(built, m, state, sample, given, answer);
    });
    std::printf("time %s %.9g\n", way, best);
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
    std::printf("time residual %.9g\n", peers::per_sample(m, sample_at));
    for (int sample : m.report) {
        sample_at(sample);
        for (size_t j = 0; j < m.joints.size(); j++)
            peers::print_effort("residual", sample, m.drives[(size_t)m.joints[j].drive], residual[(int)built.mobilizer[j].getFirstUIndex(state)]);
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
    } catch (const std::exception &why) {
        std::fprintf(stderr, "simbody: %s\n", why.what());
        return 1;
    }
    return 0;
}
