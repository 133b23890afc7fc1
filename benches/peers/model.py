"""Mechanisms for the libraries that mbs is compared with: bodies, joints and loops as numbers.

A body has a parent (None: the world) and the joint between them. The frame of the joint is at `place` on the parent, rotated by `frame`; the body's frame
coincides with it where the joint's coordinate is zero. A loop is a point of each of two bodies that coincide, in the plane (x, y) or in space.
"""

import math
import pathlib
import xml.etree.ElementTree
from dataclasses import dataclass, field

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = pathlib.Path(__file__).resolve().parent


@dataclass
class Body:
    name: str
    joint: str
    parent: str | None = None
    # "revolute", "prismatic" or "free"
    kind: str = "revolute"
    axis: tuple = (0.0, 0.0, 1.0)
    place: tuple = (0.0, 0.0, 0.0)
    frame: numpy.ndarray = field(default_factory=lambda: numpy.eye(3))
    mass: float = 0.0
    center: tuple = (0.0, 0.0, 0.0)
    # about the centre of mass, in the axes of the body
    inertia: numpy.ndarray = field(default_factory=lambda: numpy.zeros((3, 3)))


@dataclass
class Loop:
    bodies: tuple
    points: tuple


@dataclass
class Model:
    name: str
    bodies: list
    loops: list = field(default_factory=list)
    gravity: tuple = (0.0, -9.81, 0.0)
    is_planar: bool = True
    # (body, torque about z) of constant torques from the world, and (body, point, body, point, stiffness, free length) of springs
    torques: list = field(default_factory=list)
    springs: list = field(default_factory=list)

    def body(self, name):
        return next(body for body in self.bodies if body.name == name)

    def depth_first(self, parent=None):
        """The bodies, each before those that it carries, which come next."""
        for body in self.bodies:
            if body.parent == parent:
                yield body
                yield from self.depth_first(body.name)

    @property
    def is_free(self):
        return self.bodies[0].kind == "free"


def planar(name, joint, parent, at, mass, inertia, center, kind="revolute", axis=(0.0, 0.0, 1.0)):
    """A body of the plane whose joint is at `at` on its parent and at its own origin."""
    tensor = numpy.diag([0.5 * inertia, 0.5 * inertia, inertia])
    return Body(name, joint, parent, kind, axis, (*at, 0.0), numpy.eye(3), mass, (*center, 0.0), tensor)


def double_pendulum():
    return Model("double_pendulum", [
        planar("upper", "shoulder", None, (0, 0), 1.0, 0.0, (0, -1)),
        planar("lower", "elbow", "upper", (0, -1), 1.0, 0.0, (0, -1)),
    ])


def slider_crank():
    return Model("slider_crank", [
        planar("crank", "main_bearing", None, (0, 0), 1.5, 0.003, (0.04, 0)),
        planar("rod", "crank_pin", "crank", (0.1, 0), 1.0, 0.009, (0.13, 0)),
        planar("piston", "cylinder", None, (0, 0), 0.8, 1e-4, (0, 0), "prismatic", (1.0, 0.0, 0.0)),
    ], [Loop(("rod", "piston"), ((0.3, 0, 0), (0, 0, 0)))])


def bar(name, joint, parent, at, length, density):
    mass = density * length
    return planar(name, joint, parent, at, mass, mass * length**2 / 12, (length / 2, 0))


def four_bar():
    return Model("four_bar", [
        bar("crank", "crank_bearing", None, (0, 0), 0.1, 2.0),
        bar("coupler", "crank_pin", "crank", (0.1, 0), 0.35, 2.0),
        bar("rocker", "rocker_bearing", None, (0.3, 0), 0.25, 2.0),
    ], [Loop(("coupler", "rocker"), ((0.35, 0, 0), (0.25, 0, 0)))])


def four_bars(n):
    bodies = [bar(f"post[{i}].link", f"post[{i}].bearing", None, (i, 0), 1.0, 1.0) for i in range(n + 1)]
    bodies += [bar(f"cell[{i}].coupler", f"cell[{i}].first", f"post[{i}].link", (1, 0), 1.0, 1.0) for i in range(n)]
    loops = [Loop((f"cell[{i}].coupler", f"post[{i + 1}].link"), ((1, 0, 0), (1, 0, 0))) for i in range(n)]
    return Model(f"four_bars{n}", bodies, loops)


