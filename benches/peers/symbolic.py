"""What a careful user of CasADi writes: dynamics of trees by recursion and of linkages by Schur complements, as C code.

Spatial recursions: Featherstone (2008), Rigid Body Dynamics Algorithms, tables 5.1, 6.2 and 7.1, in the axes of the bodies. Each function has one row of
numbers as its argument and one as its result.
"""

import casadi
import numpy
from casadi import SX, cross, jacobian, ldl, ldl_solve, mtimes, skew, vertcat


def solved(matrix, right):
    """The solution of a symmetric system by a sparse L D Lᵀ in an order of minimum degree."""
    return ldl_solve(right, *ldl(casadi.sparsify(matrix), True))


def symmetric(matrix):
    """The matrix by its upper triangle, so that the lower one is not computed."""
    return casadi.triu2symm(casadi.triu(casadi.sparsify(matrix)))


# Trees in space


def turned(axis, angle):
    """The rotation about a unit axis; sine and cosine alone where the axis is one of the coordinates."""
    (s, c) = (casadi.sin(angle), casadi.cos(angle))
    hat = numpy.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    # Zeros and ones that are exact are folded.
    identity, square = SX(numpy.eye(3)), hat @ hat
    return identity + SX(hat) * s + SX(square) * (1 - c)


class Tree:
    """Symbols of a robot and its kinematics. v and a of a free base are its twist and the rates of its components, linear part first."""

    def __init__(self, model):
        self.model = model
        hinges = [body for body in model.bodies if body.kind != "free"]
        self.base = 6 if model.is_free else 0
        self.n = self.base + len(hinges)
        # Position, and quaternion with the scalar first.
        self.root = SX.sym("root", 7 if model.is_free else 0)
        self.angles = SX.sym("q", len(hinges))
        self.q = vertcat(self.root, self.angles)
        (self.v, self.a) = (SX.sym("v", self.n), SX.sym("a", self.n))
        gravity = self.world_gravity = SX(numpy.array(model.gravity))
        # Gravity in the axes of the base is the only trace of its attitude.
        self.gravity = SX.sym("g", 3) if model.is_free else gravity
        if model.is_free:
            (e, x) = (self.root[3], self.root[4:7])
            self.gravity_of_attitude = gravity - 2 * e * cross(x, gravity) + 2 * cross(x, cross(x, gravity))
        self.index = {body.name: i for i, body in enumerate(model.bodies)}
        self.parent = [None if body.parent is None else self.index[body.parent] for body in model.bodies]
        self.speed = []
        at = self.base
        for body in model.bodies:
            self.speed.append(None if body.kind == "free" else at)
            at += body.kind != "free"
        (self.rotations, self.places) = ([], [])
        for i, body in enumerate(model.bodies):
            if body.kind == "free":
                (rotation, place) = (SX(numpy.eye(3)), SX.zeros(3))
            else:
                angle, frame = self.angles[self.speed[i] - self.base], SX(body.frame)
                (rotation, place) = (frame, SX(numpy.array(body.place)))
                if body.kind == "revolute":
                    rotation = mtimes(frame, turned(body.axis, angle))
                else:
                    place = place + mtimes(frame, SX(numpy.array(body.axis))) * angle
            # From the body to its parent.
            self.rotations.append(rotation)
            self.places.append(place)

    def inverse_dynamics(self, a):
        """M a + bias by the recursive Newton–Euler algorithm."""
        (model, v) = (self.model, self.v)
        motions, forces = [], []
        for i, body in enumerate(model.bodies):
            (axis, center, tensor) = (SX(numpy.array(body.axis)), SX(numpy.array(body.center)), SX(body.inertia))
            if body.kind == "free":
                (w, alpha) = (v[3:6], a[3:6])
                origin = a[0:3] + cross(w, v[0:3]) - self.gravity
            else:
                (w, alpha, origin) = (SX.zeros(3), SX.zeros(3), -self.world_gravity)
                if self.parent[i] is not None:
                    (w, alpha, origin) = motions[self.parent[i]]
                back, place = self.rotations[i].T, self.places[i]
                origin = mtimes(back, origin + cross(alpha, place) + cross(w, cross(w, place)))
                (w, alpha) = (mtimes(back, w), mtimes(back, alpha))
                (speed, acceleration) = (v[self.speed[i]], a[self.speed[i]])
                if body.kind == "revolute":
                    alpha = alpha + axis * acceleration + cross(w, axis * speed)
                    w = w + axis * speed
                else:
                    origin = origin + axis * acceleration + 2 * cross(w, axis * speed)
            motions.append((w, alpha, origin))
            force = body.mass * (origin + cross(alpha, center) + cross(w, cross(w, center)))
            moment = mtimes(tensor, alpha) + cross(w, mtimes(tensor, w)) + cross(center, force)
            forces.append([force, moment])
        result = SX.zeros(self.n)
        for i in reversed(range(len(model.bodies))):
            (body, (force, moment)) = (model.bodies[i], forces[i])
            axis = SX(numpy.array(body.axis))
            if body.kind == "free":
                result[0:6] = vertcat(force, moment)
                continue
            result[self.speed[i]] = casadi.dot(axis, moment if body.kind == "revolute" else force)
            if self.parent[i] is not None:
                force = mtimes(self.rotations[i], force)
                forces[self.parent[i]][0] += force
                forces[self.parent[i]][1] += mtimes(self.rotations[i], moment) + cross(self.places[i], force)
        return result

    def subspace(self, i):
        """Angular and linear part of a body's speeds, 6 × 1, or 6 × 6 of a free one."""
        body = self.model.bodies[i]
        axis = SX(numpy.array(body.axis))
        return vertcat(axis, SX.zeros(3)) if body.kind == "revolute" else vertcat(SX.zeros(3), axis)

    def blocks(self, i):
        """Rotation and translation of motions (ω, v) from the parent to the body, in this order: their sparsity is that of the joint."""
        back = casadi.sparsify(self.rotations[i].T)
        hat = casadi.sparsify(skew(self.places[i]))
        return casadi.diagcat(back, back), casadi.blockcat([[SX.eye(3), SX(3, 3)], [-hat, SX.eye(3)]])

    def moved(self, i, motion):
        """A motion of the parent in the frame of the body."""
        (turn, shift) = self.blocks(i)
        return mtimes(turn, mtimes(shift, motion))

    def carried(self, i, force):
        """A force on the body in the frame of the parent."""
        (turn, shift) = self.blocks(i)
        return mtimes(shift.T, mtimes(turn.T, force))

    def carried_inertia(self, i, inertia):
        """An inertia of the body in the frame of the parent."""
        (turn, shift) = self.blocks(i)
        turned_inertia = symmetric(mtimes(turn.T, mtimes(inertia, turn)))
        return symmetric(mtimes(shift.T, mtimes(turned_inertia, shift)))

    def inertia(self, body):
        """The matrix of (ω, v) at the body's origin."""
        hat = skew(SX(numpy.array(body.center)))
        tensor = SX(body.inertia) + body.mass * mtimes(hat, hat.T)
        return vertcat(casadi.horzcat(tensor, body.mass * hat), casadi.horzcat(body.mass * hat.T, body.mass * SX.eye(3)))

    def mass_matrix(self):
        """M by the composite rigid-body algorithm."""
        bodies, mass = self.model.bodies, SX(self.n, self.n)
        composite = [casadi.sparsify(self.inertia(body)) for body in bodies]
        for i in reversed(range(len(bodies))):
            if bodies[i].kind == "free":
                order = [3, 4, 5, 0, 1, 2]
                mass[0:6, 0:6] = composite[i][order, order]
                continue
            if self.parent[i] is not None:
                composite[self.parent[i]] += self.carried_inertia(i, composite[i])
            (k, force, j) = (self.speed[i], mtimes(composite[i], casadi.sparsify(self.subspace(i))), i)
            mass[k, k] = mtimes(self.subspace(i).T, force)
            while self.parent[j] is not None:
                force = self.carried(j, force)
                j = self.parent[j]
                if bodies[j].kind == "free":
                    wrench = vertcat(force[3:6], force[0:3])
                    mass[0:6, k], mass[k, 0:6] = wrench, wrench.T
                else:
                    entry = mtimes(self.subspace(j).T, force)
                    mass[self.speed[j], k], mass[k, self.speed[j]] = entry, entry
        return mass

    def accelerations(self):
        """Forward dynamics without applied loads by the articulated-body algorithm."""
        (model, v) = (self.model, self.v)
        bodies, twists, biases = model.bodies, [], []
        inertias, wrenches = [], []
        for i, body in enumerate(bodies):
            if body.kind == "free":
                (twist, bias) = (vertcat(v[3:6], v[0:3]), SX(6, 1))
            else:
                own = casadi.sparsify(self.subspace(i)) * v[self.speed[i]]
                carried = SX(6, 1) if self.parent[i] is None else self.moved(i, twists[self.parent[i]])
                twist = carried + own
                bias = vertcat(cross(twist[0:3], own[0:3]), cross(twist[3:6], own[0:3]) + cross(twist[0:3], own[3:6]))
            inertia = casadi.sparsify(self.inertia(body))
            momentum = mtimes(inertia, twist)
            wrench = vertcat(
                cross(twist[0:3], momentum[0:3]) + cross(twist[3:6], momentum[3:6]), cross(twist[0:3], momentum[3:6])
            )
            twists.append(twist), biases.append(casadi.sparsify(bias)), inertias.append(inertia), wrenches.append(casadi.sparsify(wrench))
        factors = [None] * len(bodies)
        for i in reversed(range(len(bodies))):
            if bodies[i].kind == "free":
                continue
            along = casadi.sparsify(self.subspace(i))
            force = mtimes(inertias[i], along)
            (pivot, rest) = (mtimes(along.T, force), -mtimes(along.T, wrenches[i]))
            factors[i] = (force, pivot, rest)
            if self.parent[i] is not None:
                articulated = inertias[i] - mtimes(force, force.T) / pivot
                carried = wrenches[i] + mtimes(articulated, biases[i]) + force * (rest / pivot)
                inertias[self.parent[i]] += self.carried_inertia(i, symmetric(articulated))
                wrenches[self.parent[i]] += self.carried(i, carried)
        result, accelerations = SX.zeros(self.n), []
        for i, body in enumerate(bodies):
            if body.kind == "free":
                found = -solved(inertias[i], casadi.densify(wrenches[i]))
                # Spatial accelerations are the rates of the components of twists. The whole robot falls freely up to here.
                result[0:6] = vertcat(found[3:6] + self.gravity, found[0:3])
                accelerations.append(found)
                continue
            carried = vertcat(SX(3, 1), -self.world_gravity) if self.parent[i] is None else accelerations[self.parent[i]]
            (force, pivot, rest) = factors[i]
            carried = self.moved(i, carried) + biases[i]
            acceleration = (rest - mtimes(force.T, carried)) / pivot
            result[self.speed[i]] = acceleration
            accelerations.append(carried + casadi.sparsify(self.subspace(i)) * acceleration)
        return result


