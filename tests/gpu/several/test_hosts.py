"""Ranks on two hosts with a GPU each: the bits of ranks on processors, and of two ranks on one host, with each way of exchange;
a rank of the other host that is killed. Both hosts are this machine (tests/ranks/hosts.py); the other one has
the second GPU where there are two, else both have the only one."""
import os
import signal
import sys

import runs

sys.path.insert(0, os.path.join(runs.SOURCE, "tests", "ranks"))
from hosts import INSIDE, NAMES, Hosts, alone, become_host, check_lost  # noqa: E402
from rank_runs import CUDA, FAULTED, differences, numbers, sets, visible_gpus  # noqa: E402

DILU, CPR = ["linear.preconditioner=dilu"], ["linear.preconditioner=cpr"]
SHORT = ["report.end=60", "report.every=30"]
VISIBLE = visible_gpus()[:2]  # of the first host and of the other
EACH = 'case "$(hostname)" in hepta-far) n=%s;; *) n=%s;; esac; CUDA_VISIBLE_DEVICES=$n exec "$@"' % (VISIBLE[-1], VISIBLE[0])
os.environ["NCCL_IB_DISABLE"] = "1"  # both hosts see this machine's InfiniBand, which does not go over the wire
PROGRAM = ("sh", "-c", EACH, "sh", runs.PROGRAM)


def way(text):
    """Of the line `solver`: how ghosts go, or None."""
    found = [line.split("ghosts through ", 1)[1] for line in text.splitlines() if "ghosts through " in line]
    return found[0] if len(found) == 1 else None


def on_processors(checks, what, deck, where, options):
    done = alone(2, ["run", deck, "-q", "-o", "cpu"] + sets(options), where)
    checks.true(what + ": ranks on processors", done.returncode == 0, done.stderr)
    return numbers(where, "cpu")


def on_hosts(checks, what, hosts, deck, where, right, options):
    """By a rank on each host. The finished process."""
    done = hosts.run(2, ["run", deck, "-o", "hosts"] + CUDA + options, where, program=PROGRAM)
    checks.true(what + ": two hosts", done.returncode == 0 and "2 ranks" in done.stderr, done.stderr[-2000:])
    odd = differences(right, numbers(where, "hosts")) if done.returncode == 0 else []
    checks.true(what + ": the bits of ranks on processors", not odd, "other bits: %s" % odd[:5])
    return done


def check_decks(checks, hosts, where, faulted):
    """Both kinds of preconditioners; the exchange that two ranks of one host have with these GPUs."""
    for what, options in (("dilu", DILU + ["report.end=120"]), ("cpr", CPR + SHORT), ("gmres", CPR + SHORT + ["linear.method=gmres"])):
        right = on_processors(checks, what, faulted, where, options)
        one = alone(2, ["run", faulted, "-o", "near"] + CUDA + sets(options), where, CUDA_VISIBLE_DEVICES=",".join(VISIBLE))
        checks.true(what + ": one host", one.returncode == 0, one.stderr[-2000:])
        odd = differences(right, numbers(where, "near")) if one.returncode == 0 else []
        checks.true(what + ": one host: the bits of ranks on processors", not odd, "other bits: %s" % odd[:5])
        two = on_hosts(checks, what, hosts, faulted, where, right, sets(options))
        checks.true(what + ": the exchange of one host", way(two.stderr) is not None and way(two.stderr) == way(one.stderr),
                    (way(two.stderr), way(one.stderr)))


def check_ways(checks, hosts, where, faulted):
    """Ghosts by each exchange that two ranks of one host have."""
    right = on_processors(checks, "ways", faulted, where, CPR + SHORT)
    for name in ("host", "mpi", "nccl"):
        options = sets(CPR + SHORT + ["linear.exchange=" + name])
        one = alone(2, ["run", faulted, "-o", "near"] + CUDA + options, where, CUDA_VISIBLE_DEVICES=",".join(VISIBLE))
        if name != "host" and one.returncode == 2 and "linear.exchange: " in one.stderr:
            refused = hosts.run(2, ["run", faulted, "-o", "hosts"] + CUDA + options, where, program=PROGRAM)
            checks.true(name + ": refused as on one host", refused.returncode == 2 and "linear.exchange: " in refused.stderr, refused.stderr[-2000:])
            print("  ghosts by %s: refused here" % name)
            continue
        checks.true(name + ": one host", one.returncode == 0, one.stderr[-2000:])
        two = on_hosts(checks, name, hosts, faulted, where, right, options)
        checks.true(name + ": as on one host", way(two.stderr) is not None and way(two.stderr) == way(one.stderr), (way(two.stderr), way(one.stderr)))
        print("  ghosts through", way(two.stderr))


def main():
    if INSIDE not in os.environ:
        with runs.folder() as where:
            runs.skip_without_gpu(where)
        become_host()
    checks = runs.Checks()
    with runs.folder() as where:
        hosts = Hosts(where)
        started, why = hosts.names(where)
        if started != sorted(NAMES):
            runs.skip("the starter puts ranks on %s instead of both hosts: %s" % (started, why[-500:]))
        faulted = hosts.write(where, "faulted.cfg", FAULTED)
        check_decks(checks, hosts, where, faulted)
        check_ways(checks, hosts, where, faulted)
        for what, kind in (("killed", CUDA), ("killed-host", CUDA + sets(["linear.exchange=host"]))):
            check_lost(checks, hosts, faulted, where, what, lambda: os.kill(hosts.far_programs()[0], signal.SIGKILL), ranks=2, options=CPR,
                       kind=kind, program=PROGRAM)
        if len(VISIBLE) < 2:
            print("  a GPU for each host: not checked, there is one")
    return checks.result()


sys.exit(main())
