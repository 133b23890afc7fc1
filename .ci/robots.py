"""Random robots in URDF and random states: Pinocchio against `mbs`, by its compiler's interpreter and by its engine, in joint coordinates.

Robots are trees of 1 to 40 links, at random in shape: hinges with and without limits, slides, links that are fixed; a root that is fixed or free; any
axes, places, inertias and gravity. They are sound: what moves by itself has a mass and an inertia that distributions of mass have, for `mbs` refuses others and
Pinocchio does not. Links that are fixed may lack both.

Compared: M; M a + bias for random a (inverse dynamics), bias = C v + g; accelerations under random efforts and, at a free root, a random wrench (forward
dynamics); positions, rotations and Jacobians of all links; centre of mass; energies; and of small robots the derivatives of both dynamics along q and v.

Conventions:

- Both call the velocity of a free root its twist at its origin in its own axes, linear part first (`velocity: body`), and differentiate along
  displacements of that kind. Accelerations are the rates of these components. The wrench on the root is at its origin in its axes.
- A free root has q = (position, quaternion): the scalar is last in Pinocchio and first in `mbs`.
- A hinge without limits ("continuous") is (cos q, sin q) in Pinocchio and an angle in `mbs`.
- Order of joints: each library has its own; everything is brought into that of `mbs`, by name. Pinocchio joins fixed links to what carries
  them, and keeps their frames.
- Jacobians: six rows for each link, the velocity of its origin and its angular velocity, in the world's axes (LOCAL_WORLD_ALIGNED).
- Pinocchio leaves what is fixed to the world out of centre of mass and potential energy, which are taken from its places of all inertias
  therefore. Potential energy is zero at the origin.

Tolerance: 1e-10 of the largest entry of a quantity of a state. What nothing is solved for has some hundreds of roundings of 1e-16 of its largest terms in forty links;
accelerations and their derivatives lose some digits more by the condition of M, which masses from 0.2 to 10 kg and arms from 0 to 0.9 m keep below 1e6 or so. Seen are 6e-13
in 48 robots. A wrong sign, frame or inertia is an error of order one.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys

import numpy
import pinocchio

TOLERANCE = 1e-10
LINKS = 40
STATES = 3
# Programs for derivatives grow with the square of speeds: no more than these.
SPEEDS_WITH_DERIVATIVES = 14


def rotation(random):
    """A rotation at random, as roll, pitch and yaw, the attitude R_z(yaw) R_y(pitch) R_x(roll); now and then none."""
    if random.random() < 0.3:
        return numpy.zeros(3)
    return numpy.array([random.uniform(-math.pi, math.pi), random.uniform(-1.5, 1.5), random.uniform(-math.pi, math.pi)])


def words(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def origin(random, reach):
    place = numpy.zeros(3) if random.random() < 0.1 else random.uniform(-reach, reach, 3)
    return f'<origin xyz="{words(place)}" rpy="{words(rotation(random))}"/>'


def inertial(random):
    """A body of six points of mass, which spread at least 5 cm in every direction."""
    mass = float(numpy.exp(random.uniform(math.log(0.2), math.log(10.0))))
    points = random.uniform(-0.2, 0.2, (6, 3)) + 0.1 * numpy.vstack([numpy.eye(3), -numpy.eye(3)])
    points -= points.mean(axis=0)
    tensor = mass / 6 * sum((p @ p) * numpy.eye(3) - numpy.outer(p, p) for p in points)
    entries = [("xx", 0, 0), ("xy", 0, 1), ("xz", 0, 2), ("yy", 1, 1), ("yz", 1, 2), ("zz", 2, 2)]
    inertia = " ".join(f'i{name}="{float(tensor[i, j])!r}"' for name, i, j in entries)
    return f'<inertial>{origin(random, 0.2)}<mass value="{mass!r}"/><inertia {inertia}/></inertial>'


def axis(random):
    if random.random() < 0.4:
        return random.choice([-1.0, 1.0]) * numpy.eye(3)[random.integers(3)]
    return random.uniform(-1.0, 1.0, 3)


class Robot:
    """A robot's text, and the names and kinds of its joints."""

    def __init__(self, random):
        links = int(random.integers(1, LINKS + 1)) if random.random() < 0.5 else int(random.integers(1, 9))
        self.is_free = bool(random.random() < 0.5)
        self.kinds = {}
        self.gravity = [0.0, 0.0, -9.81] if random.random() < 0.5 else random.uniform(-10.0, 10.0, 3).tolist()
        # A root that is fixed does without a mass.
        parts = [self.link(random, 0, self.is_free or random.random() < 0.5)]
        for i in range(1, links):
            # Long arms as well as bushes.
            parent = i - 1 if random.random() < 0.6 else int(random.integers(i))
            kind = str(random.choice(["revolute", "continuous", "prismatic", "fixed"], p=[0.4, 0.2, 0.25, 0.15]))
            if i == 1 and not self.is_free and kind == "fixed":
                kind = "revolute"
            parts.append(self.link(random, i, kind != "fixed" or random.random() < 0.6))
            parts.append(self.joint(random, i, parent, kind))
        if links == 1 and not self.is_free:
            parts.append(self.link(random, 1, True))
            parts.append(self.joint(random, 1, 0, "revolute"))
        self.text = f'<robot name="robot">\n{chr(10).join(parts)}\n</robot>\n'

    def link(self, random, i, has_mass):
        return f'<link name="l{i}">{inertial(random) if has_mass else ""}</link>'

    def joint(self, random, i, parent, kind):
        self.kinds[f"j{i}"] = kind
        limit = '<limit lower="-3" upper="3" effort="100" velocity="10"/>' if kind in ("revolute", "prismatic") else ""
        along = "" if kind == "fixed" else f'<axis xyz="{words(axis(random))}"/>'
        ends = f'<parent link="l{parent}"/><child link="l{i}"/>'
        return f'<joint name="j{i}" type="{kind}">{ends}{origin(random, 0.5)}{along}{limit}</joint>'

    def names(self):
        """Coordinates and speeds as `mbs` calls them: those of the root, and of each joint."""
        root = ([f"float.position[{i}]" for i in range(3)] + [f"float.q[{i}]" for i in range(4)]) if self.is_free else []
        speeds = ([f"float.velocity[{i}]" for i in range(3)] + [f"float.u[{i}]" for i in range(3)]) if self.is_free else []
        of_kind = {"revolute": ("angle", "rate"), "continuous": ("angle", "rate"), "prismatic": ("position", "speed")}
        joints = {name: of_kind[kind] for name, kind in self.kinds.items() if kind != "fixed"}
        return root, speeds, {name: (f"{name}.{q}", f"{name}.{v}") for name, (q, v) in joints.items()}

    def states(self, random):
        root, root_speeds, joints = self.names()
        states = []
        for _ in range(STATES):
            quaternion = random.normal(size=4)
            place = [*random.uniform(-2.0, 2.0, 3), *(quaternion / numpy.linalg.norm(quaternion))]
            q = dict(zip(root, map(float, place)))
            q |= {name: float(random.uniform(-3.0, 3.0) if name.endswith("angle") else random.uniform(-0.5, 0.5)) for name, _ in joints.values()}
            speeds = root_speeds + [name for _, name in joints.values()]
            v, a, tau = ({name: float(x) for name, x in zip(speeds, random.uniform(-size, size, len(speeds)))} for size in (2.0, 5.0, 20.0))
            states.append({"q": q, "v": v, "a": a, "tau": tau})
        return states