def cheapest(name, tree, candidates):
    """The function of x = (q, v, a) with the fewest operations."""
    x = vertcat(tree.q, tree.v, tree.a)
    made = []
    for expression in candidates:
        flat = casadi.vec(expression)
        if tree.model.is_free:
            flat = casadi.substitute(flat, tree.gravity, tree.gravity_of_attitude)
        made.append(casadi.Function(name, [x], [casadi.cse(casadi.densify(flat))]))
    return min(made, key=operations)


def operations(function):
    """Additions, products, divisions, roots and functions, without moves."""
    arithmetic = 0
    for k in range(function.n_instructions()):
        code = function.instruction_id(k)
        arithmetic += code not in (casadi.OP_CONST, casadi.OP_INPUT, casadi.OP_OUTPUT, casadi.OP_PARAMETER, casadi.OP_ASSIGN, casadi.OP_NEG)
    return arithmetic


def along_displacements(tree, expression):
    """Derivatives with respect to displacements of q and to v: n × 2n, in columns."""
    by_angles, by_speeds = jacobian(expression, tree.angles), jacobian(expression, tree.v)
    if not tree.model.is_free:
        return casadi.horzcat(by_angles, by_speeds)
    by_attitude = mtimes(jacobian(expression, tree.gravity), skew(tree.gravity))
    return casadi.horzcat(SX(tree.n, 3), by_attitude, by_angles, by_speeds)


