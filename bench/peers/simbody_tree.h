/* A mechanism of mechanism.h as Simbody builds it: mobilizers along the tree, constraints where loops are cut. */
#ifndef BENCH_PEERS_SIMBODY_TREE_H
#define BENCH_PEERS_SIMBODY_TREE_H

#include "mechanism.h"

#include <Simbody.h>

using namespace SimTK;

namespace peers {

inline Vec3 vec(const double a[3]) {
    return Vec3(a[0], a[1], a[2]);
}

/* A frame whose axes are a marker's, taken in the order x = axis `first`, y, z the following ones. */
inline Transform frame(const double R[9], const double p[3], int first) {
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
        : matter(system), forces(system), gravity(forces, matter, vec(m.gravity)), bodies(m.bodies.size()),
          mobilizer(m.joints.size()), closing(m.joints.size()) {
        system.setUseUniformBackground(true);
        for (size_t j = 0; j < m.joints.size(); j++)
            if (!m.joints[j].cut)
                add(m, j, prescribed);
        for (size_t j = 0; j < m.joints.size(); j++)
            if (m.joints[j].cut)
                close(m.joints[j], closing[j]);
        load(m);
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
        SimTK::Body::Rigid rigid(MassProperties(b.mass, vec(b.centroid), about));
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
        MobilizedBody &first = body(joint.first), &second = body(joint.second);
        Rotation one = frame(joint.R1, joint.p1, 0).R(), two = frame(joint.R2, joint.p2, 0).R();
        if (joint.kind == "pin") { /* of what moves in the plane anyway: no row is redundant */
            for (const UnitVec3 &across : {one.x(), one.y()})
                with.push_back(
                    Constraint::PointInPlane(first, across, dot(across, vec(joint.p1)), second, vec(joint.p2)));
            return;
        }
        with.push_back(Constraint::Ball(first, vec(joint.p1), second, vec(joint.p2)));
        if (joint.kind != "revolute")
            return;
        with.push_back(Constraint::ConstantAngle(first, one.x(), second, two.z(), Pi / 2));
        with.push_back(Constraint::ConstantAngle(first, one.y(), second, two.z(), Pi / 2));
    }

    void load(const peers::Mechanism &m) {
        for (const peers::Spring &spring : m.springs)
            Force::TwoPointLinearSpring(forces, body(spring.first), vec(spring.p1), body(spring.second), vec(spring.p2),
                                        spring.stiffness, spring.length);
        for (const auto &torque : m.torques)
            Force::ConstantTorque(forces, body(torque.first), Vec3(0, 0, torque.second));
    }
};

} // namespace peers

#endif
