"""Ranks on two hosts, two on each: the bits of one process, also where the other host has another folder of results; a build of
hepta that the other host alone has, and a mathematical library that rounds otherwise there; a rank of the other host that is
killed, and its link that goes down in the middle of a run: all ranks end, the files stand, the next start goes on from them."""
import os
import re
import shutil
import signal
import subprocess
import sys

import runs
from hosts import INSIDE, STEPS, Hosts, alone, become_host, check_lost, do
from rank_runs import differences, numbers, sets

# pow, exp and log of processors that cannot multiply and add at once
TUNABLES = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable"
FAR_ALONE = '[ "$(hostname)" != hepta-far ] || export GLIBC_TUNABLES=%s; exec "$@"' % TUNABLES
VALUES = "import math; print(hash(tuple(math.pow((n + 0.5) / 8192, 2.3) for n in range(8192))))"


def check_bits(checks, hosts, deck, where):
    """Files that both hosts write have the bytes of one process; likewise where one does not see the folder, which a note says."""
    options = ["run", deck] + sets(STEPS + ["report.end=2"])
    done = alone(1, options + ["-q", "-o", "one"], where)
    checks.true("one process", done.returncode == 0, done.stderr)
    whole = numbers(where, "one") if done.returncode == 0 else {}
    os.mkdir(os.path.join(where, "hidden"))
    do(*hosts.enter, "mount", "-t", "tmpfs", "none", os.path.join(where, "hidden"))
    for name, noted in (("four", 0), ("hidden/four", 1)):
        done = hosts.run(4, options + ["-o", name], where)
        odd = differences(whole, numbers(where, name)) if done.returncode == 0 else [done.stderr]
        checks.true(name + ": the bits of one process", not odd, odd[:5])
        checks.true(name + ": 4 ranks", "CPU, 4 ranks of 1 thread" in done.stderr, done.stderr)
        checks.true(name + ": note", done.stderr.count("rank 1 on hepta-far does not find the files of results") == noted, done.stderr)


def check_unlike(checks, hosts, deck, where):
    """Differences of the hosts: of their mathematical libraries, of their builds of hepta."""
    options = ["run", deck] + sets(STEPS + ["report.end=2"])
    values = [subprocess.run([sys.executable, "-c", VALUES], env=dict(os.environ, **more), capture_output=True, text=True, check=True).stdout
              for more in ({}, {"GLIBC_TUNABLES": TUNABLES})]
    if values[0] != values[1]:
        done = hosts.run(2, options + ["-o", "rounds"], where, program=("sh", "-c", FAR_ALONE, "sh", runs.PROGRAM))
        checks.true("a library that rounds otherwise", done.returncode == 0 and "exp and log of rank 1 on hepta-far round otherwise" in done.stderr,
                    done.stderr)
    else:
        print("  rounding: not checked, the C library has one variant for this processor")
    number = subprocess.run(["readelf", "-n", runs.PROGRAM], capture_output=True, text=True).stdout if shutil.which("readelf") else ""
    found = re.search(r"Build ID: ([0-9a-f]+)", number)
    if found is None:
        checks.true("the program has a build ID", shutil.which("readelf") is None, number)
        return
    with open(runs.PROGRAM, "rb") as f:
        program = f.read()
    program = program.replace(bytes.fromhex(found.group(1)), bytes(len(found.group(1)) // 2), 1)
    other = hosts.write(where, "other", "")
    with open(other, "wb") as f:
        f.write(program)
    do(*hosts.enter, "mount", "--bind", other, runs.PROGRAM)
    done = hosts.run(2, options + ["-o", "builds"], where)
    do(*hosts.enter, "umount", runs.PROGRAM)
    said = [line for line in done.stderr.splitlines() if line.startswith("hepta: ")]
    checks.true("another build is refused", done.returncode == 2 and len(said) == 1 and
                said[0].startswith("hepta: rank 1 on hepta-far runs another build of hepta than rank 0 on hepta-near"), done.stderr)


def main():
    if INSIDE not in os.environ:
        become_host()
    checks = runs.Checks()
    with runs.folder() as where:
        hosts = Hosts(where)
        deck = runs.deck("quarter_five_spot")
        check_bits(checks, hosts, deck, where)
        check_unlike(checks, hosts, deck, where)
        check_lost(checks, hosts, deck, where, "killed", lambda: os.kill(hosts.far_programs()[0], signal.SIGKILL))
        check_lost(checks, hosts, deck, where, "cut", lambda: hosts.link("down"), silent=True)
    return checks.result()


sys.exit(main())
