/* Inverse and forward dynamics with Roberval's RbvTree and RbvLinkage: arrays in, arrays out.
 *
 *   roberval_arrays FILE MODEL      FILE, MODEL: a mechanism as run writes it
 *
 * Ways:
 *   tree, batch                  rbv_tree_inverse, one sample a call, or all in one call by number; efforts alone
 *   forward, forward-batch       rbv_tree_forward likewise, where the file has efforts
 *   linkage                      loops: rbv_linkage_inverse from the motion of the drives alone, positions from the
 * last sample; it computes reactions, too, and audits; efforts are printed */
#include "mechanism.h"

#include <roberval/roberval.h>

namespace {

/* w x y z of a rotation matrix, by its largest component; of any length. */
void quaternion(const double R[9], double q[4]) {
    const double *x = R, *y = R + 3, *z = R + 6;
    const double table[4][4] = {{1 + x[0] + y[1] + z[2], z[1] - y[2], x[2] - z[0], y[0] - x[1]},
                                {z[1] - y[2], 1 + x[0] - y[1] - z[2], x[1] + y[0], x[2] + z[0]},
                                {x[2] - z[0], x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1]},
                                {y[0] - x[1], x[2] + z[0], y[2] + z[1], 1 - x[0] - y[1] + z[2]}};
    int best = 0;
    for (int k = 1; k < 4; k++)
        best = table[k][k] > table[best][best] ? k : best;
    std::copy(table[best], table[best] + 4, q);
}

RbvTree *create(const peers::Mechanism &m) {
    std::vector<RbvTreeBody> bodies;
    for (const peers::Joint &joint : m.joints) {
        const peers::Body &body = m.bodies[(size_t)joint.second];
        peers::Hung at = peers::hung(m, joint);
        RbvTreeBody made = rbv_tree_body_default;
        made.name = body.name.c_str();
        made.parent = joint.first;
        made.joint = RBV_TREE_REVOLUTE;
        made.mass = body.mass;
        quaternion(at.turn, made.turn);
        std::copy(at.place, at.place + 3, made.place);
        std::copy(at.axis, at.axis + 3, made.axis);
        std::copy(at.centroid, at.centroid + 3, made.centre);
        std::copy(body.inertia, body.inertia + 6, made.inertia);
        bodies.push_back(made);
    }
    RbvTree *tree = nullptr;
    if (rbv_tree_create((int32_t)bodies.size(), bodies.data(), m.gravity, nullptr, &tree) != RBV_OK)
        throw std::runtime_error("it does not take the tree");
    return tree;
}

/* Numbers of all samples: of each sample together, and of each joint together, as batches want them. */
struct Table {
    size_t samples, joints;
    std::vector<double> by_sample, by_number;

    explicit Table(const peers::Mechanism &m)
        : samples(m.samples.size()), joints(m.joints.size()), by_sample(samples * joints), by_number(by_sample) {
    }
    Table(const peers::Mechanism &m, const std::function<double(size_t, size_t)> &of) : Table(m) {
        for (size_t s = 0; s < samples; s++)
            for (size_t j = 0; j < joints; j++)
                by_sample[s * joints + j] = by_number[j * samples + s] = of(s, j);
    }
    double *at(int sample) {
        return by_sample.data() + (size_t)sample * joints;
    }
};

/* `call` takes a batch and the places of three inputs and the output. */
using Call = std::function<RbvStatus(const RbvTreeBatch *, double *, double *, double *, double *)>;

void run(const peers::Mechanism &m, const char *what, const char *way, const char *many, Table &q, Table &v, Table &in,
         const Call &call) {
    Table out(m);
    bool one = peers::measure(m, way, [&](int s) { call(nullptr, q.at(s), v.at(s), in.at(s), out.at(s)); });
    bool all = peers::measure_passes(m, many, [&](int count) {
        RbvTreeBatch batch = {count, RBV_BY_NUMBER, 1};
        call(&batch, q.by_number.data(), v.by_number.data(), in.by_number.data(), out.by_number.data());
        return count;
    });
    if (!one || !all)
        return;
    for (int s : m.report) {
        peers::print_joints(m, what, way, s, [&](int j) { return out.at(s)[j]; });
        peers::print_joints(m, what, many, s,
                            [&](int j) { return out.by_number[(size_t)j * out.samples + (size_t)s]; });
    }
}