def andrews():
    d, da, e, ea, rr, ra = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
    ss, sa, sb, sc, sd = 0.035, 0.01874, 0.01043, 0.018, 0.02
    ta, tb, u, ua, ub, zf, zt, fa = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
    a, b, c = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
    bodies = [
        planar("k1", "o", None, (0, 0), 0.04325, 2.194e-6, (ra, 0)),
        planar("k2", "f", "k1", (rr, 0), 0.00365, 4.410e-7, (-da, 0)),
        planar("k3", "b", None, b, 0.02373, 5.255e-6, (sb, -sa)),
        planar("k5", "a5", None, a, 0.07050, 1.169e-5, (ta, tb)),
        planar("k7", "a7", None, a, 0.05498, 1.912e-5, (ub, -ua)),
        planar("k4", "g", "k5", (zt, 0), 0.00706, 5.667e-7, (0, -(e - ea))),
        planar("k6", "h", "k7", (0, -u), 0.00706, 5.667e-7, (zf - fa, 0)),
    ]
    loops = [
        Loop(("k2", "k3"), ((-d, 0, 0), (0, -ss, 0))),
        Loop(("k2", "k4"), ((-d, 0, 0), (0, -e, 0))),
        Loop(("k2", "k6"), ((-d, 0, 0), (zf, 0, 0))),
    ]
    spring = (None, (*c, 0.0), "k3", (sd, -sc, 0.0), 4530.0, 0.07785)
    return Model("andrews", bodies, loops, (0.0, 0.0, 0.0), torques=[("k1", 0.033)], springs=[spring])


def bricard():
    """Five rods and six hinges; the hinge between rods 3 and 4 closes the loop, by two points of its axis. Coordinates have the signs of mbs."""
    (along, across) = (0.1**2 / 6, (1 + 0.1**2) / 12)

    def rod(name, joint, parent, axis, place, center):
        tensor = numpy.diag([along if abs(c) > 0 else across for c in center])
        return Body(name, joint, parent, "revolute", axis, place, numpy.eye(3), 1.0, center, tensor)

    bodies = [
        rod("rod_1", "p0", None, (0, 1, 0), (0, 0, 0), (0.5, 0, 0)),
        rod("rod_2", "p1", "rod_1", (0, 0, 1), (1, 0, 0), (0, -0.5, 0)),
        rod("rod_3", "p2", "rod_2", (1, 0, 0), (0, -1, 0), (0, 0, 0.5)),
        rod("rod_5", "p5", None, (-1, 0, 0), (0, 0, 1), (0, -0.5, 0)),
        rod("rod_4", "p4", "rod_5", (0, 0, -1), (0, -1, 0), (0.5, 0, 0)),
    ]
    loops = [Loop(("rod_3", "rod_4"), ((0, y, 1), (1, y, 0))) for y in (0, 0.5)]
    return Model("bricard", bodies, loops, (0.0, -9.81, 0.0), is_planar=False)


def stewart():
    """A free platform on six legs: two hinges with a massless cross, a slide, and a point of the platform. As `mechanisms/stewart.mbs`."""
    bodies = [Body("platform", "base", None, "free", mass=24.0, center=(0.01, -0.02, 0.05), inertia=numpy.diag([1.6, 1.5, 2.9]))]
    loops = []
    for i in range(6):
        sign = -1 if i % 2 == 0 else 1
        lower = i // 2 * 2 * math.pi / 3 + 0.3 * sign
        upper = (i + 1) // 2 * 2 * math.pi / 3 - math.pi / 3 - 0.25 * sign
        foot, top = (math.cos(lower), math.sin(lower), 0.0), (0.6 * math.cos(upper), 0.6 * math.sin(upper), 0.0)
        bodies += [
            Body(f"cross[{i}]", f"tilt[{i}]", None, "revolute", (1.0, 0.0, 0.0), foot),
            Body(f"cylinder[{i}]", f"lean[{i}]", f"cross[{i}]", "revolute", (0.0, 1.0, 0.0), mass=3.0, center=(0.01, 0, 0.3), inertia=numpy.diag([0.09, 0.088, 0.01])),
            Body(f"rod[{i}]", f"slide[{i}]", f"cylinder[{i}]", "prismatic", (0.0, 0.0, 1.0), mass=1.5, center=(0, 0.005, -0.3), inertia=numpy.diag([0.05, 0.049, 0.003])),
        ]
        loops.append(Loop((f"rod[{i}]", "platform"), ((0, 0, 0), top)))
    return Model("stewart", bodies, loops, (0.0, 0.0, -9.81), is_planar=False)


def rotation(rpy):
    """R_z(yaw) R_y(pitch) R_x(roll)."""
    (r, p, y) = rpy
    (sr, cr, sp, cp, sy, cy) = (math.sin(r), math.cos(r), math.sin(p), math.cos(p), math.sin(y), math.cos(y))
    x = numpy.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    z = numpy.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    turn = z @ numpy.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]]) @ x
    # Right angles are written with as many digits as their authors liked.
    turn[abs(turn) < 1e-15] = 0.0
    return turn


