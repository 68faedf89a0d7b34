"""Two hosts made of this machine, for tests of ranks on processors and on GPUs: each has a name, a network, mounts and processes for
itself, which are gone when the test ends, however it ends.

    hepta-near  10.213.77.1  ==== wire ====  10.213.77.2  hepta-far
    starter, ranks 0 and 2                   its daemon, ranks 1 and 3
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
from rank_runs import HYDRA, MPIRUN, differences, numbers, sets

NAMES, ADDRESS = ("hepta-near", "hepta-far"), "10.213.77.%d/24"
ALONE = ["unshare", "--mount", "--uts", "--net", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"]
INSIDE = "HEPTA_TEST_INSIDE"
# The link is missed after some 3 seconds instead of 8 minutes.
MPI = {"OMPI_MCA_btl": "self,vader,tcp", "OMPI_MCA_oob_tcp_keepalive_time": "1", "OMPI_MCA_oob_tcp_keepalive_intvl": "1",
       "OMPI_MCA_oob_tcp_keepalive_probes": "2"}
if HYDRA:  # whose ranks wait as if they had their processors for themselves, and both hosts have the same ones
    MPI["HEPTA_TEST_RANKS_YIELD"] = "1"
STEPS = ["timestep.initial=1", "timestep.max=1", "timestep.accuracy=0", "output.refresh=0", "report.every=1"]


def become_host():
    """Starts this test again as the first program of a host."""
    missing = [tool for tool in ("unshare", "nsenter", "ip", "hostname") if shutil.which(tool) is None]
    if missing:
        runs.skip("no " + missing[0])
    words = ALONE[:1] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"]) + ALONE[1:]
    tried = subprocess.run(words + ["sh", "-c", "hostname hepta-near && ip link add name wire type veth peer name far && mount -t tmpfs none /mnt"],
                           capture_output=True, text=True)
    if tried.returncode != 0:
        runs.skip("no hosts can be made here: " + tried.stderr.strip())
    os.execvpe(words[0], words + [sys.executable] + sys.argv, dict(os.environ, **{INSIDE: "1"}))


def do(*words):
    subprocess.run(words, check=True)


def alone(ranks, arguments, where, **environment):
    """On this host alone."""
    return subprocess.run([MPIRUN, "-n", str(ranks), runs.PROGRAM] + arguments, cwd=where, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=300, env=dict(os.environ, **MPI, **environment))


class Hosts:
    def __init__(self, where):
        do("hostname", NAMES[0])
        self.far = subprocess.Popen(ALONE + ["sh", "-c", "hostname %s; echo; exec sleep 600" % NAMES[1]], stdout=subprocess.PIPE)
        self.far.stdout.readline()
        at = "/proc/%d/ns/" % self.far.pid
        self.enter = ["nsenter", "--mount=" + at + "mnt", "--uts=" + at + "uts", "--net=" + at + "net", "--ipc=" + at + "ipc", "--pid=" + at + "pid_for_children"]
        do("ip", "link", "add", "name", "wire", "type", "veth", "peer", "name", "wire", "netns", str(self.far.pid))
        names = self.write(where, "names", "127.0.0.1 localhost\n" + "".join("%s %s\n" % (ADDRESS[:-3] % (n + 1), name) for n, name in enumerate(NAMES)))
        for n, there in enumerate(([], self.enter)):
            do(*there, "mount", "--bind", names, "/etc/hosts")
            if HYDRA:  # UCX looks for the wire in /sys
                do(*there, "mount", "-t", "sysfs", "none", "/sys")
            do(*there, "ip", "address", "add", ADDRESS % (n + 1), "dev", "wire")
            for device in ("lo", "wire"):
                do(*there, "ip", "link", "set", "dev", device, "up")
        self.link("up")
        self.agent = self.write(where, "agent", '#!/bin/sh\nwhile [ "$1" != %s ]; do shift; done\nshift\nexec %s sh -c "$*"\n' % (NAMES[1], " ".join(self.enter)))
        MPI["OMPI_MCA_orte_tmpdir_base"] = where
        self.file = self.write(where, "hosts", "".join("%s%s\n" % (name, ":1" if HYDRA else " slots=2") for name in NAMES))

    @staticmethod
    def write(where, name, text):
        path = os.path.join(where, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, 0o755)
        return path

    def command(self, ranks, arguments, program=(runs.PROGRAM,)):
        """Ranks go to the hosts in turn, also where the environment says that all stay on this one (OMPI_MCA_plm=isolated)."""
        start = (["-launcher", "ssh", "-launcher-exec", self.agent, "-f", self.file] if HYDRA else
                 ["--mca", "plm", "^isolated", "--mca", "plm_rsh_agent", self.agent, "--hostfile", self.file, "--map-by", "node"])
        return [MPIRUN, *start, "-n", str(ranks), *program, *arguments]

    def run(self, ranks, arguments, where, **more):
        return subprocess.run(self.command(ranks, arguments, **more), cwd=where, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=300, env=dict(os.environ, **MPI))

    def names(self, where):
        """Of the hosts that two ranks start on."""
        done = self.run(2, [], where, program=("hostname",))
        return sorted(done.stdout.split()), done.stderr

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
        here, found = os.readlink("/proc/self/ns/uts"), []
        for number, _, _ in runs.processes():
            try:
                found.append((number, os.readlink("/proc/%d/ns/uts" % number) != here))
            except OSError:  # it has ended
                continue
        return found

    def far_programs(self):
        return [number for number, is_far in self.programs() if is_far]


def check_lost(checks, hosts, deck, where, name, lose, silent=False, ranks=4, options=(), kind=(), **more):
    """lose() in the middle of a run without end. All ranks end, one message says how it goes on, and it does, to the bits of a process
    without `kind`, the options of ranks on GPUs. silent: the other host says nothing any more. more: of Hosts.command."""
    steps, kind = STEPS + list(options), list(kind)
    begun = ["run", deck] + sets(steps + ["report.end=4000"]) + kind
    with open(os.path.join(where, name + ".said"), "w+", encoding="utf-8") as said:
        job = subprocess.Popen(hosts.command(ranks, begun + ["-o", name], **more), cwd=where, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                               env=dict(os.environ, **MPI))
        written = os.path.join(where, name + ".steps")
        until = time.time() + 60
        while time.time() < until and job.poll() is None and not (os.path.isdir(written) and len(os.listdir(written)) >= 4):
            time.sleep(0.02)
        checks.true(name + ": both hosts compute", job.poll() is None and len(hosts.programs()) == ranks and 2 * len(hosts.far_programs()) == ranks,
                    hosts.programs())
        lose()
        began = time.time()
        if silent and HYDRA:  # MPICH's starter waits for that host, until somebody ends it
            job.kill()
            hosts.link("up")
        try:
            job.wait(timeout=40)
        except subprocess.TimeoutExpired:
            job.kill()
        while hosts.programs() and time.time() < began + 40:
            time.sleep(0.05)
        checks.true(name + ": all ranks end", job.wait() not in (0, 0 if silent and HYDRA else -signal.SIGKILL) and not hosts.programs(), (job.returncode, hosts.programs()))
        said.seek(0)
        text = said.read()
    if not HYDRA:  # MPICH's starter gives nobody time to say it
        checks.true(name + ": how it goes on, once", len(re.findall(r"^To go on.*--restart %s$" % name, text, re.M)) == 1, text)
    with h5py.File(os.path.join(where, name + ".h5"), "r") as f:
        end = f["time"][-1] / runs.DAY + 2.0
    hosts.link("up")
    ends = sets(steps + ["report.end=%g" % end])
    done = hosts.run(2, ["run", deck, "--restart", name, "-q"] + ends + kind, where, **more)
    checks.true(name + ": goes on", done.returncode == 0, done.stderr)
    whole = alone(1, ["run", deck, "-q", "-o", "whole"] + ends, where)
    odd = [key for key in differences(numbers(where, "whole"), numbers(where, name)) if not key.startswith("restart")]
    checks.true(name + ": the bits of a run that nothing disturbs", whole.returncode == 0 and not odd, whole.stderr or odd[:5])
