// Times MuJoCo's dynamics: contacts off, sensors skipped.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct {
    mjModel *model;
    mjData *data;
} Handle;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

void *mujoco_load(const char *path, char *error, int size) {
    mjModel *model = mj_loadXML(path, NULL, error, size);
    if (!model) return NULL;
    Handle *handle = mju_malloc(sizeof(Handle));
    handle->model = model;
    handle->data = mj_makeData(model);
    return handle;
}

// Writes the index of a joint into q and into v; −1 where there is none.
void mujoco_joint(const Handle *handle, const char *name, int *index) {
    int id = mj_name2id(handle->model, mjOBJ_JOINT, name);
    index[0] = id < 0 ? -1 : handle->model->jnt_qposadr[id];
    index[1] = id < 0 ? -1 : handle->model->jnt_dofadr[id];
}

// Row: q, v, and the applied forces (accelerations) or a (inverse dynamics).
static void run(const Handle *handle, int kernel, const double *row, double *result) {
    const mjModel *m = handle->model;
    mjData *d = handle->data;
    const double *v = row + m->nq, *last = v + m->nv;
    memcpy(d->qpos, row, m->nq * sizeof(double));
    memcpy(d->qvel, v, m->nv * sizeof(double));
    if (kernel == 0) {
        memcpy(d->qfrc_applied, last, m->nv * sizeof(double));
        mj_forwardSkip(m, d, mjSTAGE_NONE, 1);
        memcpy(result, d->qacc, m->nv * sizeof(double));
        return;
    }
    mj_kinematics(m, d);
    mj_comPos(m, d);
    if (kernel == 1) {
        memcpy(d->qacc, last, m->nv * sizeof(double));
        mj_comVel(m, d);
        mj_rne(m, d, 1, result);
    } else {
        mj_crb(m, d);
        mj_fullM(m, d, result);
    }
}

double mujoco_time(Handle *handle, int kernel, const double *x, int n, int stride, long calls, double *results, int n_results) {
    for (int k = 0; k < n; k++) run(handle, kernel, x + k * stride, results + k * n_results);
    double scratch[n_results], start = seconds();
    for (long i = 0, k = 0; i < calls; i++) {
        run(handle, kernel, x + k * stride, scratch);
        k = k + 1 < n ? k + 1 : 0;
    }
    return 1e9 * (seconds() - start) / calls;
}
