"""Compares mbs with CasADi, Pinocchio and MuJoCo in one process: agreement first, then times that take turns batch by batch."""

import argparse
import ctypes
import datetime
import json
import pathlib
import platform
import shutil
import subprocess
import sys

import casadi
import numpy

import model as models
import symbolic
from cases import linkage_case, robot_case, spatial_case
from plugins import HERE, STATES, Build, Peers, pointer


def measure(candidates, rounds):
    """Times all candidates, batch by batch. Each of them begins a round equally often."""
    turns = []
    for candidate in candidates:
        calls = 1
        while calls * candidate.time(calls) < 1e5:
            calls *= 2
        turns.append((candidate, calls))
    for _ in range(rounds):
        for candidate, calls in turns:
            candidate.times.append(candidate.time(calls))
        turns.append(turns.pop(0))


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


LIBRARIES = ["CasADi", "Pinocchio", "MuJoCo", "mbs", "engine"]


def table(cases, value, ratio):
    """Rows of all cases. `value` is the number of a candidate; the last column is that of the best CasADi by that of the best mbs."""
    lines = [f"| mechanism | quantity | CasADi (operations) | Pinocchio | MuJoCo | mbs | mbs engine | {ratio} |", "|---|---|---:|---:|---:|---:|---:|---:|"]
    for name, kernel, candidates in cases:
        cells, best = [], {}
        for library in LIBRARIES:
            own = [c for c in candidates if c.library == library]
            texts = [f"{c.label} {number(value(c))}".strip() + (f" ({c.operations:,})" if c.operations else "") for c in own]
            cells.append("; ".join(texts) or "–")
            best[library] = min((value(c) for c in own), default=float("inf"))
        loses = best["mbs"] > min(best[library] for library in LIBRARIES[:3])
        mark = "**" if loses else ""
        lines.append(f"| {name} | {kernel} | {' | '.join(cells)} | {mark}{best['CasADi'] / best['mbs']:.2f}{mark} |")
    return "\n".join(lines)


def steps_table(peers, rounds):
    """One second of simulated time in steps of 1 ms by Runge and Kutta's method of order 4."""
    lines = ["| mechanism | CasADi, no projection | mbs | no projection | projected in every step | CasADi / mbs, projected |", "|---|---:|---|---:|---:|---:|"]
    for name in ("double_pendulum", "slider_crank", "four_bar"):
        if not peers.only(name):
            continue
        model = models.LINKAGES[name]()
        functions = peers.build.functions(name, lambda: symbolic.linkages(model))
        function, sizes, library = peers.build.casadi(functions["joint"])
        assert library
        address = ctypes.cast(function, ctypes.c_void_p)
        body = peers.mbs.states(f"{name} joint", 0.002)
        n = len(model.bodies)
        found = peers.mbs.names(f"{name} joint", False)
        item = {"revolute": "angle", "prismatic": "position"}
        order = numpy.array([found.index(f"{b.joint}.{item[b.kind]}") for b in model.bodies])
        start = numpy.ascontiguousarray(numpy.hstack([body[0, :n][order], body[0, n : 2 * n][order]]))
        end = numpy.zeros(2 * n)
        by = lambda case, projected: peers.mbs.library.peers_steps(peers.mbs.case(case)[0], int(projected), ctypes.c_double(1e-3), ctypes.c_long(1000))
        runs = {"casadi": lambda: peers.timer.casadi_steps(address, sizes, pointer(start), n, ctypes.c_double(1e-3), ctypes.c_long(1000), pointer(end))}
        for coordinates in ("joint", "natural"):
            for projected in (False, True):
                runs[coordinates, projected] = lambda c=coordinates, p=projected: by(f"{name} {c}", p)
        times = {key: [] for key in runs}
        for _ in range(rounds):
            for key, run in runs.items():
                times[key].append(run())
        best = {key: min(values) * 1e-3 for key, values in times.items()}
        for coordinates in ("joint", "natural"):
            (free, projected) = (best[coordinates, False], best[coordinates, True])
            ratio = best["casadi"] / projected
            mark = "**" if ratio < 1 else ""
            lines.append(f"| {name} | {best['casadi']:.3f} ms | {coordinates} | {free:.3f} ms | {projected:.3f} ms | {mark}{ratio:.2f}{mark} |")
    return "\n".join(lines)


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def count(cases, timer, path):
    """Writes the instructions of a call of each candidate: by those of 128 calls less those of 64. Runs inside callgrind."""
    for _, _, candidates in cases:
        for candidate in candidates:
            for calls in (STATES, 2 * STATES):
                timer.count_start()
                candidate.time(calls)
                timer.count_stop()
    dumps = sorted(pathlib.Path(path).parent.glob("callgrind.out.*.*"), key=lambda file: int(file.suffix[1:]))
    totals = [int(file.read_text().rsplit("totals:", 1)[1].split()[0]) for file in dumps]
    pathlib.Path(path).write_text(json.dumps([(b - a) / STATES for a, b in zip(totals[::2], totals[1::2])]))


