/* Inverse and forward dynamics of open trees with DART: its recursions of Newton and Euler and of articulated bodies.
 *
 *   dart FILE      FILE: a mechanism as run writes it; of one with loops nothing is printed
 *
 * Ways:
 *   inverse  Skeleton::computeInverseDynamics at given positions, velocities and accelerations; efforts alone
 *   forward  Skeleton::computeForwardDynamics at given positions, velocities and efforts, where the file has efforts */
#include "mechanism.h"

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

using namespace dart::dynamics;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

Eigen::Isometry3d frame(const double R[9], const double p[3]) {
    Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
    out.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R);
    out.translation() = Eigen::Map<const Vector3d>(p);
    return out;
}

SkeletonPtr create(const peers::Mechanism &m) {
    SkeletonPtr skeleton = Skeleton::create();
    skeleton->setGravity(Eigen::Map<const Vector3d>(m.gravity));
    for (const peers::Joint &joint : m.joints) {
        const peers::Body &body = m.bodies[(size_t)joint.second];
        const double *I = body.inertia;
        Eigen::Matrix3d about;
        about << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
        RevoluteJoint::Properties hinge;
        hinge.mName = joint.name;
        hinge.mAxis = Vector3d::UnitZ();
        hinge.mT_ParentBodyToJoint = frame(joint.R1, joint.p1);
        hinge.mT_ChildBodyToJoint = frame(joint.R2, joint.p2);
        BodyNode::Properties link;
        link.mName = body.name;
        link.mInertia = Inertia(body.mass, Eigen::Map<const Vector3d>(body.centroid), about);
        BodyNode *parent = joint.first < 0 ? nullptr : skeleton->getBodyNode((size_t)joint.first);
        skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, hinge, link);
    }
    return skeleton;
}

void run(const peers::Mechanism &m) {
    SkeletonPtr skeleton = create(m);
    VectorXd q(m.joints.size()), v(q), in(q), out(q);
    std::vector<Eigen::Index> index; /* DART's, by joint */
    for (const peers::Joint &joint : m.joints)
        index.push_back((Eigen::Index)skeleton->getJoint(joint.name)->getIndexInSkeleton(0));
    auto place = [&](int sample) {
        for (size_t j = 0; j < m.joints.size(); j++)
            q[index[j]] = m.samples[(size_t)sample][j][0], v[index[j]] = m.samples[(size_t)sample][j][1];
        skeleton->setPositions(q);
        skeleton->setVelocities(v);
    };
    auto inverse = [&](int sample) {
        place(sample);
        for (size_t j = 0; j < m.joints.size(); j++)
            in[index[j]] = m.samples[(size_t)sample][j][2];
        skeleton->setAccelerations(in);
        skeleton->computeInverseDynamics();
        out = skeleton->getForces();
    };
    auto forward = [&](int sample) {
        place(sample);
        for (size_t j = 0; j < m.joints.size(); j++)
            in[index[j]] = m.efforts[(size_t)sample][j];
        skeleton->setForces(in);
        skeleton->computeForwardDynamics();
        out = skeleton->getAccelerations();
    };
    auto all = [&](const char *what, const char *way, const std::function<void(int)> &sample_at) {
        if (!peers::measure(m, way, sample_at))
            return;
        for (int sample : m.report) {
            sample_at(sample);
            peers::print_joints(m, what, way, sample, [&](int j) { return out[index[(size_t)j]]; });
        }
    };
    all("effort", "inverse", inverse);
    if (!m.efforts.empty())
        all("acceleration", "forward", forward);
}

} // namespace

int main(int count, char **words) {
    if (count != 2)
        return 2;
    peers::Mechanism m = peers::read(words[1]);
    if (peers::simple(m))
        run(m);
    return 0;
}
