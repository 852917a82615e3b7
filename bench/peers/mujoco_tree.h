/* A mechanism of mechanism.h as MuJoCo builds it: a tree with soft equality constraints where loops are cut. */
#ifndef BENCH_PEERS_MUJOCO_TREE_H
#define BENCH_PEERS_MUJOCO_TREE_H

#include "mechanism.h"

#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <sstream>

namespace peers {

const double arm = 0.5; /* [m] between the two points that close a revolute */

struct Turn {
    double m[9];
    double column(int row, int k) const {
        return m[3 * row + k];
    }
};

/* Columns of R in the order first, first + 1, first + 2. */
inline Turn rotated(const double R[9], int first) {
    Turn t;
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 3; k++)
            t.m[3 * row + k] = R[3 * row + (first + k) % 3];
    return t;
}

/* The child's axes in the parent's where the joint's coordinates are zero: R1 R2^T. */
inline Turn at_zero(const peers::Joint &joint) {
    bool universal = joint.kind == "universal";
    Turn one = rotated(joint.R1, universal ? 2 : 0), two = rotated(joint.R2, universal ? 1 : 0), out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out.m[3 * i + j] = 0;
            for (int k = 0; k < 3; k++)
                out.m[3 * i + j] += one.column(i, k) * two.column(j, k);
        }
    return out;
}

inline std::string numbers(const double *of, int count) {
    std::string text;
    char one[32];
    for (int k = 0; k < count; k++) {
        std::snprintf(one, sizeof one, "%s%.17g", k ? " " : "", of[k]);
        text += one;
    }
    return text;
}

inline void joint_text(std::ostream &out, const peers::Joint &joint) {
    auto put = [&](const char *suffix, const char *type, int column) {
        double axis[3] = {joint.R2[column], joint.R2[3 + column], joint.R2[6 + column]};
        out << "<joint name=\"" << joint.name << suffix << "\" type=\"" << type << "\" pos=\"" << numbers(joint.p2, 3)
            << "\" axis=\"" << numbers(axis, 3) << "\"/>\n";
    };
    if (joint.kind == "revolute")
        put("", "hinge", 2);
    else if (joint.kind == "prismatic")
        put("", "slide", 2);
    else if (joint.kind == "spherical")
        put("", "ball", 2);
    else
        put("_1", "hinge", 1), put("_2", "hinge", 2);
}

/* The ends of springs on a body. */
inline void sites_text(std::ostream &out, const peers::Mechanism &m, int body) {
    for (size_t k = 0; k < m.springs.size(); k++)
        for (int side = 0; side < 2; side++)
            if ((side ? m.springs[k].second : m.springs[k].first) == body)
                out << "<site name=\"s" << k << "_" << side << "\" pos=\""
                    << numbers(side ? m.springs[k].p2 : m.springs[k].p1, 3) << "\"/>\n";
}

inline void springs_text(std::ostream &out, const peers::Mechanism &m) {
    out << "<tendon>\n";
    for (size_t k = 0; k < m.springs.size(); k++)
        out << "<spatial stiffness=\"" << numbers(&m.springs[k].stiffness, 1) << "\" springlength=\""
            << numbers(&m.springs[k].length, 1) << "\"><site site=\"s" << k << "_0\"/><site site=\"s" << k
            << "_1\"/></spatial>\n";
    out << "</tendon>\n";
}

inline void body_text(std::ostream &out, const peers::Mechanism &m, int parent) {
    for (const peers::Joint &joint : m.joints) {
        if (joint.cut || joint.first != parent)
            continue;
        const peers::Body &body = m.bodies[(size_t)joint.second];
        Turn zero = at_zero(joint);
        double place[3], quat[4];
        for (int i = 0; i < 3; i++)
            place[i] = joint.p1[i] - zero.m[3 * i] * joint.p2[0] - zero.m[3 * i + 1] * joint.p2[1] -
                       zero.m[3 * i + 2] * joint.p2[2];
        mju_mat2Quat(quat, zero.m);
        out << "<body name=\"" << body.name << "\" pos=\"" << numbers(place, 3) << "\" quat=\"" << numbers(quat, 4)
            << "\">\n<inertial pos=\"" << numbers(body.centroid, 3) << "\" mass=\"" << numbers(&body.mass, 1)
            << "\" fullinertia=\"" << numbers(body.inertia, 6) << "\"/>\n";
        joint_text(out, joint);
        sites_text(out, m, joint.second);
        body_text(out, m, joint.second);
        out << "</body>\n";
    }
}