void run_tree(const peers::Mechanism &m) {
    auto part = [&m](size_t k) { return Table(m, [&m, k](size_t s, size_t j) { return m.samples[s][j][k]; }); };
    RbvTree *tree = create(m);
    RbvTreeWorkspace *work = nullptr;
    if (rbv_tree_workspace_create(tree, 1, &work) != RBV_OK)
        throw std::runtime_error("no workspace");
    Table q = part(0), v = part(1), a = part(2);
    run(m, "effort", "tree", "batch", q, v, a,
        [&](const RbvTreeBatch *batch, double *of_q, double *of_v, double *of_a, double *tau) {
            return rbv_tree_inverse(tree, work, batch, of_q, of_v, of_a, nullptr, tau, nullptr);
        });
    if (!m.efforts.empty()) {
        Table efforts(m, [&m](size_t s, size_t j) { return m.efforts[s][j]; });
        run(m, "acceleration", "forward", "forward-batch", q, v, efforts,
            [&](const RbvTreeBatch *batch, double *of_q, double *of_v, double *tau, double *of_a) {
                return rbv_tree_forward(tree, work, batch, of_q, of_v, tau, nullptr, of_a);
            });
    }
    rbv_tree_workspace_destroy(work);
    rbv_tree_destroy(tree);
}

/* The linkage drives what the model drives, in the order of its drives. */
void run_linkage(const peers::Mechanism &m, const char *path) {
    RbvInput input = {};
    input.path = path;
    RbvModel *model = nullptr;
    RbvTree *tree = nullptr;
    RbvLinkage *linkage = nullptr;
    RbvLinkageWorkspace *work = nullptr;
    if (rbv_model_read(&input, nullptr, &model) != RBV_OK ||
        rbv_linkage_from_model(model, nullptr, &tree, &linkage) != RBV_OK ||
        rbv_linkage_workspace_create(linkage, 1, &work) != RBV_OK)
        throw std::runtime_error("it does not take the linkage");
    size_t count = m.drives.size();
    std::vector<double> start((size_t)rbv_tree_q_count(tree)), q(count), v(count), a(count), efforts(count);
    std::vector<double> reactions(6 * (size_t)rbv_tree_body_count(tree)), closing(6 * m.joints.size());
    auto sample_at = [&](int sample) {
        RbvStatus status = RBV_OK;
        if (sample == 0) {
            rbv_linkage_origin(linkage, start.data());
            status = rbv_linkage_start(linkage, work, start.data());
        }
        for (size_t j = 0; j < m.joints.size(); j++)
            if (m.joints[j].drive >= 0) {
                const std::vector<double> &at = m.samples[(size_t)sample][j];
                size_t k = (size_t)m.joints[j].drive;
                q[k] = at[0], v[k] = at[1], a[k] = at[2];
            }
        if (status == RBV_OK)
            status = rbv_linkage_inverse(linkage, work, nullptr, q.data(), v.data(), a.data(), nullptr, efforts.data(),
                                         reactions.data(), closing.data(), nullptr, nullptr);
        if (status != RBV_OK)
            throw std::runtime_error("it does not follow the motion");
    };
    if (!peers::measure(m, "linkage", sample_at))
        return;
    for (int sample = 0; sample <= m.report.back(); sample++) {
        sample_at(sample);
        for (size_t k = 0; k < count && peers::reported(m, sample); k++)
            peers::print_effort("linkage", sample, m.drives[k], efforts[k]);
    }
    rbv_linkage_workspace_destroy(work);
    rbv_linkage_destroy(linkage);
    rbv_tree_destroy(tree);
    rbv_model_destroy(model);
}

} // namespace

int main(int count, char **words) {
    if (count != 3)
        return 2;
    peers::Mechanism m = peers::read(words[1]);
    try {
        if (peers::simple(m))
            run_tree(m);
        else if (!m.tree())
            run_linkage(m, words[2]);
    } catch (const std::exception &why) {
        std::fprintf(stderr, "roberval_arrays: %s\n", why.what());
        return 1;
    }
    return 0;
}
