"""Draws the figures of docs/laboratory/performance.md from the tables in bench/measured:

    python3 bench/performance_figures.py [FOLDER]     without a folder: docs/laboratory

They are as bench/whole_runs.py, bench/gpus.py, `hepta bench spmv --csv` and `hepta bench solve --csv` write them; lines that
begin with # name the machine and the command. Needs matplotlib."""
import argparse
import csv
import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DECKS = {"spe10_class.cfg": "spe10_class\n1,122,000 cells", "SPE10_L84_85.DATA": "SPE10 layers\n26,400 cells",
         "Egg_Model_ECL.DATA": "Egg model\n18,553 cells"}
BLUE, LIGHT, GREY, ORANGE = "#1f5fa8", "#9dc3e6", "#9a9a9a", "#d9822b"


def rows(name):
    with open(os.path.join(ROOT, "bench", "measured", name), newline="") as f:
        return list(csv.DictReader(line for line in f if not line.startswith("#")))


def label(axis, bar, right, text):
    axis.annotate(text, (right, bar.get_y() + bar.get_height() / 2), xytext=(4, 0), textcoords="offset points", va="center",
                  fontsize=8.5, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})


def grouped(axis, groups, series, unit):
    """Horizontal bars from above: groups of series [(name, colour, {group: (value, least, most, text)})]."""
    height = 0.8 / len(series)
    for n, (name, colour, values) in enumerate(series):
        for g, group in enumerate(groups):
            value, least, most, text = values[group]
            bar = axis.barh(g + (n - (len(series) - 1) / 2) * height, value, 0.92 * height, color=colour,
                            label=name if g == 0 else None)[0]
            if most > least:
                axis.plot([least, most], [bar.get_y() + bar.get_height() / 2] * 2, color="black", linewidth=1)
            label(axis, bar, most, text)
    axis.set_yticks(range(len(groups)), groups)
    axis.invert_yaxis()
    axis.set_xlabel(unit)
    axis.margins(x=0.2)
    axis.legend(fontsize=8.5, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 0.99), ncol=len(series))
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def draw_runs(pyplot, path):
    of = rows("runs.csv")

    def values(**where):
        picked = [r for r in of if all(r[k] == v for k, v in where.items())]
        return {DECKS[r["deck"]]: (float(r["whole"]), float(r["least"] or r["whole"]), float(r["most"] or r["whole"]),
                                   r["whole"] + (" s, %s steps" % r["steps"] if r["steps"] else " s")) for r in picked}

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 4.2), width_ratios=(1.2, 1))
    default = values(backend="cuda", case="default")
    grouped(left, list(default), [("default", BLUE, default),
                                  ("timestep.accuracy = 0", LIGHT, values(backend="cuda", case="timestep.accuracy=0"))],
            "whole run, seconds")
    left.set_title("hepta on one NVIDIA H200", fontsize=10.5, pad=24)
    flow, ours = values(backend="cpu", program="OPM Flow"), values(backend="cpu", program="hepta")
    grouped(right, list(flow), [("hepta, timestep.accuracy = 0", LIGHT, ours), ("OPM Flow 2022.10", ORANGE, flow)],
            "whole run, seconds")
    right.set_title("Two cores of an AMD EPYC, two threads each", fontsize=10.5, pad=24)
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})


def draw_solver(pyplot, path):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 4.4), width_ratios=(1, 1.15))
    table = rows("spmv.csv")
    of = {r["format"]: 1e6 * float(r["seconds"]) for r in table}
    copy = next(1e-3 * float(r["bytes"]) / float(r["copy_gbs"]) for r in table if r["format"] == "gh")
    for n, (name, us) in enumerate(of.items()):
        label(left, left.barh(n, us, 0.75, color=BLUE if name == "gh" else LIGHT)[0], us, "%.3g" % us)
    left.axvline(copy, color="black", linewidth=1, linestyle="--")
    left.text(copy + 2, -0.65, "a copy of gh's bytes %.0f" % copy, fontsize=8.5)
    left.set_yticks(range(len(of)), of)
    left.set_ylim(len(of) - 0.5, -1.0)
    left.margins(x=0.12)
    left.set_xlabel("y = A x, microseconds (60 x 220 x 85 cells, q = 2)")
    left.set_title("Products by storage format, one NVIDIA H100", fontsize=10.5, pad=24)
    of = rows("solve.csv")
    order = {"spe10_class.cfg": "bricks", "Egg_Model_ECL.DATA": "red-black", "SPE10_L84_85.DATA": "red-black"}  # the defaults
    series = []
    for execution, colour in (("in-kernel", BLUE), ("per-operation", LIGHT), ("graph", GREY)):
        picked = [r for r in of if r["execution"] == execution and r["ordering"] == order[r["deck"]]]
        times = {DECKS[r["deck"]]: 1e3 * float(r["solve"]) / int(r["iterations"]) for r in picked}
        series.append((execution, colour, {deck: (t, t, t, "%.2f" % t) for deck, t in times.items()}))
    grouped(right, list(DECKS.values()), series, "bicgstab with cpr, milliseconds an iteration")
    right.set_title("Ways to run a solve, one NVIDIA H100", fontsize=10.5, pad=24)
    for side in ("top", "right"):
        left.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})


def draw_gpus(pyplot, path):
    """Seconds of the time steps by what they were spent on, on one GPU and on several."""
    parts = (("solve", "linear solves", BLUE), ("refresh", "refresh of the hierarchy", LIGHT), ("assembly", "assembly", GREY),
             ("output", "output", ORANGE))
    table = rows("gpus.csv")
    sizes = list(dict.fromkeys(r["cells"] for r in table))
    figure, axes = pyplot.subplots(1, len(sizes), figsize=(12, 3.6))
    for axis, cells in zip(axes, sizes):
        runs = [r for r in table if r["cells"] == cells]
        for n, r in enumerate(runs):
            bottom = 0.0
            for key, name, colour in parts:
                axis.bar(n, float(r[key]), 0.6, bottom=bottom, color=colour, label=name if n == 0 else None)
                bottom += float(r[key])
            faster = "\n%s x" % r["steps_faster"] if n > 0 else ""
            axis.annotate("%s s%s" % (r["in_steps"], faster), (n, float(r["in_steps"])), xytext=(0, 4), ha="center",
                          textcoords="offset points", fontsize=8.5)
            other = max(0.0, float(r["in_steps"]) - bottom)
            axis.bar(n, other, 0.6, bottom=bottom, color="#e6e6e6", label="other" if n == 0 else None)
        axis.set_xticks(range(len(runs)), ["%s GPU%s" % (r["units"], "" if r["units"] == "1" else "s") for r in runs])
        axis.set_title("%s million cells" % cells, fontsize=10.5)
        axis.set_ylim(0, 1.2 * max(float(r["in_steps"]) for r in runs))
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    axes[0].set_ylabel("seconds in time steps")
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, fontsize=8.5, frameon=False, loc="lower center", ncol=len(names))
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.path.join(ROOT, "docs", "laboratory"))
    folder = parser.parse_args().folder
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    draw_runs(pyplot, os.path.join(folder, "performance_runs.png"))
    draw_solver(pyplot, os.path.join(folder, "performance_solver.png"))
    draw_gpus(pyplot, os.path.join(folder, "performance_gpus.png"))


if __name__ == "__main__":
    main()
