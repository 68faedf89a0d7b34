"""decks/spe10_class.cfg as an Eclipse deck, for OPM Flow and others.

Permeability and porosity are generated, so they come from the result of a run of that deck; its start is enough:

    hepta run decks/spe10_class.cfg --set report.end=0.01 -o rock     with --set grid.size=[60,220,85] the whole model
    python3 bench/spe10_class_flow.py rock.grid.h5 SPE10_CLASS --end 1000 --every 100
    flow SPE10_CLASS/SPE10_CLASS.DATA --linear-solver=cpr

writes SPE10_CLASS.DATA and its include files into the folder SPE10_CLASS. Report times are those of --times (days, with
commas between), then all multiples of --every up to --end. Needs h5py and numpy. Result files hold rock in single
precision: hepta's results of this deck differ from those of decks/spe10_class.cfg in the fifth to seventh digit.
"""
import argparse
import os

import h5py
import numpy

DECK = """-- decks/spe10_class.cfg, written by bench/spe10_class_flow.py
RUNSPEC
TITLE
 SPE10 MODEL 2 CLASS
DIMENS
 {nx} {ny} {nz} /
OIL
WATER
FIELD
TABDIMS
/
EQLDIMS
/
WELLDIMS
 5 {nz} 1 5 /
START
 1 'JAN' 2026 /
UNIFOUT

GRID
DX
 {cells}*20 /
DY
 {cells}*10 /
DZ
 {cells}*2 /
TOPS
 {columns}*12000 /
INCLUDE
 'PORO.INC' /
INCLUDE
 'PERMX.INC' /
INCLUDE
 'PERMZ.INC' /
COPY
 PERMX PERMY /
/

PROPS
DENSITY
 53 64 1 /
PVTW
 6000 1.01 3.0E-6 0.3 0 /
PVDO
  300 1.05 2.85
  800 1.02 2.99
 8000 1.01 3.0 /
ROCK
 6000 1.0E-6 /
SWOF
 0.20 0.0000 1.0000 0
 0.25 0.0069 0.8403 0
 0.30 0.0278 0.6944 0
 0.35 0.0625 0.5625 0
 0.40 0.1111 0.4444 0
 0.45 0.1736 0.3403 0
 0.50 0.2500 0.2500 0
 0.55 0.3403 0.1736 0
 0.60 0.4444 0.1111 0
 0.65 0.5625 0.0625 0
 0.70 0.6944 0.0278 0
 0.75 0.8403 0.0069 0
 0.80 1.0000 0.0000 0 /

SOLUTION
EQUIL
 12000 6000 12270 0 2* 2* 0 /

SUMMARY
FOPR
FWPR
FWIR
FOPT
FWPT
FWIT
FPR
WBHP
/
WOPR
/
WWPR
/

SCHEDULE
RPTRST
 BASIC=2 /
WELSPECS
 'INJ' 'G' 30 110 1* WATER /
 'P1'  'G' 1  1   1* OIL /
 'P2'  'G' 60 1   1* OIL /
 'P3'  'G' 60 220 1* OIL /
 'P4'  'G' 1  220 1* OIL /
/
COMPDAT
 '*' 2* 1 {nz} OPEN 2* 0.8333 /
/
WCONINJE
 'INJ' WATER OPEN RATE {rate} 1* 10000 /
/
WCONPROD
 'P*' OPEN BHP 5* 4000 /
/
TSTEP
{steps} /
END
"""


def write_array(path, keyword, values):
    with open(path, "w", encoding="ascii") as f:
        f.write(keyword + "\n")  # five to a line: Eclipse reads 128 columns
        numpy.savetxt(f, values.reshape(-1, 5), "%.9g")
        f.write("/\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rock", help="NAME.grid.h5 of a run of decks/spe10_class.cfg")
    parser.add_argument("folder", help="where the deck and its include files go")
    parser.add_argument("--end", type=float, default=1000, help="days (default %(default)g)")
    parser.add_argument("--every", type=float, default=100, help="days between reports (default %(default)g)")
    parser.add_argument("--times", default="", help="more reports: days, with commas between")
    args = parser.parse_args()

    os.makedirs(args.folder, exist_ok=True)
    with h5py.File(args.rock, "r") as f:
        nz, ny, nx = f["static/porosity"].shape
        if (nx, ny) != (60, 220):
            parser.error("%s has %d x %d x %d cells, spe10_class.cfg 60 x 220 x any" % (args.rock, nx, ny, nz))
        for keyword, name in (("PORO", "porosity"), ("PERMX", "permx"), ("PERMZ", "permz")):
            write_array(os.path.join(args.folder, keyword + ".INC"), keyword, f["static"][name][:])

    days = {float(d) for d in args.times.split(",") if d} | {args.end}
    days |= {n * args.every for n in range(1, int(args.end / args.every) + 1)}
    days = [0.0] + sorted(d for d in days if d <= args.end)
    with open(os.path.join(args.folder, "SPE10_CLASS.DATA"), "w", encoding="ascii") as f:
        f.write(DECK.format(nx=nx, ny=ny, nz=nz, cells=nx * ny * nz, columns=nx * ny, rate=repr(5000 * nz / 85),
                            steps="\n".join(" %.12g" % (b - a) for a, b in zip(days, days[1:]))))


main()