def rows(matrix, n):
    """The two square blocks of n × 2n, each in rows."""
    return vertcat(casadi.vec(matrix[:, :n].T), casadi.vec(matrix[:, n:].T))


def robot(model):
    """Functions of a robot by the names of kernels."""
    tree = Tree(model)
    prefix = model.name
    bias = tree.inverse_dynamics(SX.zeros(tree.n))
    mass = tree.mass_matrix()
    forward = [tree.accelerations(), -solved(mass, bias)]
    functions = {
        "accelerations": cheapest(f"{prefix}_fd", tree, forward),
        "inverse dynamics": cheapest(f"{prefix}_id", tree, [tree.inverse_dynamics(tree.a)]),
        "mass matrix": cheapest(f"{prefix}_m", tree, [mass]),
    }
    if tree.n <= 40:
        found = min(forward, key=casadi.n_nodes)
        by_inverse = along_displacements(tree, tree.inverse_dynamics(tree.a))
        by_inverse = -solved(mass, casadi.substitute(by_inverse, tree.a, found))
        derivatives = [rows(along_displacements(tree, found), tree.n), rows(by_inverse, tree.n)]
        functions["derivatives"] = cheapest(f"{prefix}_dfd", tree, derivatives)
    return functions


# Linkages in space


class Loops:
    """Points of bodies in world axes: Jacobians, and accelerations without those of coordinates."""

    def __init__(self, tree):
        (self.tree, n, v) = (tree, tree.n, tree.v)
        self.bodies = {}
        for i, body in enumerate(tree.model.bodies):
            if body.kind == "free":
                (e, x) = (tree.root[3], tree.root[4:7])
                turn = SX.eye(3) + 2 * e * skew(x) + 2 * mtimes(skew(x), skew(x))
                unit = SX(3, n)
                unit[:, 0:3] = SX.eye(3)
                spin = SX(3, n)
                spin[:, 3:6] = SX.eye(3)
                (linear, w) = (v[0:3], mtimes(turn, v[3:6]))
                bias = mtimes(turn, cross(v[3:6], linear))
                self.bodies[body.name] = (turn, tree.root[0:3], mtimes(turn, spin), mtimes(turn, unit), w, SX(3, 1), bias)
                continue
            (rotation, origin, spins, columns) = (SX.eye(3), SX(3, 1), SX(3, n), SX(3, n))
            (w, alpha, acceleration) = (SX(3, 1), SX(3, 1), SX(3, 1))
            if body.parent is not None:
                (rotation, origin, spins, columns, w, alpha, acceleration) = self.bodies[body.parent]
            arm = mtimes(rotation, tree.places[i])
            axis = mtimes(rotation, mtimes(SX(body.frame), SX(numpy.array(body.axis))))
            (k, unit) = (tree.speed[i], SX(1, n))
            unit[k] = 1
            columns = columns - mtimes(skew(arm), spins)
            acceleration = acceleration + cross(alpha, arm) + cross(w, cross(w, arm))
            if body.kind == "revolute":
                (alpha, spins) = (alpha + cross(w, axis * v[k]), spins + mtimes(axis, unit))
                w = w + axis * v[k]
            else:
                (columns, acceleration) = (columns + mtimes(axis, unit), acceleration + 2 * cross(w, axis * v[k]))
            self.bodies[body.name] = (mtimes(rotation, tree.rotations[i]), origin + arm, spins, columns, w, alpha, acceleration)

    def point(self, name, at):
        at = SX(numpy.array(at, dtype=float))
        if name is None:
            return at, SX(3, self.tree.n), SX(3, 1)
        (rotation, origin, spins, columns, w, alpha, acceleration) = self.bodies[name]
        arm = mtimes(rotation, at)
        bias = acceleration + cross(alpha, arm) + cross(w, cross(w, arm))
        return origin + arm, columns - mtimes(skew(arm), spins), bias

    def rows(self):
        """Residuals, G and γ of all loops, three rows for each."""
        (residuals, columns, targets) = ([], [], [])
        for loop in self.tree.model.loops:
            ((p, first, a), (r, second, b)) = (self.point(*end) for end in zip(loop.bodies, loop.points))
            residuals.append(p - r), columns.append(first - second), targets.append(b - a)
        return vertcat(*residuals), vertcat(*columns), vertcat(*targets)


