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
    std::vector<std::vector<double>> efforts; /* [sample][joint], where forward dynamics is asked for, too */

    /* The largest number of bodies from the ground outwards. */
    int depth() const {
        std::vector<int> of(bodies.size(), 0);
        for (const Joint &joint : joints)
            if (!joint.cut)
                of[(size_t)joint.second] = 1 + (joint.first < 0 ? 0 : of[(size_t)joint.first]);
        return *std::max_element(of.begin(), of.end());
    }
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
        } else if (word == "efforts") {
            m.efforts.emplace_back(m.joints.size());
            numbers(m.efforts.back().data(), (int)m.joints.size());
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

/* A joint and its second body where the body's frame is to lie at the joint: moved to the marker, its axes as they are.
 */
struct Hung {
    double turn[9], place[3]; /* the frame at position 0 in that of the first body, which has been moved, too */
    double axis[3], centroid[3];
};

inline Hung hung(const Mechanism &m, const Joint &joint) {
    Hung out;
    const double *moved = nullptr;
    for (const Joint &other : m.joints)
        if (other.second == joint.first)
            moved = other.p2;
    for (int i = 0; i < 3; i++) {
        out.place[i] = joint.p1[i] - (moved ? moved[i] : 0);
        out.axis[i] = joint.R2[3 * i + 2];
        out.centroid[i] = m.bodies[(size_t)joint.second].centroid[i] - joint.p2[i];
        for (int k = 0; k < 3; k++) {
            out.turn[3 * i + k] = 0;
            for (int l = 0; l < 3; l++)
                out.turn[3 * i + k] += joint.R1[3 * i + l] * joint.R2[3 * k + l];
        }
    }
    return out;
}

/* An open tree of revolutes, all of them driven, in the order of their second bodies. */
inline bool simple(const Mechanism &m) {
    for (size_t j = 0; j < m.joints.size(); j++)
        if (m.joints[j].cut || m.joints[j].drive < 0 || m.joints[j].kind != "revolute" || m.joints[j].second != (int)j)
            return false;
    return true;
}

inline double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* Print the seconds of a sample by `way`: the best of several passes through the motion. A pass computes the first
 * `count` samples, or fewer, and returns how many. With PEERS_COUNT="WAY COUNT" in the environment: one pass of COUNT
 * samples by WAY, and the end of the program; by another way nothing, and false. */
inline bool measure_passes(const Mechanism &m, const char *way, const std::function<int(int)> &pass) {
    if (const char *requested = std::getenv("PEERS_COUNT")) {
        std::string of = std::string(way) + " ";
        if (of.compare(0, of.size(), requested, of.size()) != 0)
            return false;
        pass(std::min(std::atoi(requested + of.size()), (int)m.samples.size()));
        std::exit(0);
    }
    double best = 1e9, begun = seconds();
    for (int round = 0; seconds() - begun < (round < 5 ? 3 : 0.1); round++) {
        double start = seconds();
        int done = pass((int)m.samples.size());
        best = std::min(best, (seconds() - start) / done);
    }
    std::printf("time %s %.9g\n", way, best);
    return true;
}

/* The same of a function that computes one sample; a measured pass is given up after a second. */
inline bool measure(const Mechanism &m, const char *way, const std::function<void(int)> &sample) {
    double most = std::getenv("PEERS_COUNT") ? HUGE_VAL : 1;
    return measure_passes(m, way, [&](int count) {
        double start = seconds();
        int done = 0;
        while (done < count && (done < 3 || done % 10 || seconds() - start < most))
            sample(done++);
        return done;
    });
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

/* What a program found for the joints of a tree, a number each: efforts, or accelerations. */
inline void print_joints(const Mechanism &m, const char *what, const char *way, int sample,
                         const std::function<double(int)> &of) {
    for (size_t j = 0; j < m.joints.size(); j++)
        std::printf("%s %s %d %s %.17g\n", what, way, sample, m.drives[(size_t)m.joints[j].drive].c_str(), of((int)j));
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
