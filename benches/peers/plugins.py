"""The libraries: plug-ins are compiled, mechanisms loaded, and kernels become candidates that are timed in one way."""

import ctypes
import dataclasses
import hashlib
import os
import pathlib
import subprocess

import casadi
import numpy

import symbolic

HERE = pathlib.Path(__file__).resolve().parent
DOUBLES = ctypes.POINTER(ctypes.c_double)
STATES = 64


def pointer(array):
    return array.ctypes.data_as(DOUBLES)


def integers(values):
    return (ctypes.c_int * len(values))(*values)


class Build:
    """Functions and compiled plug-ins in a folder; what has not changed is not made again."""

    def __init__(self, folder, processor):
        self.folder, self.processor = pathlib.Path(folder), processor
        self.folder.mkdir(parents=True, exist_ok=True)
        self.flags = ["-O3", f"-march={processor}"] if processor else ["-O3"]
        site = pathlib.Path(casadi.__file__).parent.parent
        self.cmeel = site / "cmeel.prefix"
        self.mujoco = site / "mujoco"
        sources = [HERE / "symbolic.py", HERE / "model.py", *sorted((HERE / "mechanisms").iterdir())]
        self.sources = [path.read_bytes() for path in sources]

    def target(self, name, suffix, *contents):
        """The path of a file with these contents."""
        return self.folder / f"{name}-{hashlib.sha256(repr(contents).encode()).hexdigest()[:12]}{suffix}"

    def compile(self, compiler, source, arguments):
        source = pathlib.Path(source)
        target = self.target(source.stem, ".so", source.read_bytes(), compiler, arguments, self.flags)
        if not target.exists():
            print(f"peers: compiling {source.name}", flush=True)
            subprocess.run([compiler, *self.flags, "-fPIC", "-shared", str(source), "-o", str(target), *arguments], check=True)
        return ctypes.CDLL(str(target))

    def functions(self, name, make):
        """Functions of CasADi by names, which `make` returns."""
        index = self.target(name, ".txt", self.sources)
        if not index.exists():
            made = make()
            for kernel, function in made.items():
                function.save(str(self.folder / f"{index.stem}-{kernel}.casadi"))
            index.write_text("\n".join(made))
        return {kernel: casadi.Function.load(str(self.folder / f"{index.stem}-{kernel}.casadi")) for kernel in index.read_text().split("\n")}

    def casadi(self, function):
        """A function as a C library, and the numbers of its arguments, results and work spaces."""
        source = self.folder / f"{function.name()}.c"
        generator = casadi.CodeGenerator(source.name, {"with_header": False})
        generator.add(function)
        generator.generate(f"{self.folder}/")
        library = self.compile("gcc", source, [])
        sizes = integers([function.sz_arg(), function.sz_res(), function.sz_iw(), function.sz_w()])
        return getattr(library, function.name()), sizes, library

    def mbs(self, only):
        print("peers: compiling mbs", flush=True)
        flags = f"-C target-cpu={self.processor}" if self.processor else ""
        target = self.folder / f"mbs-{self.processor or 'default'}"
        environment = {**os.environ, "RUSTFLAGS": flags, "CARGO_TARGET_DIR": str(target), "PEERS_ONLY": only}
        manifest = str(HERE / "mbs" / "Cargo.toml")
        subprocess.run(["cargo", "build", "--release", "--quiet", "--manifest-path", manifest], check=True, env=environment)
        return ctypes.CDLL(str(target / "release" / "libmbs_peers.so"))


class Candidate:
    """One library's kernel of one mechanism. `time(calls)` returns nanoseconds of a call and fills `results`."""

    def __init__(self, library, label, x, n_results, call, operations=None):
        self.library, self.label, self.operations = library, label, operations
        self.x = numpy.ascontiguousarray(x)
        self.results = numpy.zeros((len(x), n_results))
        self.call = call
        self.times, self.instructions = [], None

    def time(self, calls):
        n, stride = self.x.shape
        return self.call(pointer(self.x), n, stride, calls, pointer(self.results), self.results.shape[1])


