"""The mechanisms that are compared: all libraries get the same states, and agree before any is timed."""

import ctypes

import numpy

import model as models
import symbolic
from plugins import STATES, casadi_candidate, plugin_candidate

KERNELS = ["accelerations", "inverse dynamics", "mass matrix", "derivatives"]
# Largest difference, relative to the largest entry. Loops of Pinocchio are regularised; those of MuJoCo are springs, and are not compared.
TOLERANCE = 1e-9


def indices(function, handle, model, count):
    """Indices into q and into v of the hinges of a model, in its order."""
    found = (ctypes.c_int * count)()
    pairs = []
    for body in model.bodies:
        if body.kind != "free":
            function(handle, body.joint.encode(), found)
            assert found[0] >= 0, body.joint
            pairs.append((found[0], found[1]))
    return numpy.array(pairs).T


def rotation_of(quaternion):
    (e, x) = (quaternion[0], quaternion[1:])
    hat = numpy.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])
    return numpy.eye(3) + 2 * e * hat + 2 * hat @ hat


def check(case, candidates, expected, tolerance=TOLERANCE):
    for candidate in candidates:
        candidate.time(1)
        error = numpy.abs(candidate.comparable() - expected).max() / numpy.abs(expected).max()
        print(f"    {case}, {candidate.library} {candidate.label}: {error:.1e}", flush=True)
        assert error < tolerance, f"{case}, {candidate.library} {candidate.label}: {error:.1e}"