/* With the loops closed, and the drives held, by soft constraints; or the bare tree. */
inline std::string mjcf(const peers::Mechanism &m, bool loops, bool drives, double step) {
    std::ostringstream out;
    double softness[2] = {2 * step, 1};
    out << "<mujoco>\n<compiler angle=\"radian\" boundmass=\"0\"/>\n<option gravity=\"" << numbers(m.gravity, 3)
        << "\" timestep=\"" << numbers(&step, 1)
        << "\" solver=\"Newton\" iterations=\"100\" tolerance=\"1e-14\"/>\n<worldbody>\n";
    sites_text(out, m, -1);
    body_text(out, m, -1);
    out << "</worldbody>\n";
    if (!m.springs.empty())
        springs_text(out, m);
    out << "<equality>\n";
    std::string soft = "solref=\"" + numbers(softness, 2) + "\" solimp=\"0.9999 0.9999 0.001\"";
    for (const peers::Joint &joint : m.joints) {
        auto name = [&](int k) { return k < 0 ? std::string("world") : m.bodies[(size_t)k].name; };
        for (int k = 0; loops && joint.cut && k < (joint.kind == "revolute" ? 2 : 1); k++)
            out << "<connect body1=\"" << name(joint.first) << "\" body2=\"" << name(joint.second)
                << "\" anchor=\"0 0 0\" " << soft << "/>\n";
    }
    for (const peers::Joint &joint : m.joints)
        if (drives && joint.drive >= 0)
            out << "<joint joint1=\"" << joint.name << "\" polycoef=\"0 0 0 0 0\" " << soft << "/>\n";
    out << "</equality>\n</mujoco>\n";
    return out.str();
}

/* A chain of revolutes whose joints sit at the origins of their links: URDF is flat where MJCF nests. */
inline std::string urdf(const peers::Mechanism &m) {
    std::ostringstream out;
    out << "<robot name=\"chain\">\n<mujoco><compiler angle=\"radian\" boundmass=\"0\"/></mujoco>\n<link "
           "name=\"world\"/>\n";
    for (const peers::Body &b : m.bodies) {
        const char *names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
        out << "<link name=\"" << b.name << "\"><inertial><origin xyz=\"" << numbers(b.centroid, 3)
            << "\"/><mass value=\"" << numbers(&b.mass, 1) << "\"/><inertia";
        for (int k = 0; k < 6; k++)
            out << " " << names[k] << "=\"" << numbers(b.inertia + k, 1) << "\"";
        out << "/></inertial></link>\n";
    }
    for (const peers::Joint &j : m.joints) {
        double axis[3] = {j.R2[2], j.R2[5], j.R2[8]};
        out << "<joint name=\"" << j.name << "\" type=\"continuous\"><origin xyz=\"" << numbers(j.p1, 3)
            << "\"/><axis xyz=\"" << numbers(axis, 3) << "\"/><parent link=\""
            << (j.first < 0 ? "world" : m.bodies[(size_t)j.first].name) << "\"/><child link=\""
            << m.bodies[(size_t)j.second].name << "\"/></joint>\n";
    }
    out << "</robot>\n";
    return out.str();
}

/* One point of a cut joint on its two bodies. */
struct Pair {
    size_t joint;
    int body1, body2;
    double at1[3], at2[3];
};

struct Peer {
    const peers::Mechanism &m;
    mjModel *model = nullptr;
    mjData *data = nullptr;
    std::vector<int> body, qpos, dof; /* by our body; by our joint */
    std::vector<Pair> pairs;

    /* `step` of a simulation [s]. */
    Peer(const peers::Mechanism &mechanism, bool loops, bool drives, double step = 1e-3)
        : m(mechanism), qpos(m.joints.size(), -1), dof(m.joints.size(), -1) {
        bool deep = m.tree() && m.depth() > 90; /* the XML reader gives up below 100 */
        load(deep ? urdf(m) : mjcf(m, loops, drives, step), deep ? "chain.urdf" : "machine.xml");
        std::memcpy(model->opt.gravity, m.gravity, sizeof m.gravity);
        for (const peers::Body &b : m.bodies)
            body.push_back(mj_name2id(model, mjOBJ_BODY, b.name.c_str()));
        for (size_t j = 0; j < m.joints.size(); j++) {
            const peers::Joint &joint = m.joints[j];
            if (joint.cut) {
                add_pairs(j);
                continue;
            }
            int id = mj_name2id(model, mjOBJ_JOINT, (joint.name + (joint.kind == "universal" ? "_1" : "")).c_str());
            qpos[j] = model->jnt_qposadr[id];
            dof[j] = model->jnt_dofadr[id];
        }
        for (size_t k = 0; loops && k < pairs.size(); k++) {
            std::memcpy(model->eq_data + mjNEQDATA * k, pairs[k].at1, sizeof pairs[k].at1);
            std::memcpy(model->eq_data + mjNEQDATA * k + 3, pairs[k].at2, sizeof pairs[k].at2);
        }
        data = mj_makeData(model);
    }
    ~Peer() {
        mj_deleteData(data);
        mj_deleteModel(model);
    }
    Peer(const Peer &) = delete;
    Peer &operator=(const Peer &) = delete;