def independent(columns, tree, states):
    """The rows of G that a careful user keeps: as many as its rank, by pivoting at these states, rows of (q, v)."""
    evaluate = casadi.Function("columns", [tree.q, tree.v], [columns])
    chosen = []
    samples = [numpy.array(evaluate(row[: -tree.n], row[-tree.n :])) for row in states]
    while True:
        best = (1e-6, None)
        for r in range(samples[0].shape[0]):
            if r not in chosen:
                least = min(numpy.linalg.svd(sample[chosen + [r]], compute_uv=False)[-1] for sample in samples)
                best = max(best, (least, r), key=lambda pair: pair[0])
        if best[1] is None:
            return sorted(chosen)
        chosen.append(best[1])


def closed(model, states):
    """Accelerations of a linkage in space as a function of (q, v); `states` decide which redundant rows are left out."""
    tree = Tree(model)
    (_, columns, targets) = Loops(tree).rows()
    kept = independent(columns, tree, states)
    (columns, targets) = (casadi.sparsify(columns[kept, :]), targets[kept])
    mass, bias = tree.mass_matrix(), tree.inverse_dynamics(SX.zeros(tree.n))
    if model.is_free:
        bias = casadi.substitute(bias, tree.gravity, tree.gravity_of_attitude)
    free = solved(mass, casadi.densify(-bias))
    response = casadi.sparsify(solved(mass, casadi.densify(columns.T)))
    multipliers = solved(mtimes(columns, response), casadi.densify(mtimes(columns, free) - targets))
    result = casadi.cse(casadi.densify(free - mtimes(response, multipliers)))
    return casadi.Function(model.name, [vertcat(tree.q, tree.v)], [result])