def robot_case(peers, name):
    path, is_free = models.urdf_of(name)
    model = models.robot(name, path, is_free)
    base = 6 if is_free else 0
    n = base + sum(body.kind != "free" for body in model.bodies)
    joints = [body.joint for body in model.bodies if body.kind != "free"]
    states = peers.mbs.states(name, 0.005)
    random = numpy.random.default_rng(1)
    states[:, -n:] = random.normal(size=(STATES, n))
    # The order of mbs: its speeds by names.
    speeds = peers.mbs.names(name, True)
    coordinates = peers.mbs.names(name, False)
    head = 7 if is_free else 0
    order = numpy.array([speeds.index(f"{joint}.rate") for joint in joints])
    order_q = numpy.array([coordinates.index(f"{joint}.angle") for joint in joints])
    assert not is_free or (speeds[0].startswith("base.") and coordinates[0].startswith("base."))
    n_q = len(coordinates)
    (q, v, a) = (states[:, :n_q], states[:, n_q : n_q + n], states[:, n_q + n :])
    everything = numpy.concatenate([numpy.arange(base), order]).astype(int)
    ours = numpy.hstack([q[:, :head], q[:, order_q], v[:, everything], a[:, everything]])
    functions = peers.build.functions(name, lambda: symbolic.robot(model))
    pinocchio, (nq, _) = peers.load_pinocchio(model)
    (at_q, at_v) = indices(peers.pinocchio.pinocchio_joint, pinocchio, model, 3)
    mujoco = peers.load_mujoco(model)
    (mujoco_q, mujoco_v) = indices(peers.mujoco.mujoco_joint, mujoco, model, 2)
    to_pinocchio = numpy.concatenate([numpy.arange(base), at_v]).astype(int)
    to_mujoco = numpy.concatenate([numpy.arange(base), mujoco_v]).astype(int)
    cases = []
    for k, kernel in enumerate(KERNELS):
        if kernel not in functions:
            continue
        expected_shape = [(n,), (n,), (n, n), (2, n, n)][k]

        def arranged(candidate, index, shape=expected_shape):
            """Results in our order: hinges as the model lists them."""

            def comparable():
                flat = candidate.results.reshape((STATES, *shape))
                flat = flat[:, index] if len(shape) == 1 else flat[..., index, :][..., index]
                return flat

            candidate.comparable = comparable
            return candidate

        mbs = arranged(peers.mbs.candidate(name, "", k, states), everything)
        all_candidates = [mbs, arranged(casadi_candidate(peers.build, peers.timer, functions[kernel], "", ours), numpy.arange(n))]
        # Pinocchio: the scalar of quaternions last, and its own order of joints.
        x = numpy.zeros((STATES, nq + 2 * n))
        if is_free:
            x[:, :3], x[:, 3:6], x[:, 6] = q[:, :3], q[:, 4:7], q[:, 3]
        x[:, at_q] = q[:, order_q]
        x[:, nq + to_pinocchio] = v[:, everything]
        if k == 1:
            x[:, nq + n + to_pinocchio] = a[:, everything]
        all_candidates.append(arranged(plugin_candidate("Pinocchio", peers.pinocchio.pinocchio_time, pinocchio, "", k, x, mbs.results.shape[1]), to_pinocchio))
        if k < 3:
            # MuJoCo: linear velocities of a base in world axes.
            x = numpy.zeros((STATES, head + len(joints) + 2 * n))
            x[:, :head] = q[:, :head]
            x[:, mujoco_q] = q[:, order_q]
            start = head + len(joints)
            x[:, start + to_mujoco] = v[:, everything]
            if k == 1:
                x[:, start + n + to_mujoco] = a[:, everything]
            if is_free:
                for row in x:
                    row[start : start + 3] = rotation_of(row[3:7]) @ row[start : start + 3]
            all_candidates.append(arranged(plugin_candidate("MuJoCo", peers.mujoco.mujoco_time, mujoco, "", k, x, mbs.results.shape[1]), to_mujoco))
        if k == 0:
            all_candidates.append(arranged(peers.mbs.engine(f"{name} engine", mbs), everything))
            all_candidates[-1].time(1)
            check(f"{name} {kernel}", all_candidates[-1:], mbs.time(1) and mbs.comparable())
        check(f"{name} {kernel}", [mbs], all_candidates[1].time(1) and all_candidates[1].comparable())
        check(f"{name} {kernel}", [c for c in all_candidates[1:] if c.library == "Pinocchio"], mbs.comparable())
        if k < 3 and not is_free:
            check(f"{name} {kernel}", [c for c in all_candidates if c.library == "MuJoCo"], mbs.comparable(), 1e-7)
        elif k == 0:
            # Accelerations of hinges do not depend on the components of those of the base.
            candidate = all_candidates[-1]
            candidate.time(1)
            error = numpy.abs(candidate.comparable()[:, 6:] - mbs.comparable()[:, 6:]).max() / numpy.abs(mbs.comparable()[:, 6:]).max()
            print(f"    {name} {kernel}, MuJoCo: {error:.1e}", flush=True)
            assert error < 1e-7, f"{name}: MuJoCo {error:.1e}"
        cases.append((name, kernel, all_candidates))
    return cases


