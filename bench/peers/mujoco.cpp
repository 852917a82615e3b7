/* Inverse dynamics with MuJoCo.
 *
 *   mujoco FILE      FILE: a mechanism as run writes it
 *
 * MuJoCo finds no positions from prescribed drives: it is given positions, velocities and accelerations of all joints of the tree. Ways:
 *   inverse   mj_inverse, loops closed by soft equality constraints. Efforts.
 *   rne       trees: kinematics and mj_rne alone. Efforts.
 *   forward   trees: kinematics, mj_crb, mj_factorM, mj_rne without accelerations, mj_solveM at given efforts, where the
 *             file has efforts. Accelerations.
 *   algebra   kinematics, mj_rne with loops open; forces in the cut joints from the rows of the joints that are not driven, J^T f = tau, by
 *             LAPACK (least squares of least norm; algebra of this program, not of MuJoCo); these forces applied, mj_rnePostConstraint. Efforts
 *             and reactions. Trees: the same without the middle.
 *   soft      loops: simulation with ten steps per sample, as stiff as they allow; the drives are equality constraints on joints, too, renewed at
 *             each step. Efforts, reactions, and how far the cut joints come apart. */
#include "mujoco_tree.h"

#include <lapacke.h>

namespace {

using peers::Pair;
using peers::Peer;

const int steps_per_sample = 10; /* of the simulation */
const double settled = 0.2;      /* [s] after which it is compared */

void kinematics(Peer &peer) {
    mj_kinematics(peer.model, peer.data);
    mj_comPos(peer.model, peer.data);
    mj_comVel(peer.model, peer.data);
}

void run_inverse(const peers::Mechanism &m) {
    Peer peer(m, true, false, m.step / steps_per_sample);
    auto sample_at = [&](int sample) {
        peer.place(sample);
        mj_inverse(peer.model, peer.data);
    };
    if (!peers::measure(m, "inverse", sample_at))
        return;
    for (int sample : m.report) {
        sample_at(sample);
        for (size_t j = 0; j < m.joints.size(); j++)
            if (m.joints[j].drive >= 0)
                peers::print_effort("inverse", sample, m.drives[(size_t)m.joints[j].drive], peer.data->qfrc_inverse[peer.dof[j]]);
    }
}

void run_rne(const peers::Mechanism &m) {
    Peer peer(m, false, false);
    std::vector<double> efforts((size_t)peer.model->nv);
    auto sample_at = [&](int sample) {
        peer.place(sample);
        kinematics(peer);
        mj_rne(peer.model, peer.data, 1, efforts.data());
    };
    if (!peers::measure(m, "rne", sample_at))
        return;
    for (int sample : m.report) {
        sample_at(sample);
        peers::print_joints(m, "effort", "rne", sample, [&](int j) { return efforts[(size_t)peer.dof[(size_t)j]]; });
    }
}

void run_forward(const peers::Mechanism &m) {
    Peer peer(m, false, false);
    std::vector<double> accelerations((size_t)peer.model->nv);
    auto sample_at = [&](int sample) {
        peer.place(sample);
        kinematics(peer);
        mj_crb(peer.model, peer.data);
        mj_factorM(peer.model, peer.data);
        mj_rne(peer.model, peer.data, 0, accelerations.data());
        for (size_t j = 0; j < m.joints.size(); j++) {
            double &at = accelerations[(size_t)peer.dof[j]];
            at = m.efforts[(size_t)sample][j] - at;
        }
        mj_solveM(peer.model, peer.data, accelerations.data(), accelerations.data(), 1);
    };
    if (!peers::measure(m, "forward", sample_at))
        return;
    for (int sample : m.report) {
        sample_at(sample);
        peers::print_joints(m, "acceleration", "forward", sample,
                            [&](int j) { return accelerations[(size_t)peer.dof[(size_t)j]]; });
    }
}

/* The tree's torques, then the loops closed with our own least squares. */
struct Algebra {
    Peer peer;
    int nv, rows;
    std::vector<bool> driven;
    std::vector<double> efforts, jacobian, one, two, matrix, right;

    explicit Algebra(const peers::Mechanism &m)
        : peer(m, false, false), nv(peer.model->nv), rows(3 * (int)peer.pairs.size()), driven((size_t)nv), efforts((size_t)nv),
          jacobian((size_t)(rows * nv)), one((size_t)(3 * nv)), two(one), matrix(jacobian), right((size_t)std::max(nv, rows)) {
        for (size_t j = 0; j < m.joints.size(); j++)
            if (m.joints[j].drive >= 0)
                driven[(size_t)peer.dof[j]] = true;
    }

    void sample(int sample) {
        peer.place(sample);
        kinematics(peer);
        mj_rne(peer.model, peer.data, 1, efforts.data());
        if (rows)
            close();
        mj_rnePostConstraint(peer.model, peer.data);
    }

