/* What the programs for the peers share: the neutral description of a mechanism that run writes (one word or number
 * after the other), and a stopwatch. */
#ifndef BENCH_PEERS_MECHANISM_H
#define BENCH_PEERS_MECHANISM_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace peers {

struct Body {
    std::string name;
    double mass, centroid[3], inertia[6]; /* about the centroid, body axes: xx yy zz xy xz yz */
};

/* Markers: columns of R (stored by rows) are the axes, p the place, in the frames of first and second. */
struct Joint {
    std::string name, kind;
    bool cut;
    int first, second; /* -1: ground */
    double R1[9], p1[3], R2[9], p2[3];
    int drive; /* -1: none */
};

/* Between a point of the first body and one of the second: pulls with k (l - l0). */
struct Spring {
    int first, second; /* -1: ground */
    double p1[3], p2[3], stiffness, length;
};

struct Mechanism {
    double gravity[3], step;
    std::vector<Body> bodies;
    std::vector<Joint> joints; /* of the tree in an order from the ground outwards */
    std::vector<std::string> drives;
    std::vector<int> report;
    std::vector<Spring> springs;
    std::vector<std::pair<int, double>> torques; /* on a body, about ground's z */
    int tracked = -1;                            /* whose point `track` is to be reported along a motion from forces */
    double track[3];
    /* samples[k][j]: position, velocity, acceleration of joint j of the tree at sample k: revolute, prismatic 1 + 1 +
     * 1; universal 2 + 2 + 2; spherical quaternion 4, relative angular velocity 3 and acceleration 3 in the first
     * marker's axes. Empty for cut joints. */
    std::vector<std::vector<std::vector<double>>> samples;

    bool tree() const {
        return std::none_of(joints.begin(), joints.end(), [](const Joint &joint) { return joint.cut; });
    }
};

inline size_t coordinate_count(const Joint &joint) {
    return joint.cut ? 0 : joint.kind == "universal" ? 6 : joint.kind == "spherical" ? 10 : 3;
}

inline Mechanism read(const char *path) {
    std::ifstream in(path);
    Mechanism m;
    std::string word;
    auto numbers = [&in](double *into, int count) {
        for (int k = 0; k < count; k++)
            in >> into[k];
    };
    while (in >> word) {
        if (word == "gravity") {
            numbers(m.gravity, 3);
        } else if (word == "step") {
            numbers(&m.step, 1);
        } else if (word == "body") {
            Body body;
            in >> body.name;
            numbers(&body.mass, 1);
            numbers(body.centroid, 3);
            numbers(body.inertia, 6);
            m.bodies.push_back(body);
        } else if (word == "joint") {
            Joint joint;
            in >> joint.name >> joint.kind >> joint.cut >> joint.first >> joint.second;
            numbers(joint.R1, 9);
            numbers(joint.p1, 3);
            numbers(joint.R2, 9);
            numbers(joint.p2, 3);
            joint.drive = -1;
            m.joints.push_back(joint);
        } else if (word == "drive") {
            std::string name;
            int joint;
            in >> name >> joint;
            m.joints.at((size_t)joint).drive = (int)m.drives.size();
            m.drives.push_back(name);
        } else if (word == "spring") {
            Spring spring;
            in >> spring.first >> spring.second;
            numbers(spring.p1, 3);
            numbers(spring.p2, 3);
            numbers(&spring.stiffness, 1);
            numbers(&spring.length, 1);
            m.springs.push_back(spring);
        } else if (word == "torque") {
            m.torques.emplace_back();
            in >> m.torques.back().first >> m.torques.back().second;
        } else if (word == "track") {
            in >> m.tracked;
            numbers(m.track, 3);
        } else if (word == "report") {
            int sample;
            in >> sample;
            m.report.push_back(sample);
        } else if (word == "sample") {
            m.samples.emplace_back();
            for (const Joint &joint : m.joints) {
                m.samples.back().emplace_back(coordinate_count(joint));
                numbers(m.samples.back().back().data(), (int)coordinate_count(joint));
            }
        } else {
            in.setstate(std::ios::failbit);
        }
    }
    if (!in.eof() || m.samples.empty()) {
        std::fprintf(stderr, "%s: not a mechanism\n", path);
        std::exit(2);
    }
    return m;
}

inline double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* Seconds per sample, the best of several passes through the motion; a pass is given up after `budget` seconds and
 * counts as far as it came. */
inline double per_sample(const Mechanism &m, const std::function<void(int)> &sample, double budget = 1.0,
                         int rounds = 5) {
    double best = 1e9, begun = seconds();
    for (int round = 0; round < rounds; round++) {
        int done = 0;
        double start = seconds();
        while (done < (int)m.samples.size() && (done < 3 || seconds() - start < budget))
            sample(done++);
        best = std::min(best, (seconds() - start) / done);
        if (seconds() - begun > 3 * budget)
            break;
    }
    return best;
}

inline bool reported(const Mechanism &m, int sample) {
    return std::find(m.report.begin(), m.report.end(), sample) != m.report.end();
}

inline void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

inline void print_effort(const char *way, int sample, const std::string &drive, double value) {
    std::printf("effort %s %d %s %.17g\n", way, sample, drive.c_str(), value);
}

/* The reaction on the second body at its marker, ground axes. What a drive gives along the free axis is taken out: it
 * is an effort. */
inline void print_reaction(const char *way, int sample, const Joint &joint, const double axis[3], double force[3],
                           double torque[3]) {
    if (joint.drive >= 0) {
        double *of = joint.kind == "revolute" ? torque : force;
        double along = of[0] * axis[0] + of[1] * axis[1] + of[2] * axis[2];
        for (int k = 0; k < 3; k++)
            of[k] -= along * axis[k];
    }
    std::printf("reaction %s %d %s %.17g %.17g %.17g %.17g %.17g %.17g\n", way, sample, joint.name.c_str(), force[0],
                force[1], force[2], torque[0], torque[1], torque[2]);
}

} // namespace peers

#endif