def linkage_case(peers, name):
    """Accelerations in several coordinates at states of one run in body coordinates; angular accelerations of all bodies are compared."""
    model = models.LINKAGES[name]()
    n = len(model.bodies)
    body = peers.mbs.states(f"{name} body", 0.002)
    names = peers.mbs.names(f"{name} body", False)
    absolute = numpy.array([[names.index(f"{b.name}.{part}") for part in ("x", "y", "angle")] for b in model.bodies])
    (q, v) = (body[:, : 3 * n], body[:, 3 * n : 6 * n])
    place = {b.name: k for k, b in enumerate(model.bodies)}

    def relative(values):
        """Coordinates of the tree from those of bodies."""
        columns = []
        for k, b in enumerate(model.bodies):
            if b.kind == "prismatic":
                columns.append(values[:, absolute[k, 0]])
            else:
                own = values[:, absolute[k, 2]]
                columns.append(own if b.parent is None else own - values[:, absolute[place[b.parent], 2]])
        return numpy.array(columns).T

    (tree_q, tree_v) = (relative(q), relative(v))
    candidates = []

    def add(candidate, angular):
        candidate.comparable = angular
        candidates.append(candidate)

    first = peers.mbs.candidate(f"{name} body", "body", 0, body)
    add(first, lambda: first.results[:, absolute[:, 2]])
    # Our joint coordinates may have another order, but the same tree.
    item = {"revolute": ("angle", "rate"), "prismatic": ("position", "speed")}
    found = peers.mbs.names(f"{name} joint", False)
    wanted = [f"{b.joint}.{item[b.kind][0]}" for b in model.bodies]
    assert sorted(found) == sorted(wanted), f"{name}: {found}, not {wanted}"
    order = [wanted.index(x) for x in found]
    joint = peers.mbs.candidate(f"{name} joint", "joint", 0, numpy.hstack([tree_q[:, order], tree_v[:, order], 0 * tree_v]))

    def absolute_of_tree(results):
        angular = {}
        for k, b in enumerate(model.bodies):
            own = 0.0 if b.kind == "prismatic" else results[:, k]
            angular[b.name] = own + (angular[b.parent] if b.parent is not None else 0.0) + 0 * results[:, 0]
        return numpy.array([angular[b.name] for b in model.bodies]).T

    inverse = numpy.argsort(order)
    add(joint, lambda: absolute_of_tree(joint.results[:, inverse]))
    natural_states = peers.mbs.states(f"{name} natural", 0.002)
    natural = peers.mbs.candidate(f"{name} natural", "natural", 0, natural_states)
    natural.comparable = None
    candidates.append(natural)
    for generated in (first, joint, natural):
        candidates.append(peers.mbs.engine(f"{name} engine {generated.label}", generated))
    functions = peers.build.functions(name, lambda: symbolic.linkages(model))
    tree = casadi_candidate(peers.build, peers.timer, functions["joint"], "tree", numpy.hstack([tree_q, tree_v]))
    add(tree, lambda: absolute_of_tree(tree.results))
    # Cartesian coordinates are those of centres of mass.
    (centers, velocities) = (numpy.zeros((STATES, 3 * n)), numpy.zeros((STATES, 3 * n)))
    for k, b in enumerate(model.bodies):
        (x, y, angle) = absolute[k]
        (s, c) = (numpy.sin(q[:, angle]), numpy.cos(q[:, angle]))
        arm = numpy.array([c * b.center[0] - s * b.center[1], s * b.center[0] + c * b.center[1]])
        centers[:, 3 * k], centers[:, 3 * k + 1], centers[:, 3 * k + 2] = q[:, x] + arm[0], q[:, y] + arm[1], q[:, angle]
        velocities[:, 3 * k], velocities[:, 3 * k + 1] = v[:, x] - arm[1] * v[:, angle], v[:, y] + arm[0] * v[:, angle]
        velocities[:, 3 * k + 2] = v[:, angle]
    if "body" in functions:
        cartesian = casadi_candidate(peers.build, peers.timer, functions["body"], "Cartesian", numpy.hstack([centers, velocities]))
        add(cartesian, lambda: cartesian.results[:, 2::3])
    loads = functions["loads"]
    forces = numpy.array([numpy.array(loads(row)).ravel() for row in numpy.hstack([tree_q, tree_v])])
    (handle, (nq, nv)) = peers.load_pinocchio(model)
    (at_q, at_v) = indices(peers.pinocchio.pinocchio_joint, handle, model, 3)
    x = numpy.zeros((STATES, nq + 2 * nv))
    x[:, at_q], x[:, nq + at_v], x[:, nq + nv + at_v] = tree_q, tree_v, forces
    pinocchio = plugin_candidate("Pinocchio", peers.pinocchio.pinocchio_time, handle, "", 0, x, nv)
    add(pinocchio, lambda: absolute_of_tree(pinocchio.results[:, at_v]))
    handle = peers.load_mujoco(model)
    (at_q2, at_v2) = indices(peers.mujoco.mujoco_joint, handle, model, 2)
    x = numpy.zeros((STATES, 3 * n))
    x[:, at_q2], x[:, n + at_v2], x[:, 2 * n + at_v2] = tree_q, tree_v, forces
    mujoco = plugin_candidate("MuJoCo", peers.mujoco.mujoco_time, handle, "soft loops" if model.loops else "", 0, x, n)
    add(mujoco, lambda: absolute_of_tree(mujoco.results[:, at_v2]))
    first.time(1)
    expected = first.comparable().copy()
    for candidate in candidates[1:]:
        if candidate.library == "engine":
            candidate.generated.time(1)
            check(name, [candidate], candidate.generated.results)
            continue
        if candidate.comparable is None or (candidate.library == "MuJoCo" and model.loops):
            candidate.time(1)
            continue
        check(name, [candidate], expected, 1e-6 if candidate.library == "Pinocchio" and model.loops else TOLERANCE)
    return [(name, "accelerations", candidates)]


