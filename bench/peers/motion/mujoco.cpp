/* Motion from forces with MuJoCo: a tree, loops closed by soft equality constraints, as stiff as the step allows (time constant two steps, impedance 0.9999), Newton's solver, sparse.
 *
 *   mujoco FILE euler|rk4 STEP
 *
 * STEP [s] of equal steps; it must divide the time between reports. Prints what roberval.c prints. */
#include "../mujoco_tree.h"

#include <array>
#include <ctime>

namespace {

const double enough = 0.3; /* [s] of repetitions */
const int most = 1000;

double cpu_seconds() {
    return (double)std::clock() / CLOCKS_PER_SEC;
}

void follow(peers::Peer &peer, double step, std::vector<std::array<double, 3>> &places) {
    const peers::Mechanism &m = peer.m;
    mjData *data = peer.data;
    mj_resetData(peer.model, data);
    peer.place(0);
    for (const auto &torque : m.torques)
        data->xfrc_applied[6 * peer.body[(size_t)torque.first] + 5] = torque.second;
    places.clear();
    int64_t done = 0;
    for (int sample : m.report) {
        for (int64_t until = std::llround(sample * m.step / step); done < until; done++)
            mj_step(peer.model, data);
        mj_kinematics(peer.model, data);
        places.emplace_back();
        peer.point(peer.body[(size_t)m.tracked], m.track, places.back().data());
    }
}

} // namespace

int main(int count, char **words) {
    if (count != 4)
        return 2;
    peers::Mechanism m = peers::read(words[1]);
    double step = std::atof(words[3]);
    peers::Peer peer(m, true, false, step);
    peer.model->opt.integrator = std::strcmp(words[2], "rk4") == 0 ? mjINT_RK4 : mjINT_EULER;
    peer.model->opt.jacobian = m.bodies.size() > 30 ? mjJAC_SPARSE : mjJAC_DENSE;
    peer.model->opt.disableflags |= mjDSBL_CONTACT;
    std::vector<std::array<double, 3>> places;
    double begun = cpu_seconds(), spent = 0;
    int rounds = 0;
    for (; rounds < most && (rounds == 0 || spent < enough); rounds++) {
        follow(peer, step, places);
        spent = cpu_seconds() - begun;
    }
    if (peer.data->warning[mjWARN_BADQACC].number || peer.data->warning[mjWARN_BADQPOS].number) {
        std::fprintf(stderr, "mujoco: unstable with a step of %s s\n", words[3]);
        return 1;
    }
    std::printf("cpu %.6g\n", spent / rounds);
    for (size_t k = 0; k < places.size(); k++)
        std::printf("at %.17g %.17g %.17g %.17g\n", m.report[k] * m.step, places[k][0], places[k][1], places[k][2]);
    return 0;
}