def numbers(element, name, default):
    return tuple(float(x) for x in (element.get(name, default) if element is not None else default).split())


def robot(name, path, is_free):
    """A tree of hinges from a URDF. Links without a joint to the world are free, or fixed to it."""
    root = xml.etree.ElementTree.parse(path).getroot()
    joints = {joint.find("child").get("link"): joint for joint in root.iter("joint") if joint.find("child") is not None}
    links = [link for link in root.iter("link") if link.get("name") is not None]
    bodies, fixed = [], set()
    remaining = [link.get("name") for link in links]
    by_name = {link.get("name"): link for link in links}
    while remaining:
        for link in list(remaining):
            joint = joints.get(link)
            if joint is not None and joint.find("parent").get("link") in remaining:
                continue
            remaining.remove(link)
            inertial = by_name[link].find("inertial")
            body = Body(link, "base" if joint is None else joint.get("name"))
            if inertial is not None:
                origin, tensor = inertial.find("origin"), inertial.find("inertia")
                turn = rotation(numbers(origin, "rpy", "0 0 0"))
                entry = {key: float(tensor.get(key, "0")) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")}
                local = numpy.array([
                    [entry["ixx"], entry["ixy"], entry["ixz"]],
                    [entry["ixy"], entry["iyy"], entry["iyz"]],
                    [entry["ixz"], entry["iyz"], entry["izz"]],
                ])
                body.mass, body.center = float(inertial.find("mass").get("value")), numbers(origin, "xyz", "0 0 0")
                body.inertia = turn @ local @ turn.T
            if joint is None:
                body.kind = "free"
                if not is_free:
                    fixed.add(link)
                    continue
            else:
                kind = joint.get("type")
                assert kind in ("revolute", "continuous", "prismatic"), f"{path}: {kind}"
                parent, origin = joint.find("parent").get("link"), joint.find("origin")
                body.parent = None if parent in fixed else parent
                body.kind = "prismatic" if kind == "prismatic" else "revolute"
                axis = numpy.array(numbers(joint.find("axis"), "xyz", "1 0 0"))
                body.axis = tuple(axis / numpy.linalg.norm(axis))
                body.place, body.frame = numbers(origin, "xyz", "0 0 0"), rotation(numbers(origin, "rpy", "0 0 0"))
            bodies.append(body)
    return Model(name, bodies, gravity=(0.0, 0.0, -9.81), is_planar=False)


def urdf_of(name):
    """The path of a robot's file, and whether it is free."""
    ours = {"robot_arm7": ("robot_arm7", False), "quadruped18": ("robot_quadruped18", True)}
    if name in ours:
        stem, is_free = ours[name]
        return ROOT / "mechanisms" / "urdf" / f"{stem}.urdf", is_free
    return OWN / "mechanisms" / f"{name}.urdf", name.startswith("humanoid")


LINKAGES = {
    "double_pendulum": double_pendulum,
    "slider_crank": slider_crank,
    "four_bar": four_bar,
    "four_bars10": lambda: four_bars(10),
    "four_bars40": lambda: four_bars(40),
    "andrews": andrews,
}
SPATIAL_LINKAGES = {"bricard": bricard, "stewart": stewart}
ROBOTS = ["robot_arm7", "quadruped18", "humanoid38", "chain16", "chain64"]


def write_robots():
    """Writes the robots of this folder: a humanoid of 38 degrees of freedom and chains of hinges, with plausible data from a fixed sequence."""
    folder = OWN / "mechanisms"
    folder.mkdir(exist_ok=True)
    seed = [1]

    def wave(low, high):
        # A sequence that repeats on every machine.
        seed[0] += 1
        return round(low + (high - low) * (0.5 + 0.5 * math.sin(12.9898 * seed[0])), 5)

    def link(name, mass, size):
        center = [wave(-0.1, 0.1) * size, wave(-0.1, 0.1) * size, -0.4 * size]
        (a, b, c) = (round(mass * size**2 * wave(0.06, 0.1), 8) for _ in range(3))
        tensor = f'ixx="{a}" iyy="{b}" izz="{c}" ixy="{round(0.02 * a, 8)}" ixz="{round(-0.01 * b, 8)}" iyz="{round(0.015 * c, 8)}"'
        place = " ".join(repr(round(x, 5)) for x in center)
        inertial = f'<inertial><origin xyz="{place}"/><mass value="{mass}"/><inertia {tensor}/></inertial>'
        return f' <link name="{name}">{inertial}</link>'

    def joint(name, parent, child, axis, place):
        at = " ".join(repr(float(x)) for x in place)
        limit = '<limit lower="-3" upper="3" effort="100" velocity="10"/>'
        ends = f'<parent link="{parent}"/><child link="{child}"/>'
        return f' <joint name="{name}" type="revolute">{ends}<origin xyz="{at}"/><axis xyz="{axis}"/>{limit}</joint>'

    (X, Y, Z) = ("1 0 0", "0 1 0", "0 0 1")
    lines = [link("pelvis", 9.0, 0.3)]
    parts = [("waist_yaw", "pelvis", Z, (0, 0, 0.1), 2.0, 0.1), ("chest", "waist_yaw", Y, (0, 0, 0.08), 14.0, 0.4)]
    parts += [("neck", "chest", Z, (0, 0, 0.4), 0.8, 0.08), ("head", "neck", Y, (0, 0, 0.08), 2.5, 0.2)]
    for side, y in (("left", 1.0), ("right", -1.0)):
        leg = [("hip_yaw", Z, (0, 0.09 * y, -0.05), 1.8, 0.1), ("hip_roll", X, (0, 0, 0), 1.6, 0.1), ("thigh", Y, (0, 0, 0), 6.0, 0.4)]
        leg += [("shank", Y, (0, 0, -0.38), 3.5, 0.36), ("ankle", Y, (0, 0, -0.34), 1.0, 0.08), ("foot", X, (0, 0, 0), 1.5, 0.16)]
        arm = [("shoulder", Y, (0, 0.2 * y, 0.3), 2.5, 0.12), ("upper_arm_roll", X, (0, 0.08 * y, 0), 2.2, 0.12), ("upper_arm", Z, (0, 0, -0.1), 2.0, 0.25)]
        arm += [("elbow", Y, (0.02, 0, -0.2), 1.5, 0.1), ("forearm", Z, (-0.02, 0, -0.1), 1.6, 0.25), ("wrist", X, (0, 0, -0.2), 0.6, 0.08)]
        arm += [("hand", Y, (0, 0, -0.05), 0.7, 0.15), ("finger", Y, (0.02, 0, -0.1), 0.2, 0.06)]
        for limb, root in ((leg, "pelvis"), (arm, "chest")):
            parent = root
            for (name, axis, place, mass, size) in limb:
                parts.append((f"{side}_{name}", parent, axis, place, mass, size))
                parent = f"{side}_{name}"
    for (name, parent, axis, place, mass, size) in parts:
        lines += [link(name, mass, size), joint(f"{name}_j", parent, name, axis, place)]
    assert len(parts) == 32
    urdf = folder / "humanoid38.urdf"
    urdf.write_text('<robot name="humanoid38">\n' + "\n".join(lines) + "\n</robot>\n")
    initial = ", ".join(f"{part[0]}_j.angle ~ {round(0.4 * math.sin(1.7 * k + 0.3), 3)}" for k, part in enumerate(parts))
    rates = ", ".join(f"{part[0]}_j.rate = {round(math.sin(2.3 * k + 0.9), 3)}" for k, part in enumerate(parts))
    (folder / "humanoid38.mbs").write_text(
        "/// A humanoid on a floating pelvis: two legs of six hinges, two arms of eight, a waist and a neck of two.\n"
        "pub spatial Humanoid38 {\n    gravity: [0, 0, -9.81];\n"
        '    import "humanoid38.urdf" { pelvis: { velocity: body } };\n'
        "    joint base = free(ground, pelvis);\n"
        f"    initial {initial};\n    initial {rates};\n    freedoms: 38;\n}}\n"
    )
    for n in (16, 64):
        lines = [f' <link name="base"></link>']
        for i in range(n):
            parent = f"l{i - 1}" if i else "base"
            lines += [link(f"l{i}", wave(0.5, 2.0), 0.3), joint(f"j{i}", parent, f"l{i}", (Y, X, Z)[i % 3], (0, 0, -0.3 if i else 0))]
        (folder / f"chain{n}.urdf").write_text(f'<robot name="chain{n}">\n' + "\n".join(lines) + "\n</robot>\n")
        initial = ", ".join(f"j{i}.angle ~ {round(0.3 * math.sin(1.7 * i + 0.3), 3)}" for i in range(n))
        rates = ", ".join(f"j{i}.rate = {round(0.5 * math.sin(2.3 * i + 0.9), 3)}" for i in range(n))
        (folder / f"chain{n}.mbs").write_text(
            f"/// A chain of {n} links on hinges about y, x and z in turn.\n"
            f"pub spatial Chain{n} {{\n    gravity: [0, 0, -9.81];\n"
            f'    import "chain{n}.urdf";\n    joint foot = fixed(ground, base);\n'
            f"    initial {initial};\n    initial {rates};\n    freedoms: {n};\n}}\n"
        )


if __name__ == "__main__":
    write_robots()
