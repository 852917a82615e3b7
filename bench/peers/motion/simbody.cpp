/* Motion from forces with Simbody: a tree of mobilizers, constraints where loops are cut, an integrator that projects onto them.
 *
 *   simbody FILE merson|bdf ACCURACY
 *
 * merson: RungeKuttaMersonIntegrator; bdf: CPodesIntegrator (BDF, Newton). Prints what roberval.c prints. */
#include "../simbody_tree.h"

#include <cstring>
#include <ctime>

using namespace SimTK;

namespace {

const double enough = 0.3; /* [s] of repetitions */
const int most = 1000;

double cpu_seconds() {
    return (double)std::clock() / CLOCKS_PER_SEC;
}

std::vector<Vec3> follow(const peers::Built &built, const peers::Mechanism &m, const char *way, double accuracy, double *energy) {
    State start = built.start;
    for (size_t j = 0; j < m.joints.size(); j++)
        if (!m.joints[j].cut)
            built.mobilizer[j].setOneU(start, 0, m.samples[0][j][1]);
    std::unique_ptr<Integrator> integrator;
    if (std::strcmp(way, "bdf") == 0)
        integrator = std::make_unique<CPodesIntegrator>(built.system, CPodes::BDF, CPodes::Newton);
    else
        integrator = std::make_unique<RungeKuttaMersonIntegrator>(built.system);
    integrator->setAccuracy(accuracy);
    TimeStepper stepper(built.system, *integrator);
    stepper.initialize(start);
    std::vector<Vec3> places;
    double begin = built.system.calcEnergy(integrator->getState());
    for (int sample : m.report) {
        stepper.stepTo(sample * m.step);
        const State &state = integrator->getState();
        built.system.realize(state, Stage::Position);
        places.push_back(built.bodies[(size_t)m.tracked].findStationLocationInGround(state, peers::vec(m.track)));
        if (m.torques.empty()) {
            built.system.realize(state, Stage::Dynamics);
            *energy = std::max(*energy, std::abs(built.system.calcEnergy(state) - begin));
        }
    }
    return places;
}

} // namespace

int main(int count, char **words) {
    if (count != 4)
        return 2;
    peers::Mechanism m = peers::read(words[1]);
    try {
        peers::Built built(m, false);
        double begun = cpu_seconds(), spent = 0, energy = 0;
        std::vector<Vec3> places;
        int rounds = 0;
        for (; rounds < most && (rounds == 0 || spent < enough); rounds++) {
            energy = 0;
            places = follow(built, m, words[2], std::atof(words[3]), &energy);
            spent = cpu_seconds() - begun;
        }
        std::printf("cpu %.6g\n", spent / rounds);
        for (size_t k = 0; k < places.size(); k++)
            std::printf("at %.17g %.17g %.17g %.17g\n", m.report[k] * m.step, places[k][0], places[k][1], places[k][2]);
        if (m.torques.empty())
            std::printf("value energy %.3g\n", energy);
    } catch (const std::exception &why) {
        std::fprintf(stderr, "simbody: %s\n", why.what());
        return 1;
    }
    return 0;
}