class Leg:
    """Coordinates of a leg of the Stewart platform in mbs: two angles and a length, with their speeds."""

    def __init__(self, i, coordinates, speeds):
        joints = [f"foot[{i}].q[0]", f"foot[{i}].q[1]"]
        rates = [f"foot[{i}].u[0]", f"foot[{i}].u[1]"]
        if joints[0] not in coordinates:
            (joints, rates) = ([f"tilt[{i}].angle", f"lean[{i}].angle"], [f"tilt[{i}].rate", f"lean[{i}].rate"])
        self.q = [coordinates.index(x) for x in [*joints, f"slide[{i}].position"]]
        self.v = [speeds.index(x) for x in [*rates, f"slide[{i}].speed"]]


def stewart_states(peers, case, model):
    """The model's q and v at states of mbs, and the indices of the speeds of legs in mbs."""
    (coordinates, speeds) = (peers.mbs.names(case, False), peers.mbs.names(case, True))
    states = peers.mbs.states(case, 0.002)
    legs = [Leg(i, coordinates, speeds) for i in range(6)]
    # The leg that carries the platform in mbs.
    k = next(i for i in range(6) if f"ball[{i}].q[0]" in coordinates)
    (ball_q, ball_v) = (coordinates.index(f"ball[{k}].q[0]"), speeds.index(f"ball[{k}].u[0]"))
    place = numpy.array(model.body(f"cross[{k}]").place)
    top = numpy.array(model.loops[k].points[1])
    rows = []
    for state in states:
        (q, v) = (state[: len(coordinates)], state[len(coordinates) : len(coordinates) + len(speeds)])
        (first, second, length) = q[legs[k].q]
        (c1, s1, c2, s2) = (numpy.cos(first), numpy.sin(first), numpy.cos(second), numpy.sin(second))
        lean = numpy.array([[c2, 0, s2], [0, 1, 0], [-s2, 0, c2]])
        leg = numpy.array([[1, 0, 0], [0, c1, -s1], [0, s1, c1]]) @ lean
        relative = rotation_of(q[ball_q : ball_q + 4])
        attitude = leg @ relative
        origin = place + leg @ [0, 0, length] - attitude @ top
        spin = lean.T @ [v[legs[k].v[0]], 0, 0] + [0, v[legs[k].v[1]], 0]
        velocity = leg @ (numpy.cross(spin, [0, 0, length]) + [0, 0, v[legs[k].v[2]]])
        turn = relative.T @ spin + v[ball_v : ball_v + 3]
        linear = attitude.T @ velocity - numpy.cross(turn, top)
        quaternion = quaternion_of(attitude)
        all_q, all_v = numpy.concatenate([q[leg.q] for leg in legs]), numpy.concatenate([v[leg.v] for leg in legs])
        rows.append(numpy.concatenate([origin, quaternion, all_q, linear, turn, all_v]))
    return states, numpy.array(rows), numpy.concatenate([leg.v for leg in legs])