    /* Forces f on the second points of the pairs: tau - J^T f = 0 where nothing drives; J: velocity of the second points. */
    void close() {
        for (size_t k = 0; k < peer.pairs.size(); k++) {
            const Pair &pair = peer.pairs[k];
            double at[3];
            peer.point(pair.body1, pair.at1, at);
            mj_jac(peer.model, peer.data, one.data(), nullptr, at, pair.body1);
            peer.point(pair.body2, pair.at2, at);
            mj_jac(peer.model, peer.data, two.data(), nullptr, at, pair.body2);
            for (int i = 0; i < 3 * nv; i++)
                jacobian[3 * k * (size_t)nv + (size_t)i] = two[(size_t)i] - one[(size_t)i];
        }
        int passive = 0;
        for (int v = 0; v < nv; v++)
            if (!driven[(size_t)v])
                right[(size_t)passive++] = efforts[(size_t)v];
        for (int r = 0; r < rows; r++)
            for (int v = 0, p = 0; v < nv; v++)
                if (!driven[(size_t)v])
                    matrix[(size_t)(r * passive + p++)] = jacobian[(size_t)(r * nv + v)];
        std::vector<lapack_int> pivots((size_t)rows);
        lapack_int rank;
        LAPACKE_dgelsy(LAPACK_COL_MAJOR, passive, rows, 1, matrix.data(), passive, right.data(), std::max(passive, rows), pivots.data(), 1e-10,
                       &rank);
        for (int v = 0; v < nv; v++)
            for (int r = 0; r < rows; r++)
                efforts[(size_t)v] -= jacobian[(size_t)(r * nv + v)] * right[(size_t)r];
        apply();
    }

    void apply() {
        mju_zero(peer.data->xfrc_applied, 6 * peer.model->nbody);
        for (size_t k = 0; k < peer.pairs.size(); k++) {
            const Pair &pair = peer.pairs[k];
            for (int side = 0; side < 2; side++) {
                int body = side ? pair.body2 : pair.body1;
                double at[3], force[3], torque[3];
                peer.point(body, side ? pair.at2 : pair.at1, at);
                mju_subFrom3(at, peer.data->xipos + 3 * body);
                mju_scl3(force, right.data() + 3 * k, side ? 1 : -1);
                peers::cross(at, force, torque);
                mju_addTo3(peer.data->xfrc_applied + 6 * body, force);
                mju_addTo3(peer.data->xfrc_applied + 6 * body + 3, torque);
            }
        }
    }
};

void run_algebra(const peers::Mechanism &m) {
    Algebra algebra(m);
    if (!peers::measure(m, "algebra", [&](int sample) { algebra.sample(sample); }))
        return;
    for (int sample : m.report) {
        algebra.sample(sample);
        algebra.peer.report("algebra", sample, algebra.efforts.data(), algebra.right.data());
    }
}

void run_soft(const peers::Mechanism &m) {
    Peer peer(m, true, true, m.step / steps_per_sample);
    mjModel *model = peer.model;
    mjData *data = peer.data;
    int rows = 3 * (int)peer.pairs.size();
    double apart = 0, spent = 0;
    std::vector<double> efforts((size_t)model->nv), second;
    peer.place(0);
    for (int k = 0; k < (int)m.samples.size(); k++) {
        for (int sub = 0; sub < steps_per_sample; sub++) {
            double share = (double)sub / steps_per_sample;
            for (size_t j = 0, eq = peer.pairs.size(); j < m.joints.size(); j++)
                if (m.joints[j].drive >= 0) { /* Taylor from the sample: to 1e-12 of the motion */
                    const std::vector<double> &at = m.samples[(size_t)k][j];
                    double h = share * m.step;
                    model->eq_data[mjNEQDATA * eq++] = at[0] + h * (at[1] + h / 2 * at[2]);
                }
            double start = peers::seconds();
            mj_step(model, data); /* leaves forces of the state before the step */
            spent += peers::seconds() - start;
            if (sub == 0 && k * m.step >= settled) {
                for (int r = 0; r < rows; r++)
                    apart = std::max(apart, std::abs(data->efc_pos[r]));
                if (peers::reported(m, k)) {
                    int row = rows;
                    for (size_t j = 0; j < m.joints.size(); j++)
                        if (m.joints[j].drive >= 0)
                            efforts[(size_t)peer.dof[j]] = data->efc_force[row++];
                    second.resize((size_t)rows);
                    for (int r = 0; r < rows; r++)
                        second[(size_t)r] = -data->efc_force[r];
                    mj_rnePostConstraint(model, data);
                    peer.report("soft", k, efforts.data(), second.data());
                }
            }
        }
    }
    std::printf("time soft %.9g\nvalue soft apart %.3g\n", spent / (double)m.samples.size(), apart);
}

} // namespace

int main(int count, char **words) {
    if (count != 2)
        return 2;
    peers::Mechanism m = peers::read(words[1]);
    run_inverse(m);
    if (m.tree())
        run_rne(m);
    if (!m.efforts.empty())
        run_forward(m);
    run_algebra(m);
    if (!m.tree())
        run_soft(m);
    return 0;
}