class Other:
    """A robot in Pinocchio, with results in the order of `mbs`."""

    def __init__(self, robot, speeds, bodies):
        root = pinocchio.JointModelFreeFlyer() if robot.is_free else None
        self.model = pinocchio.buildModelFromXML(robot.text, root) if root else pinocchio.buildModelFromXML(robot.text)
        self.model.gravity.linear = numpy.array(robot.gravity)
        self.data = self.model.createData()
        self.robot, self.speeds = robot, speeds
        self.frames = [self.model.getFrameId(name, pinocchio.FrameType.BODY) for name in bodies]
        _, root_speeds, joints = robot.names()
        place = {name: i for i, name in enumerate(root_speeds)}
        place |= {speed: self.model.joints[self.model.getJointId(joint)].idx_v for joint, (_, speed) in joints.items()}
        # For each of our speeds, theirs.
        self.order = numpy.array([place[name] for name in speeds])

    def vector(self, values):
        theirs = numpy.zeros(self.model.nv)
        theirs[self.order] = [values[name] for name in self.speeds]
        return theirs

    def coordinates(self, values):
        q = pinocchio.neutral(self.model)
        root, _, joints = self.robot.names()
        if root:
            place = [values[name] for name in root]
            q[:7] = [*place[:3], *place[4:], place[3]]
        for joint, (name, _) in joints.items():
            at = self.model.joints[self.model.getJointId(joint)].idx_q
            if self.robot.kinds[joint] == "continuous":
                q[at : at + 2] = [math.cos(values[name]), math.sin(values[name])]
            else:
                q[at] = values[name]
        return q

    def quantities(self, state, wants_derivatives):
        model, data, order = self.model, self.data, self.order
        q, v, a, tau = self.coordinates(state["q"]), *(self.vector(state[key]) for key in ("v", "a", "tau"))
        # Matrices of one column come as lists.
        square = (model.nv, model.nv)
        upper = numpy.triu(numpy.reshape(pinocchio.crba(model, data, q), square))
        mass = upper + numpy.triu(upper, 1).T
        both = numpy.ix_(order, order)
        found = {
            "mass matrix": mass[both],
            "bias": pinocchio.nonLinearEffects(model, data, q, v)[order],
            "inverse dynamics": pinocchio.rnea(model, data, q, v, a)[order],
            "forward dynamics": pinocchio.aba(model, data, q, v, tau)[order],
            "kinetic energy": [pinocchio.computeKineticEnergy(model, data, q, v)],
        }
        if wants_derivatives:
            pinocchio.computeRNEADerivatives(model, data, q, v, a)
            found["derivatives of inverse dynamics along q"] = numpy.reshape(data.dtau_dq, square)[both]
            found["derivatives of inverse dynamics along v"] = numpy.reshape(data.dtau_dv, square)[both]
            pinocchio.computeABADerivatives(model, data, q, v, tau)
            found["derivatives of forward dynamics along q"] = numpy.reshape(data.ddq_dq, square)[both]
            found["derivatives of forward dynamics along v"] = numpy.reshape(data.ddq_dv, square)[both]
        return found | self.places(q, v)

    def places(self, q, v):
        model, data = self.model, self.data
        pinocchio.framesForwardKinematics(model, data, q)
        poses = [data.oMf[frame].copy() for frame in self.frames]
        axes = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
        jacobians = [numpy.reshape(pinocchio.computeFrameJacobian(model, data, q, frame, axes), (6, model.nv))[:, self.order] for frame in self.frames]
        masses = [inertia.mass for inertia in model.inertias]
        center = sum(inertia.mass * data.oMi[i].act(inertia.lever) for i, inertia in enumerate(model.inertias))
        return {
            "positions of bodies": [pose.translation for pose in poses],
            "rotations of bodies": [pose.rotation for pose in poses],
            "Jacobians of bodies": jacobians,
            "centre of mass": center / sum(masses),
            "potential energy": [-numpy.dot(self.robot.gravity, center)],
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--robot", type=int)
    parser.add_argument("--robots", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    numbers = range(arguments.count) if arguments.robot is None else [arguments.robot]
    worst, failures, links, speeds = {}, 0, 0, 0
    for number in numbers:
        random = numpy.random.default_rng([arguments.seed, number])
        robot = Robot(random)
        states = robot.states(random)
        result = ours(arguments, robot, states)
        if result is None:
            failures += 1
            print(f"pinocchio: robot {number} of seed {arguments.seed} is refused by mbs")
            continue
        other = Other(robot, result["speeds"], result["bodies"])
        links, speeds = max(links, len(result["bodies"])), max(speeds, len(result["speeds"]))
        failures += compare(f"robot {number} of seed {arguments.seed}", states, result, other, worst)
    print(f"pinocchio {pinocchio.__version__}: {len(numbers)} robots of up to {links} links and {speeds} speeds, {STATES} states each; largest errors:")
    for (quantity, side), error in sorted(worst.items()):
        print(f"{error:9.1e}  {quantity}, {side}")
    if failures:
        print(f"pinocchio: {failures} differ by more than {TOLERANCE}; repeat one with --robot")
    return 1 if failures else 0


def ours(arguments, robot, states):
    """What `mbs` finds, with derivatives where there are few enough speeds."""
    asked, found = arguments.folder / "robots.json", arguments.folder / "results.json"
    (arguments.folder / "robot.urdf").write_text(robot.text)
    _, root, joints = robot.names()
    wants_derivatives = len(root) + len(joints) <= SPEEDS_WITH_DERIVATIVES
    base = "free" if robot.is_free else "fixed"
    asked.write_text(json.dumps([{"urdf": robot.text, "root": "l0", "base": base, "gravity": robot.gravity, "derivatives": wants_derivatives, "states": states}]))
    if subprocess.run([arguments.robots, asked, found]).returncode != 0:
        return None
    return json.loads(found.read_text())[0]


def compare(label, states, result, other, worst):
    failures = 0
    for k, state in enumerate(states):
        wants_derivatives = "derivatives of forward dynamics along q" in result["sides"]["compiled"][k]
        known = other.quantities(state, wants_derivatives)
        for side, of_states in result["sides"].items():
            for quantity, found in of_states[k].items():
                theirs = numpy.concatenate([numpy.ravel(part) for part in known[quantity]])
                size = max(float(numpy.max(numpy.abs(theirs))), 1e-3)
                error = float(numpy.max(numpy.abs(numpy.array(found) - theirs))) / size
                worst[quantity, side] = max(worst.get((quantity, side), 0.0), error)
                if not error <= TOLERANCE:
                    failures += 1
                    print(f"pinocchio: {label}, state {k}: {quantity} of {side} off by {error:.1e} of {size:.1e}")
    return failures


if __name__ == "__main__":
    sys.exit(main())