def counted(options, cases):
    """Runs this program again inside callgrind, which knows no AVX-512, and notes the counts. Returns the flags, or why there are no counts."""
    if not shutil.which("valgrind"):
        return None, "there is no valgrind here"
    folder = pathlib.Path(options.build) / "callgrind"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (processor, path) = ("x86-64-v3", folder / "counts.json")
    own = [sys.executable, str(HERE / "compare.py"), "--build", options.build, "--only", options.only, "--processor", processor]
    # All is compiled outside.
    subprocess.run([*own, "--rounds", "0"], check=True, stdout=subprocess.DEVNULL)
    callgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/callgrind.out.%p", "-q"]
    done = subprocess.run([*callgrind, *own, "--count", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        return None, f"callgrind failed: {done.stderr[-500:]}"
    candidates = [candidate for _, _, candidates in cases for candidate in candidates]
    for candidate, instructions in zip(candidates, json.loads(path.read_text()), strict=True):
        candidate.instructions = instructions
    return processor, None


def page(peers, options, linkages, robots):
    """The text of the page."""
    import mujoco
    import pinocchio

    build = peers.build
    flags = " ".join(build.flags)
    rust = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    meta = [
        ("written by", "`benches/peers/run`"),
        ("date", datetime.date.today().isoformat()),
        ("processor", f"{processor()}, one thread"),
        ("mbs", f"{rust}, profile `release`{f', `-C target-cpu={build.processor}`' if build.processor else ''}"),
        ("CasADi", f"{casadi.__version__}, generated C, `gcc {flags}`"),
        ("Pinocchio", f"{pinocchio.__version__}, its templates, `g++ {flags}`"),
        ("MuJoCo", f"{mujoco.__version__}, its library as PyPI has it"),
    ]
    lines = ["# Benchmarks", "", INTRODUCTION, "", "| | |", "|---|---|", *(f"| {name} | {text} |" for name, text in meta)]
    time = lambda candidate: min(candidate.times)
    ratio = "CasADi / mbs"
    lines += ["", "## Linkages", "", "Nanoseconds of all accelerations and multipliers.", "", table(linkages, time, ratio)]
    lines += ["", "## Robots", "", "Nanoseconds of a call.", "", table(robots, time, ratio)]
    lines += ["", "## One second of simulated time", "", STEPS, "", steps_table(peers, options.rounds)]
    (target, problem) = (None, "`--no-instructions`") if options.no_instructions else counted(options, linkages + robots)
    lines += ["", "## Instructions", ""]
    if problem:
        print(f"peers: no instructions are counted, {problem}")
        lines.append(f"Not counted: {problem}.")
    else:
        lines += [f"Instructions of a call by callgrind, all compiled for `{target}`: it knows no AVX-512.", ""]
        lines.append(table(linkages + robots, lambda candidate: candidate.instructions, ratio))
    return "\n".join(lines) + "\n"


INTRODUCTION = """How long one call takes, beside the libraries that are used most for it. All run in one process, on the same states, and take turns batch by batch;
their results agree before any is timed. Data are constants in the code of mbs and of CasADi. Times are minima: on a shared machine they drift, and
ratios of one run are what to look at. A bold ratio says that another library is faster than the best of mbs.

- **mbs**: generated code, called through its public interface; joint, body or natural coordinates.
- **mbs engine**: the declaration is evaluated at run time, without generated code.
- **CasADi**: generated C of expressions that a careful user writes: recursions for trees, a sparse Schur complement of independent rows for loops
  (in coordinates of a tree, or Cartesian ones); each the one with fewest operations.
- **Pinocchio**: its recursive algorithms, and `constraintDynamics` for loops.
- **MuJoCo**: `mj_forward` without contacts. Its loops are springs: it solves an easier problem there, and its results are not compared."""

STEPS = """Runge and Kutta's method of order 4 in steps of 1 ms; milliseconds. Beside CasADi's function stands a loop in C, which does not return to the
constraints; mbs does the same without stabilisation, or returns after every step."""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--only", default="")
    parser.add_argument("--processor", default="native")
    parser.add_argument("--count", default="", help="of the run inside callgrind: where to write its counts")
    parser.add_argument("--no-instructions", action="store_true", help="count no instructions, which compiles all once more")
    parser.add_argument("--out", default="", help="the page; docs/BENCHMARKS.md unless --only is given")
    options = parser.parse_args()
    wanted = [name for name in options.only.split(",") if name]
    only = lambda name: not wanted or name in wanted
    sys.setrecursionlimit(100_000)
    peers = Peers(Build(options.build, options.processor), only, ",".join(wanted))

    def cases(names, make):
        found = []
        for name in names:
            if only(name):
                print(f"peers: {name}", flush=True)
                found += make(peers, name)
        return found

    linkages = cases(models.LINKAGES, linkage_case) + cases(models.SPATIAL_LINKAGES, spatial_case)
    robots = cases(models.ROBOTS, robot_case)
    if options.count:
        count(linkages + robots, peers.timer, options.count)
    elif options.rounds > 0:
        for _, _, candidates in linkages + robots:
            measure(candidates, options.rounds)
        text = page(peers, options, linkages, robots)
        print(text)
        out = options.out or ("" if wanted else HERE.parent.parent / "docs" / "BENCHMARKS.md")
        if out:
            pathlib.Path(out).write_text(text)


if __name__ == "__main__":
    main()