    void load(const std::string &text, const char *name) {
        auto files = std::make_unique<mjVFS>();
        mj_defaultVFS(files.get());
        mj_makeEmptyFileVFS(files.get(), name, (int)text.size());
        std::memcpy(files->filedata[0], text.data(), text.size());
        char error[1000] = "";
        model = mj_loadXML(name, files.get(), error, sizeof error);
        mj_deleteFileVFS(files.get(), name);
        if (!model) {
            std::fprintf(stderr, "mujoco: %s\n", error);
            std::exit(1);
        }
    }

    void add_pairs(size_t j) {
        const peers::Joint &joint = m.joints[j];
        for (int k = 0; k < (joint.kind == "revolute" ? 2 : 1); k++) {
            Pair pair = {j, joint.first < 0 ? 0 : body[(size_t)joint.first], body[(size_t)joint.second], {}, {}};
            for (int i = 0; i < 3; i++) {
                pair.at1[i] = joint.p1[i] + k * arm * joint.R1[3 * i + 2];
                pair.at2[i] = joint.p2[i] + k * arm * joint.R2[3 * i + 2];
            }
            pairs.push_back(pair);
        }
    }

    /* Positions, velocities and accelerations of one sample. */
    void place(int sample) {
        for (size_t j = 0; j < m.joints.size(); j++) {
            const peers::Joint &joint = m.joints[j];
            const std::vector<double> &at = m.samples[(size_t)sample][j];
            if (joint.cut)
                continue;
            if (joint.kind == "spherical") {
                place_ball(joint, at.data(), data->qpos + qpos[j], data->qvel + dof[j], data->qacc + dof[j]);
                continue;
            }
            size_t count = at.size() / 3;
            std::memcpy(data->qpos + qpos[j], at.data(), count * sizeof(double));
            std::memcpy(data->qvel + dof[j], at.data() + count, count * sizeof(double));
            std::memcpy(data->qacc + dof[j], at.data() + 2 * count, count * sizeof(double));
        }
    }

    /* A ball turns in the child's axes: quaternion R2 Q R2^T, rates R2 Q^T omega. */
    static void place_ball(const peers::Joint &joint, const double *at, double *q, double *v, double *a) {
        double back[4], turned[3];
        q[0] = at[0];
        mju_rotVecMat(q + 1, at + 1, joint.R2);
        mju_negQuat(back, at);
        mju_rotVecQuat(turned, at + 4, back);
        mju_rotVecMat(v, turned, joint.R2);
        mju_rotVecQuat(turned, at + 7, back);
        mju_rotVecMat(a, turned, joint.R2);
    }

    void point(int of, const double at[3], double out[3]) const {
        mju_rotVecMat(out, at, data->xmat + 9 * of);
        mju_addTo3(out, data->xpos + 3 * of);
    }

    /* Print efforts (if given, by dof) and reactions: of the tree from cfrc_int, of cut joints from the forces on the
     * second points. */
    void report(const char *way, int sample, const double *efforts, const double *second_forces) const {
        for (size_t j = 0; j < m.joints.size(); j++) {
            const peers::Joint &joint = m.joints[j];
            int second = body[(size_t)joint.second];
            double place[3], axis[3], z[3] = {joint.R2[2], joint.R2[5], joint.R2[8]}, force[3] = {0}, torque[3] = {0},
                                      lever[3], extra[3];
            point(second, joint.p2, place);
            mju_rotVecMat(axis, z, data->xmat + 9 * second);
            if (joint.drive >= 0 && efforts)
                peers::print_effort(way, sample, m.drives[(size_t)joint.drive], efforts[dof[j]]);
            if (joint.cut) {
                for (size_t k = 0; k < pairs.size(); k++)
                    if (pairs[k].joint == j) {
                        point(second, pairs[k].at2, lever);
                        mju_subFrom3(lever, place);
                        peers::cross(lever, second_forces + 3 * k, extra);
                        mju_addTo3(torque, extra);
                        mju_addTo3(force, second_forces + 3 * k);
                    }
            } else {
                const double *inner =
                    data->cfrc_int + 6 * second; /* torque, force about the centre of mass of the whole tree */
                mju_copy3(force, inner + 3);
                mju_sub3(lever, data->subtree_com + 3 * model->body_rootid[second], place);
                peers::cross(lever, force, extra);
                mju_add3(torque, inner, extra);
            }
            peers::print_reaction(way, sample, joint, axis, force, torque);
        }
    }
};

} // namespace peers

#endif
