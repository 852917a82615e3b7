/* Inverse and forward dynamics of open trees with Bullet, in double precision.
 *
 *   bullet FILE      FILE: a mechanism as run writes it; of one with loops nothing is printed
 *
 * Ways:
 *   inverse  BulletInverseDynamics' MultiBodyTree at given positions, velocities and accelerations; efforts alone
 *   forward  btMultiBody's algorithm of articulated bodies at given positions, velocities and efforts, where the file
 *            has efforts; gravity as forces on the links. It adds dt times the accelerations, dt = 1 s, to the
 * velocities */
#include "mechanism.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <LinearMath/btMatrixX.h>

/* Debian packages the library BulletInverseDynamics, but not its headers: what is called here, as the library has it.
 */
namespace btInverseDynamicsBullet3 {

enum JointType { FIXED, REVOLUTE };
struct vec3 : btVector3 {
    explicit vec3(const btVector3 &of) : btVector3(of) {
    }
};
struct mat33 : btMatrix3x3 {
    explicit mat33(const btMatrix3x3 &of) : btMatrix3x3(of) {
    }
};
struct vecx : btVectorX<double> {
    explicit vecx(int size) : btVectorX<double>(size) {
    }
};

class MultiBodyTree {
  public:
    MultiBodyTree();
    ~MultiBodyTree();
    int addBody(int body, int parent, JointType type, const vec3 &place, const mat33 &from_parent, const vec3 &axis,
                double mass, const vec3 &centroid, const mat33 &inertia, int number, void *pointer);
    int finalize();
    int setGravityInWorldFrame(const vec3 &gravity);
    int calculateInverseDynamics(const vecx &q, const vecx &v, const vecx &a, vecx *efforts);

  private:
    double own_[32]; /* room for its members: three flags, two pointers */
};

} // namespace btInverseDynamicsBullet3

namespace {

namespace id = btInverseDynamicsBullet3;

btVector3 vec(const double a[3]) {
    return btVector3(a[0], a[1], a[2]);
}
btMatrix3x3 matrix(const double R[9]) {
    return btMatrix3x3(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]);
}
/* About the centroid. */
btMatrix3x3 tensor(const peers::Body &body) {
    const double *I = body.inertia;
    return btMatrix3x3(I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]);
}

void create(const peers::Mechanism &m, id::MultiBodyTree &tree) {
    btMatrix3x3 one = btMatrix3x3::getIdentity();
    btVector3 zero(0, 0, 0);
    int failed = tree.addBody(0, -1, id::FIXED, id::vec3(zero), id::mat33(one), id::vec3(zero), 1, id::vec3(zero),
                              id::mat33(one), 0, nullptr);
    for (const peers::Joint &joint : m.joints) {
        const peers::Body &body = m.bodies[(size_t)joint.second];
        peers::Hung at = peers::hung(m, joint);
        btVector3 c = vec(at.centroid), mc = body.mass * c;
        btMatrix3x3 about = tensor(body); /* about the joint: J + m (c^2 1 - c c^T) */
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                about[i][k] += (i == k) * mc.dot(c) - mc[i] * c[k];
        failed |= tree.addBody(joint.second + 1, joint.first + 1, id::REVOLUTE, id::vec3(vec(at.place)),
                               id::mat33(matrix(at.turn).transpose()), id::vec3(vec(at.axis)), body.mass, id::vec3(c),
                               id::mat33(about), 0, nullptr);
    }
    if (failed || tree.finalize() || tree.setGravityInWorldFrame(id::vec3(vec(m.gravity))))
        throw std::runtime_error("it does not take the tree");
}

void run_inverse(const peers::Mechanism &m) {
    id::MultiBodyTree tree;
    create(m, tree);
    int count = (int)m.joints.size();
    id::vecx q(count), v(count), a(count), tau(count);
    auto sample_at = [&](int sample) {
        for (int j = 0; j < count; j++) {
            const std::vector<double> &at = m.samples[(size_t)sample][(size_t)j];
            q[j] = at[0], v[j] = at[1], a[j] = at[2];
        }
        tree.calculateInverseDynamics(q, v, a, &tau);
    };
    if (!peers::measure(m, "inverse", sample_at))
        return;
    for (int sample : m.report) {
        sample_at(sample);
        peers::print_joints(m, "effort", "inverse", sample, [&](int j) { return tau[j]; });
    }
}

/* Bullet's links have their frames at the centroids, along the principal axes of inertia. */
void create(const peers::Mechanism &m, btMultiBody &links) {
    std::vector<btMatrix3x3> principal; /* columns: the axes in the body's frame */
    for (const peers::Joint &joint : m.joints) {
        const peers::Body &body = m.bodies[(size_t)joint.second];
        btMatrix3x3 about = tensor(body), axes;
        about.diagonalize(axes, SIMD_EPSILON, 100);
        btMatrix3x3 parent = joint.first < 0 ? btMatrix3x3::getIdentity() : principal[(size_t)joint.first];
        btVector3 from = joint.first < 0 ? btVector3(0, 0, 0) : vec(m.bodies[(size_t)joint.first].centroid), turned;
        btMatrix3x3 R2 = matrix(joint.R2), turn = axes.transpose() * R2 * matrix(joint.R1).transpose() * parent;
        btQuaternion rotation;
        turn.getRotation(rotation);
        principal.push_back(axes);
        links.setupRevolute(joint.second, body.mass, btVector3(about[0][0], about[1][1], about[2][2]), joint.first,
                            rotation, axes.transpose() * R2.getColumn(2), parent.transpose() * (vec(joint.p1) - from),
                            axes.transpose() * (vec(body.centroid) - vec(joint.p2)));
    }
    links.finalizeMultiDof();
    links.setLinearDamping(0);
    links.setAngularDamping(0);
    links.setMaxCoordinateVelocity(BT_LARGE_FLOAT);
    for (size_t k = 0; k < m.bodies.size(); k++)
        links.addLinkForce((int)k, m.bodies[k].mass * vec(m.gravity));
}

void run_forward(const peers::Mechanism &m) {
    btMultiBody links((int)m.joints.size(), 0, btVector3(0, 0, 0), true, false);
    create(m, links);
    btAlignedObjectArray<btScalar> numbers;
    btAlignedObjectArray<btVector3> vectors;
    btAlignedObjectArray<btMatrix3x3> matrices;
    auto sample_at = [&](int sample) {
        for (int j = 0; j < (int)m.joints.size(); j++) {
            const std::vector<double> &at = m.samples[(size_t)sample][(size_t)j];
            links.setJointPos(j, at[0]);
            links.setJointVel(j, at[1]);
            links.addJointTorqueMultiDof(j, &m.efforts[(size_t)sample][(size_t)j]); /* in place of the last */
        }
        links.computeAccelerationsArticulatedBodyAlgorithmMultiDof(1, numbers, vectors, matrices, false, false, false);
    };
    if (!peers::measure(m, "forward", sample_at))
        return;
    for (int sample : m.report) {
        sample_at(sample);
        peers::print_joints(m, "acceleration", "forward", sample,
                            [&](int j) { return links.getJointVel(j) - m.samples[(size_t)sample][(size_t)j][1]; });
    }
}

} // namespace

int main(int count, char **words) {
    if (count != 2)
        return 2;
    peers::Mechanism m = peers::read(words[1]);
    if (!peers::simple(m))
        return 0;
    try {
        run_inverse(m);
        if (!m.efforts.empty())
            run_forward(m);
    } catch (const std::exception &why) {
        std::fprintf(stderr, "bullet: %s\n", why.what());
        return 1;
    }
    return 0;
}
