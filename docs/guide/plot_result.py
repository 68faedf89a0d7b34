"""Draws a result of hepta with nothing but h5py and matplotlib: rates and water cut of each producer in time, and the
water saturation of the first layer at the last report. A start for scripts of your own; docs/reference/output.md has the layout.

    python3 docs/guide/plot_result.py quarter_five_spot.h5 quarter_five_spot_curves.png
"""
import sys

import h5py
import matplotlib

matplotlib.use("Agg")  # without a screen
from matplotlib.figure import Figure  # noqa: E402


def draw_rates(axes, result):
    summary = result["summary"]
    time, cut = summary["TIME"][:], axes.twinx()
    for name, well in result["wells"].items():
        if well.attrs["type"] != "producer":
            continue
        line, = axes.plot(time, summary["WOPR:" + name][:], label=name + " oil")
        axes.plot(time, summary["WWPR:" + name][:], "--", color=line.get_color(), label=name + " water")
        cut.plot(time, summary["WWCT:" + name][:], ":", color="black", label=name + " water cut")
    axes.set_xlabel("time [%s]" % summary["TIME"].attrs["unit"])
    axes.set_ylabel("rate [%s]" % summary["FOPR"].attrs["unit"])
    cut.set_ylabel("water cut")
    cut.set_ylim(0, 1)
    lines = axes.get_lines() + cut.get_lines()
    axes.legend(lines, [line.get_label() for line in lines])


def draw_saturation(axes, result, layer=0):
    last = result["step"][-1]
    sw = result["steps/%06d/sw" % last][layer]  # [j, i]
    sw[result["grid/active"][layer] == 0] = float("nan")
    mesh = axes.pcolormesh(result["grid/x"][:], result["grid/y"][:], sw, vmin=0, vmax=1)  # node coordinates, metres
    axes.figure.colorbar(mesh, ax=axes, label="water saturation")
    for well in result["wells"].values():
        x, y, _ = well["path"][0]
        axes.plot(x, y, "v" if well.attrs["type"] == "injector" else "o", color="white", markeredgecolor="black")
        axes.annotate(well.attrs["name"], (x, y), xytext=(4, 4), textcoords="offset points")
    day = result["time"][-1] / result.attrs["time_factor"]
    axes.set_title("%g %ss" % (day, result.attrs["time_unit"]))
    axes.set_aspect("equal")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")


def draw(path):
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    with h5py.File(path) as result:
        figure.suptitle(result.attrs["title"])
        draw_rates(left, result)
        draw_saturation(right, result)
    return figure


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    draw(sys.argv[1]).savefig(sys.argv[2], dpi=100)
