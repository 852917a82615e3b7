/* Inverse dynamics of open trees with Orocos KDL: its recursion of Newton and Euler. Efforts alone.
 *
 *   kdl FILE      FILE: a mechanism as run writes it; of one with loops nothing is printed
 *
 * Ways:
 *   chain  ChainIdSolver_RNE, where each body hangs on the one before it
 *   tree   TreeIdSolver_RNE */
#include "mechanism.h"

#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>

namespace {

KDL::Vector vec(const double a[3]) {
    return KDL::Vector(a[0], a[1], a[2]);
}
/* Rows of R one after the other, as KDL takes them. */
KDL::Frame frame(const double R[9], const double p[3]) {
    return KDL::Frame(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), vec(p));
}

/* The joint in the frame of the first body, whose third marker axis is its axis; the tip is the second body's frame, which follows from the markers where they coincide. */
KDL::Segment segment(const peers::Joint &joint, const peers::Body &body) {
    KDL::Frame first = frame(joint.R1, joint.p1), second = frame(joint.R2, joint.p2);
    const double *I = body.inertia;
    KDL::RigidBodyInertia inertia(body.mass, vec(body.centroid), KDL::RotationalInertia(I[0], I[1], I[2], I[3], I[4], I[5]));
    return KDL::Segment(body.name, KDL::Joint(joint.name, first.p, first.M.UnitZ(), KDL::Joint::RotAxis), first * second.Inverse(), inertia);
}

/* Efforts of all samples by `solve`, which takes positions, rates and accelerations. */
void run(const peers::Mechanism &m, const char *way, const std::function<int(const KDL::JntArray &, const KDL::JntArray &, const KDL::JntArray &, KDL::JntArray &)> &solve) {
    unsigned count = (unsigned)m.joints.size();
    KDL::JntArray q(count), v(count), a(count), tau(count);
    auto sample_at = [&](int sample) {
        for (unsigned j = 0; j < count; j++) {
            const std::vector<double> &at = m.samples[(size_t)sample][j];
            q(j) = at[0], v(j) = at[1], a(j) = at[2];
        }
        if (solve(q, v, a, tau) < 0)
            throw std::runtime_error("its solver failed");
    };
    if (!peers::measure(m, way, sample_at))
        return;
    for (int sample : m.report) {
        sample_at(sample);
        peers::print_joints(m, "effort", way, sample, [&](int j) { return tau((unsigned)j); });
    }
}

void run_chain(const peers::Mechanism &m) {
    KDL::Chain chain;
    for (const peers::Joint &joint : m.joints)
        chain.addSegment(segment(joint, m.bodies[(size_t)joint.second]));
    KDL::ChainIdSolver_RNE solver(chain, vec(m.gravity));
    KDL::Wrenches none(m.joints.size(), KDL::Wrench::Zero());
    run(m, "chain", [&](const KDL::JntArray &q, const KDL::JntArray &v, const KDL::JntArray &a, KDL::JntArray &tau) { return solver.CartToJnt(q, v, a, none, tau); });
}

void run_tree(const peers::Mechanism &m) {
    KDL::Tree tree("ground");
    for (const peers::Joint &joint : m.joints)
        if (!tree.addSegment(segment(joint, m.bodies[(size_t)joint.second]), joint.first < 0 ? "ground" : m.bodies[(size_t)joint.first].name))
            throw std::runtime_error("it does not take the tree");
    KDL::TreeIdSolver_RNE solver(tree, vec(m.gravity));
    KDL::WrenchMap none;
    run(m, "tree", [&](const KDL::JntArray &q, const KDL::JntArray &v, const KDL::JntArray &a, KDL::JntArray &tau) { return solver.CartToJnt(q, v, a, none, tau); });
}

bool chained(const peers::Mechanism &m) {
    for (size_t j = 0; j < m.joints.size(); j++)
        if (m.joints[j].first != (j == 0 ? -1 : m.joints[j - 1].second))
            return false;
    return true;
}

} // namespace

int main(int count, char **words) {
    if (count != 2)
        return 2;
    peers::Mechanism m = peers::read(words[1]);
    try {
        if (peers::simple(m) && chained(m))
            run_chain(m);
        if (peers::simple(m))
            run_tree(m);
    } catch (const std::exception &why) {
        std::fprintf(stderr, "kdl: %s\n", why.what());
        return 1;
    }
    return 0;
}