class Mbs:
    """The library of mbs."""

    def __init__(self, library):
        self.library = library
        library.peers_time.restype = ctypes.c_double
        library.peers_steps.restype = ctypes.c_double

    def case(self, name):
        index = self.library.peers_find(name.encode())
        assert index >= 0, name
        sizes = (ctypes.c_int * 3)()
        self.library.peers_sizes(index, sizes)
        return index, list(sizes)

    def names(self, case, is_speed):
        index, sizes = self.case(case)
        text = ctypes.create_string_buffer(200)
        names = []
        for k in range(sizes[1 if is_speed else 0]):
            self.library.peers_item(index, int(is_speed), k, text, 200)
            names.append(text.value.decode())
        return names

    def states(self, case, h):
        index, (n_q, n_v, _) = self.case(case)
        x = numpy.zeros((STATES, n_q + 2 * n_v))
        self.library.peers_states(index, STATES, ctypes.c_double(h), pointer(x))
        return x

    def candidate(self, case, label, kernel, x):
        index, (_, n_v, _) = self.case(case)
        n_results = [n_v, n_v, n_v * n_v, 2 * n_v * n_v][kernel]

        def call(x, n, stride, calls, results, size):
            return self.library.peers_time(index, kernel, x, n, ctypes.c_long(calls), results, ctypes.c_long(n * size))

        return Candidate("mbs", label, x, n_results, call)

    def engine(self, case, generated):
        """The engine in the coordinates of generated code, at its states."""
        candidate = self.candidate(case, generated.label, 0, generated.x)
        candidate.library, candidate.generated = "engine", generated
        candidate.comparable = lambda: candidate.results
        return candidate


def casadi_candidate(build, timer, function, label, x):
    code, sizes, library = build.casadi(function)
    address = ctypes.cast(code, ctypes.c_void_p)

    def call(x, n, stride, calls, results, size):
        assert library
        return timer.casadi_time(address, sizes, x, n, stride, ctypes.c_long(calls), results, size)

    return Candidate("CasADi", label, x, function.numel_out(0), call, symbolic.operations(function))


def plugin_candidate(library, time, handle, label, kernel, x, n_results):
    def call(x, n, stride, calls, results, size):
        return time(handle, kernel, x, n, stride, ctypes.c_long(calls), results, size)

    return Candidate(library, label, x, n_results, call)


# Models as texts


def words(values):
    return " ".join(repr(float(x)) for x in values)


def mjcf(model):
    children = {}
    for body in model.bodies:
        children.setdefault(body.parent, []).append(body)

    def element(body, outer=None):
        joint = '<freejoint name="base"/>' if body.kind == "free" else f'<joint name="{body.joint}" type="{"hinge" if body.kind == "revolute" else "slide"}" axis="{words(body.axis)}"/>'
        if outer is not None:
            # Its hinge is one of this body.
            (parent, text) = outer
            (joint, body) = (text + joint, dataclasses.replace(body, place=parent.place, frame=parent.frame))
        if body.mass == 0 and body.kind != "free":
            # No body is massless in MuJoCo. The next one has both joints.
            (child,) = children[body.name]
            assert tuple(child.place) == (0, 0, 0) and (child.frame == numpy.eye(3)).all()
            return element(child, (body, joint))
        (a, b) = (body.frame[:, 0], body.frame[:, 1])
        t = body.inertia
        tensor = words([t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]])
        inertial = f'<inertial pos="{words(body.center)}" mass="{body.mass!r}" fullinertia="{tensor}"/>' if numpy.abs(t).max() > 0 else f'<inertial pos="{words(body.center)}" mass="{body.mass!r}" diaginertia="1e-12 1e-12 1e-12"/>'
        inner = "".join(element(child) for child in children.get(body.name, []))
        return f'<body name="{body.name}" pos="{words(body.place)}" xyaxes="{words([*a, *b])}">{inertial}{joint}{inner}</body>'

    # A connection keeps the point of the first body and that of the second together; both are given where all coordinates are zero.
    loops = ""
    sites = {}
    for k, loop in enumerate(model.loops):
        for (name, point, end) in zip(loop.bodies, loop.points, "ab"):
            sites.setdefault(name, []).append(f'<site name="{end}{k}" pos="{words(point)}"/>')
        loops += f'<connect site1="a{k}" site2="b{k}"/>'
    bodies = "".join(element(body) for body in children[None])
    for name, all_sites in sites.items():
        bodies = bodies.replace(f'<body name="{name}" ', f'<body name="{name}" sites="" ', 1)
        start = bodies.index('sites="" ')
        close = bodies.index(">", start)
        bodies = bodies[:start] + bodies[start + len('sites="" ') : close + 1] + "".join(all_sites) + bodies[close + 1 :]
    return (
        f'<mujoco><compiler angle="radian" autolimits="false" balanceinertia="true"/><option gravity="{words(model.gravity)}">'
        f'<flag contact="disable"/></option><worldbody>{bodies}</worldbody><equality>{loops}</equality></mujoco>'
    )