def quaternion_of(rotation):
    """The unit quaternion of a rotation of less than half a revolution, scalar first."""
    scalar = 0.5 * numpy.sqrt(1 + numpy.trace(rotation))
    axial = [rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]]
    return numpy.array([scalar, *(numpy.array(axial) / (4 * scalar))])


def bricard_states(peers, case, model):
    states, n = peers.mbs.states(case, 0.002), len(model.bodies)
    found = peers.mbs.names(case, False)
    order = numpy.array([found.index(f"{body.joint}.angle") for body in model.bodies])
    return states, numpy.hstack([states[:, :n][:, order], states[:, n : 2 * n][:, order]]), order


def spatial_case(peers, name):
    """Accelerations of the joints of the tree in joint coordinates at states of one run."""
    model = models.SPATIAL_LINKAGES[name]()
    make = stewart_states if name == "stewart" else bricard_states
    head, base = (7, 6) if model.is_free else (0, 0)
    n = base + sum(body.kind != "free" for body in model.bodies)
    (states, rows, at) = make(peers, f"{name} joint", model)
    candidates = [peers.mbs.candidate(f"{name} joint", "joint", 0, states)]
    candidates[0].comparable = lambda: candidates[0].results[:, at]
    if name == "stewart":
        (crossed_states, _, crossed_at) = make(peers, "stewart_crosses joint", model)
        crosses = peers.mbs.candidate("stewart_crosses joint", "crosses", 0, crossed_states)
        crosses.comparable = lambda: crosses.results[:, crossed_at]
        candidates.append(crosses)
    for generated in list(candidates):
        engine = peers.mbs.engine(f"{name}{'_crosses' * (generated.label == 'crosses')} engine joint", generated)
        engine.comparable = lambda engine=engine, index=crossed_at if generated.label == "crosses" else at: engine.results[:, index]
        candidates.append(engine)
    functions = peers.build.functions(name, lambda: {"tree": symbolic.closed(model, rows)})
    tree = casadi_candidate(peers.build, peers.timer, functions["tree"], "tree", rows)
    tree.comparable = lambda: tree.results[:, base:]
    (q, v) = (rows[:, :-n], rows[:, -n:])
    (handle, (nq, nv)) = peers.load_pinocchio(model)
    (at_q, at_v) = indices(peers.pinocchio.pinocchio_joint, handle, model, 3)
    x = numpy.zeros((STATES, nq + 2 * nv))
    if model.is_free:
        x[:, :3], x[:, 3:6], x[:, 6], x[:, nq : nq + 6] = q[:, :3], q[:, 4:7], q[:, 3], v[:, :6]
    x[:, at_q], x[:, nq + at_v] = q[:, head:], v[:, base:]
    pinocchio = plugin_candidate("Pinocchio", peers.pinocchio.pinocchio_time, handle, "", 0, x, nv)
    pinocchio.comparable = lambda: pinocchio.results[:, at_v]
    handle = peers.load_mujoco(model)
    (at_q, at_v2) = indices(peers.mujoco.mujoco_joint, handle, model, 2)
    x = numpy.zeros((STATES, head + n - base + 2 * n))
    start = head + n - base
    x[:, :head], x[:, at_q], x[:, start + at_v2] = q[:, :head], q[:, head:], v[:, base:]
    for row, state, speeds in zip(x, q, v):
        if model.is_free:
            row[start : start + 3], row[start + 3 : start + 6] = rotation_of(state[3:7]) @ speeds[:3], speeds[3:6]
    mujoco = plugin_candidate("MuJoCo", peers.mujoco.mujoco_time, handle, "soft loops", 0, x, n)
    mujoco.time(1)
    candidates[0].time(1)
    expected = candidates[0].comparable().copy()
    check(name, candidates[1:], expected)
    check(name, [tree], expected)
    check(name, [pinocchio], expected, 1e-6)
    return [(name, "accelerations", [*candidates, tree, pinocchio, mujoco])]
