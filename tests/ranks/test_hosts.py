"""Ranks on two hosts, two on each: the bits of one process, also where the other host has another folder of results; a build of
hepta that the other host alone has, and a mathematical library that rounds otherwise there; a rank of the other host that is
killed, and its link that goes down in the middle of a run: all ranks end, the files stand, the next start goes on from them.

Both hosts are this machine: each has a name, a network, mounts and processes for itself, which are gone when the test ends, however
it ends.

    hepta-near  10.213.77.1  ==== wire ====  10.213.77.2  hepta-far
    mpirun, ranks 0 and 2                    orted, ranks 1 and 3
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import h5py

import runs
from rank_runs import MPIRUN, differences, numbers, sets

NAMES, ADDRESS = ("hepta-near", "hepta-far"), "10.213.77.%d/24"
ALONE = ["unshare", "--mount", "--uts", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
INSIDE = "HEPTA_TEST_INSIDE"
# The link is missed after some 3 seconds instead of 8 minutes.
MPI = {"OMPI_MCA_btl": "self,vader,tcp", "OMPI_MCA_oob_tcp_keepalive_time": "1", "OMPI_MCA_oob_tcp_keepalive_intvl": "1",
       "OMPI_MCA_oob_tcp_keepalive_probes": "2"}
STEPS = ["timestep.initial=1", "timestep.max=1", "timestep.accuracy=0", "output.refresh=0", "report.every=1"]
# pow, exp and log of processors that cannot multiply and add at once
TUNABLES = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable"
FAR_ALONE = '[ "$(hostname)" != hepta-far ] || export GLIBC_TUNABLES=%s; exec "$@"' % TUNABLES
VALUES = "import math; print(hash(tuple(math.pow((n + 0.5) / 8192, 2.3) for n in range(8192))))"


def become_host():
    """Starts this test again as the first program of a host."""
    missing = [tool for tool in ("unshare", "nsenter", "ip", "hostname") if shutil.which(tool) is None]
    if missing:
        runs.skip("no " + missing[0])
    if "hydra" in os.path.realpath(MPIRUN):
        runs.skip("needs the starter of Open MPI")
    words = ALONE[:1] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"]) + ALONE[1:]
    tried = subprocess.run(words + ["sh", "-c", "hostname hepta-near && ip link add name wire type veth peer name far && mount -t tmpfs none /mnt"],
                           capture_output=True, text=True)
    if tried.returncode != 0:
        runs.skip("no hosts can be made here: " + tried.stderr.strip())
    os.execvpe(words[0], words + [sys.executable] + sys.argv, dict(os.environ, **{INSIDE: "1"}))


def do(*words):
    subprocess.run(words, check=True)


def alone(arguments, where):
    """By one rank, on this host."""
    return subprocess.run([MPIRUN, "-n", "1", runs.PROGRAM] + arguments, cwd=where, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=120, env=dict(os.environ, **MPI))


class Hosts:
    def __init__(self, where):
        do("hostname", NAMES[0])
        self.far = subprocess.Popen(ALONE + ["sh", "-c", "hostname %s; echo; exec sleep 600" % NAMES[1]], stdout=subprocess.PIPE)
        self.far.stdout.readline()
        at = "/proc/%d/ns/" % self.far.pid
        self.enter = ["nsenter", "--mount=" + at + "mnt", "--uts=" + at + "uts", "--net=" + at + "net", "--pid=" + at + "pid_for_children"]
        do("ip", "link", "add", "name", "wire", "type", "veth", "peer", "name", "wire", "netns", str(self.far.pid))
        names = self.write(where, "names", "127.0.0.1 localhost\n" + "".join("%s %s\n" % (ADDRESS[:-3] % (n + 1), name) for n, name in enumerate(NAMES)))
        for n, there in enumerate(([], self.enter)):
            do(*there, "mount", "--bind", names, "/etc/hosts")
            do(*there, "ip", "address", "add", ADDRESS % (n + 1), "dev", "wire")
            for device in ("lo", "wire"):
                do(*there, "ip", "link", "set", "dev", device, "up")
        self.agent = self.write(where, "agent", '#!/bin/sh\nshift\nexec %s sh -c "$*"\n' % " ".join(self.enter))
        MPI["OMPI_MCA_orte_tmpdir_base"] = where
        self.file = self.write(where, "hosts", "".join("%s slots=2\n" % name for name in NAMES))

    @staticmethod
    def write(where, name, text):
        path = os.path.join(where, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, 0o755)
        return path

    def command(self, ranks, arguments, program=(runs.PROGRAM,)):
        return [MPIRUN, "--mca", "plm_rsh_agent", self.agent, "--hostfile", self.file, "--map-by", "node", "-n", str(ranks), *program, *arguments]

    def run(self, ranks, arguments, where, **more):
        return subprocess.run(self.command(ranks, arguments, **more), cwd=where, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=120, env=dict(os.environ, **MPI))

    def link(self, state):
        """Down at once; up when both ends carry again."""
        do("ip", "link", "set", "dev", "wire", state)
        show = ["ip", "-br", "link", "show", "dev", "wire"]
        until = time.time() + 10
        while state == "up" and time.time() < until and not all(" UP " in subprocess.run(there + show, capture_output=True, text=True).stdout
                                                                for there in ([], self.enter)):
            time.sleep(0.02)

    @staticmethod
    def programs():
        """Processes of hepta on both hosts, each with whether it is on the other one, whose processes are seen from here."""
        found = []
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cmdline" % number, "rb") as f:
                    if f.read().split(b"\0")[0] == runs.PROGRAM.encode():
                        found.append((int(number), os.readlink("/proc/%s/ns/uts" % number) != os.readlink("/proc/self/ns/uts")))
            except OSError:
                continue
        return found

    def far_programs(self):
        return [number for number, is_far in self.programs() if is_far]


def check_bits(checks, hosts, deck, where):
    """Files that both hosts write have the bytes of one process; likewise where one does not see the folder, which a note says."""
    options = ["run", deck] + sets(STEPS + ["report.end=2"])
    done = alone(options + ["-q", "-o", "one"], where)
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


def check_lost(checks, hosts, deck, where, name, lose):
    """lose() in the middle of a run without end. All ranks end, one message says how it goes on, and it does."""
    options = ["run", deck] + sets(STEPS + ["report.end=4000"])
    with open(os.path.join(where, name + ".said"), "w+", encoding="utf-8") as said:
        job = subprocess.Popen(hosts.command(4, options + ["-o", name]), cwd=where, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                               env=dict(os.environ, **MPI))
        steps = os.path.join(where, name + ".steps")
        until = time.time() + 60
        while time.time() < until and job.poll() is None and not (os.path.isdir(steps) and len(os.listdir(steps)) >= 4):
            time.sleep(0.02)
        checks.true(name + ": both hosts compute", job.poll() is None and len(hosts.programs()) == 4 and len(hosts.far_programs()) == 2, hosts.programs())
        lose()
        began = time.time()
        try:
            job.wait(timeout=40)
        except subprocess.TimeoutExpired:
            job.kill()
        while hosts.programs() and time.time() < began + 40:
            time.sleep(0.05)
        checks.true(name + ": all ranks end", job.returncode not in (0, -signal.SIGKILL) and not hosts.programs(), (job.returncode, hosts.programs()))
        said.seek(0)
        text = said.read()
    checks.true(name + ": how it goes on, once", len(re.findall(r"^To go on.*--restart %s$" % name, text, re.M)) == 1, text)
    with h5py.File(os.path.join(where, name + ".h5"), "r") as f:
        end = f["time"][-1] / runs.DAY + 2.0
    hosts.link("up")
    ends = sets(STEPS + ["report.end=%g" % end])
    done = hosts.run(2, ["run", deck, "--restart", name, "-q"] + ends, where)
    checks.true(name + ": goes on", done.returncode == 0, done.stderr)
    whole = alone(["run", deck, "-q", "-o", "whole"] + ends, where)
    odd = [key for key in differences(numbers(where, "whole"), numbers(where, name)) if not key.startswith("restart")]
    checks.true(name + ": the bits of a run that nothing disturbs", whole.returncode == 0 and not odd, odd[:5])


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
        check_lost(checks, hosts, deck, where, "cut", lambda: hosts.link("down"))
    return checks.result()


sys.exit(main())