class Peers:
    """The libraries, loaded."""

    def __init__(self, build, only, names):
        self.build, self.only = build, only
        self.mbs = Mbs(build.mbs(names))
        self.timer = build.compile("gcc", HERE / "casadi.c", [])
        self.timer.casadi_time.restype = self.timer.casadi_steps.restype = ctypes.c_double
        cmeel = build.cmeel
        includes = [f"-I{cmeel}/include", f"-I{cmeel}/include/eigen3"]
        # As its CMake package defines; templates are instantiated here, with these flags, and its libraries are not linked.
        limits = ["MPL_LIMIT_LIST_SIZE=30", "MPL_LIMIT_VECTOR_SIZE=30", "MPL_CFG_NO_PREPROCESSED_HEADERS", "FUSION_INVOKE_MAX_ARITY=12"]
        arguments = ["-std=c++17", "-w", "-DNDEBUG", *(f"-DBOOST_{limit}" for limit in limits), *includes]
        self.pinocchio = build.compile("g++", HERE / "pinocchio.cpp", arguments)
        self.pinocchio.pinocchio_time.restype = ctypes.c_double
        self.pinocchio.pinocchio_new.restype = ctypes.c_void_p
        library = next(build.mujoco.glob("libmujoco.so*"))
        self.mujoco = build.compile("gcc", HERE / "mujoco.c", [f"-I{build.mujoco}/include", str(library), f"-Wl,-rpath,{build.mujoco}"])
        self.mujoco.mujoco_time.restype = ctypes.c_double
        self.mujoco.mujoco_load.restype = ctypes.c_void_p

    def load_pinocchio(self, model):
        library = self.pinocchio
        array = lambda values: numpy.ascontiguousarray(values, dtype=float)
        handle = ctypes.c_void_p(library.pinocchio_new(pointer(array(model.gravity))))
        kinds, added = {"free": 0, "revolute": 1, "prismatic": 2}, {None: 0}
        # Depth first: its Cholesky factor of loops takes the joints of a subtree to be next to each other.
        for body in model.depth_first():
            (axis, place, frame, center, inertia) = (array(x) for x in (body.axis, body.place, body.frame, body.center, body.inertia))
            mass = ctypes.c_double(body.mass)
            added[body.name] = library.pinocchio_add(handle, added[body.parent], kinds[body.kind], pointer(axis), pointer(place), pointer(frame), body.joint.encode(), mass, pointer(center), pointer(inertia))
        library.pinocchio_finish(handle)
        for loop in model.loops:
            joints = ["universe" if name is None else model.body(name).joint for name in loop.bodies]
            points = [numpy.array(point, dtype=float) for point in loop.points]
            library.pinocchio_loop(handle, joints[0].encode(), pointer(points[0]), joints[1].encode(), pointer(points[1]))
        sizes = (ctypes.c_int * 2)()
        library.pinocchio_sizes(handle, sizes)
        return handle, list(sizes)

    def load_mujoco(self, model):
        path = self.build.folder / f"{model.name}.xml"
        path.write_text(mjcf(model))
        error = ctypes.create_string_buffer(1000)
        handle = self.mujoco.mujoco_load(str(path).encode(), error, 1000)
        assert handle, error.value.decode()
        return ctypes.c_void_p(handle)
