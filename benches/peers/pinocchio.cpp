// Times Pinocchio's algorithms: trees by its recursions, loops by its constrained dynamics.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <chrono>
#include <string>

using namespace pinocchio;
using Vector = Eigen::VectorXd;
using Rows = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

struct Handle {
    Model model;
    Data data;
    std::vector<RigidConstraintModel> constraints;
    std::vector<RigidConstraintData> constraint_data;
    ProximalSettings settings{1e-14, 1e-12, 10};
    Vector q, v, last;
};

extern "C" {

void *pinocchio_new(const double *gravity) {
    auto *handle = new Handle;
    handle->model.gravity.linear() = Eigen::Map<const Eigen::Vector3d>(gravity);
    return handle;
}

// Adds a body behind a joint at `place` on the body behind the joint `parent` (0: the world), with the rotation `frame` in rows. Kinds: 0 free, 1 revolute, 2
// prismatic. The inertia is about the centre of mass, in rows. Returns the index of the joint.
int pinocchio_add(Handle *handle, int parent, int kind, const double *axis, const double *place, const double *frame, const char *name, double mass, const double *center, const double *inertia) {
    using Matrix = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
    const Eigen::Vector3d along = Eigen::Map<const Eigen::Vector3d>(axis);
    JointModel joint = JointModelFreeFlyer();
    const auto is = [&along](int k) { return along == Eigen::Vector3d::Unit(k); };
    if (kind == 1) {
        joint = is(0) ? JointModel(JointModelRX()) : is(1) ? JointModel(JointModelRY()) : is(2) ? JointModel(JointModelRZ()) : JointModel(JointModelRevoluteUnaligned(along));
    } else if (kind == 2) {
        joint = is(0) ? JointModel(JointModelPX()) : is(1) ? JointModel(JointModelPY()) : is(2) ? JointModel(JointModelPZ()) : JointModel(JointModelPrismaticUnaligned(along));
    }
    const auto index = handle->model.addJoint(parent, joint, SE3(Matrix(frame), Eigen::Map<const Eigen::Vector3d>(place)), name);
    handle->model.appendBodyToJoint(index, Inertia(mass, Eigen::Map<const Eigen::Vector3d>(center), Eigen::Matrix3d(Matrix(inertia))), SE3::Identity());
    return static_cast<int>(index);
}

void pinocchio_finish(Handle *handle) {
    handle->data = Data(handle->model);
    handle->q = Vector::Zero(handle->model.nq);
    handle->v = handle->last = Vector::Zero(handle->model.nv);
}

void pinocchio_sizes(const Handle *handle, int *sizes) {
    sizes[0] = handle->model.nq;
    sizes[1] = handle->model.nv;
}

// Writes the index of a joint into q and into v, and its number of coordinates; −1 where there is none.
void pinocchio_joint(const Handle *handle, const char *name, int *index) {
    index[0] = index[1] = index[2] = -1;
    if (!handle->model.existJointName(name)) return;
    const auto &joint = handle->model.joints[handle->model.getJointId(name)];
    index[0] = joint.idx_q();
    index[1] = joint.idx_v();
    index[2] = joint.nq();
}

// Two points that coincide, on bodies behind these joints; `universe` is the world.
void pinocchio_loop(Handle *handle, const char *first, const double *p, const char *second, const double *r) {
    const auto &model = handle->model;
    const auto at = [](const double *x) { return SE3(Eigen::Matrix3d::Identity(), Eigen::Map<const Eigen::Vector3d>(x)); };
    handle->constraints.emplace_back(CONTACT_3D, model, model.getJointId(first), at(p), model.getJointId(second), at(r), LOCAL);
    handle->constraint_data.emplace_back(handle->constraints.back());
    initConstraintDynamics(handle->model, handle->data, handle->constraints, handle->constraint_data);
}

static void run(Handle *h, int kernel, const double *row, double *result) {
    const int nq = h->model.nq, nv = h->model.nv;
    h->q = Eigen::Map<const Vector>(row, nq);
    h->v = Eigen::Map<const Vector>(row + nq, nv);
    h->last = Eigen::Map<const Vector>(row + nq + nv, nv);
    switch (kernel) {
    case 0:
        if (h->constraints.empty()) {
            Eigen::Map<Vector>(result, nv) = aba(h->model, h->data, h->q, h->v, h->last);
        } else {
            Eigen::Map<Vector>(result, nv) = constraintDynamics(h->model, h->data, h->q, h->v, h->last, h->constraints, h->constraint_data, h->settings);
        }
        break;
    case 1:
        Eigen::Map<Vector>(result, nv) = rnea(h->model, h->data, h->q, h->v, h->last);
        break;
    case 2:
        crba(h->model, h->data, h->q);
        h->data.M.triangularView<Eigen::StrictlyLower>() = h->data.M.transpose().triangularView<Eigen::StrictlyLower>();
        Rows(result, nv, nv) = h->data.M;
        break;
    default:
        computeABADerivatives(h->model, h->data, h->q, h->v, h->last);
        Rows(result, nv, nv) = h->data.ddq_dq;
        Rows(result + nv * nv, nv, nv) = h->data.ddq_dv;
    }
}

double pinocchio_time(Handle *handle, int kernel, const double *x, int n, int stride, long calls, double *results, int n_results) {
    for (int k = 0; k < n; k++) run(handle, kernel, x + k * stride, results + k * n_results);
    std::vector<double> scratch(n_results);
    const auto start = std::chrono::steady_clock::now();
    for (long i = 0, k = 0; i < calls; i++) {
        run(handle, kernel, x + k * stride, scratch.data());
        k = k + 1 < n ? k + 1 : 0;
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    return time.count() / calls;
}
}