# Linkages of the plane


def perpendicular(r):
    return vertcat(-r[1], r[0])


class Plane:
    """Bodies of a planar model in world axes: positions, Jacobians and accelerations without those of coordinates."""

    def __init__(self, model, coordinates):
        self.model = model
        n = len(model.bodies)
        self.is_tree = coordinates == "joint"
        size = n if self.is_tree else 3 * n
        (self.q, self.v) = (SX.sym("q", size), SX.sym("v", size))
        self.n = size
        # Per body: origin, angle, rate, acceleration of the origin, Jacobians of the origin (2 × n) and of the angle (1 × n).
        self.bodies = {}
        for i, body in enumerate(model.bodies):
            unit = SX(1, size)
            if not self.is_tree:
                (angle, rate) = (self.q[3 * i + 2], self.v[3 * i + 2])
                unit[0, 3 * i + 2] = 1
                columns = SX(2, size)
                columns[0, 3 * i], columns[1, 3 * i + 1] = 1, 1
                # Coordinates are those of the centre of mass.
                arm = self.arm(angle, body.center)
                columns = columns - mtimes(perpendicular(arm), unit)
                self.bodies[body.name] = (self.q[3 * i : 3 * i + 2] - arm, angle, rate, arm * rate**2, columns, unit)
                continue
            unit[0, i] = 1
            place = numpy.array(body.place[:2])
            if body.parent is None:
                (origin, angle, rate) = (SX(place), SX(0), SX(0))
                (acceleration, columns, turn) = (SX(2, 1), SX(2, size), SX(1, size))
            else:
                (origin, acceleration, columns) = self.point(body.parent, body.place)
                (_, angle, rate, _, _, turn) = self.bodies[body.parent]
            if body.kind == "revolute":
                (angle, rate, turn) = (angle + self.q[i], rate + self.v[i], turn + unit)
            else:
                axis = SX(numpy.array(body.axis[:2]))
                (origin, columns) = (origin + axis * self.q[i], columns + mtimes(axis, unit))
            self.bodies[body.name] = (origin, angle, rate, acceleration, columns, turn)

    @staticmethod
    def arm(angle, at):
        (s, c) = (casadi.sin(angle), casadi.cos(angle))
        return vertcat(c * at[0] - s * at[1], s * at[0] + c * at[1])

    def point(self, name, at):
        """Position, acceleration and Jacobian of a point of a body, or of the world."""
        if name is None:
            return SX(numpy.array(at[:2])), SX(2, 1), SX(2, self.n)
        (origin, angle, rate, acceleration, columns, turn) = self.bodies[name]
        arm = self.arm(angle, at)
        return origin + arm, acceleration - arm * rate**2, columns + mtimes(perpendicular(arm), turn)

    def terms(self):
        """M, Q, G and γ."""
        model = self.model
        (mass, forces) = (SX(self.n, self.n), SX(self.n, 1))
        gravity = SX(numpy.array(model.gravity[:2]))
        for i, body in enumerate(model.bodies):
            if self.is_tree:
                (_, acceleration, columns) = self.point(body.name, body.center)
                turn = self.bodies[body.name][5]
                mass += body.mass * mtimes(columns.T, columns) + body.inertia[2, 2] * mtimes(turn.T, turn)
                forces += body.mass * mtimes(columns.T, gravity - acceleration)
            else:
                for (k, value) in ((3 * i, body.mass), (3 * i + 1, body.mass), (3 * i + 2, body.inertia[2, 2])):
                    mass[k, k] = value
                forces[3 * i : 3 * i + 2] += body.mass * gravity
        for (name, torque) in model.torques:
            forces += self.bodies[name][5].T * torque
        for (first, p, second, r, stiffness, free) in model.springs:
            ((a, _, columns_a), (b, _, columns_b)) = (self.point(first, p), self.point(second, r))
            between = b - a
            length = casadi.norm_2(between)
            pull = between * (stiffness * (length - free) / length)
            forces += mtimes((columns_a - columns_b).T, pull)
        pairs = [(loop.bodies, loop.points, 2) for loop in model.loops]
        if not self.is_tree:
            for body in model.bodies:
                if body.kind == "prismatic":
                    # A slide along x of the world: height and angle.
                    pairs.append(((body.parent, body.name), (body.place, (0, 0, 0)), 1))
                else:
                    pairs.append(((body.parent, body.name), (body.place, (0, 0, 0)), 2))
        (jacobian_rows, targets) = ([], [])
        for ((first, second), (p, r), count) in pairs:
            ((_, a, columns_a), (_, b, columns_b)) = (self.point(first, p), self.point(second, r))
            (difference, bias) = (columns_a - columns_b, b - a)
            if count == 1:
                jacobian_rows += [difference[1, :], -self.bodies[second][5]]
                targets += [bias[1], SX(0)]
            else:
                jacobian_rows.append(difference)
                targets.append(bias)
        columns = vertcat(*jacobian_rows) if jacobian_rows else SX(0, self.n)
        gamma = vertcat(*targets) if targets else SX(0, 1)
        return mass, forces, casadi.sparsify(columns), gamma

    def accelerations(self):
        (mass, forces, columns, gamma) = self.terms()
        free = solved(mass, casadi.densify(forces))
        if columns.shape[0] == 0:
            return free
        response = casadi.sparsify(solved(mass, casadi.densify(columns.T))) if self.is_tree else mtimes(casadi.inv(casadi.diag(casadi.diag(mass))), columns.T)
        schur = mtimes(columns, response)
        multipliers = solved(schur, casadi.densify(mtimes(columns, free) - gamma))
        return free - mtimes(response, multipliers)


def linkage(model, coordinates):
    """Accelerations of a planar linkage as a function of (q, v)."""
    plane = Plane(model, coordinates)
    result = casadi.cse(casadi.densify(casadi.vec(plane.accelerations())))
    name = f"{model.name}_{coordinates}".replace("[", "_").replace("]", "_")
    return casadi.Function(name, [vertcat(plane.q, plane.v)], [result])


def generalized_forces(model):
    """Constant torques and springs of a linkage in its relative coordinates, for libraries that know neither."""
    plane = Plane(model, "joint")
    forces = plane.terms()[1]
    bare = Plane(type(model)(model.name, model.bodies, model.loops, model.gravity), "joint")
    without = casadi.substitute(bare.terms()[1], vertcat(bare.q, bare.v), vertcat(plane.q, plane.v))
    return casadi.Function("loads", [vertcat(plane.q, plane.v)], [casadi.densify(forces - without)])


def linkages(model):
    """Functions of a planar linkage: accelerations in two kinds of coordinates, and loads."""
    functions = {"joint": linkage(model, "joint"), "loads": generalized_forces(model)}
    if all(body.inertia[2, 2] > 0 for body in model.bodies):
        functions["body"] = linkage(model, "body")
    return functions
