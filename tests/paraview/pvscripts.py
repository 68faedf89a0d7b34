"""Scripts of `hepta paraview` run by one pvbatch: most of the time of a small picture is the start of ParaView and of its window.

    done, said = pvscripts.run(folder, [("a.py", ["--picture", "a.png"])], [("b.py", []), ("c.py", [])])
    said["b.py"]: what it printed

Each group has a process of its own that begins where ParaView has started. Scripts of a group share its window, where pictures
would keep what the ones before were told; between them the session begins anew. A script that fails ends its group.
"""
import os
import subprocess

DRIVER = """
import os
import sys
import traceback
from paraview import simple
failed = False
for group in %r:
    child = os.fork()  # before there is a window
    if child == 0:
        code = 1
        try:
            for path, arguments in group:
                print("== " + path, flush=True)
                sys.argv = [path] + arguments
                with open(path) as f:
                    exec(compile(f.read(), path, "exec"), {"__name__": "__main__", "__file__": path})
                if path != group[-1][0]:
                    simple.ResetSession()
            code = 0
        except Exception:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    failed = os.waitpid(child, 0)[1] != 0 or failed
sys.stdout.flush()
os._exit(1 if failed else 0)
"""


def screen():
    return [] if os.environ.get("DISPLAY") else ["xvfb-run", "-a", "-s", "-noreset -screen 0 1280x1024x24"]


def run(folder, *groups, window=True):
    driver = os.path.join(folder, "all_scripts.py")
    with open(driver, "w") as f:
        f.write(DRIVER % (groups,))
    done = subprocess.run((screen() if window else []) + ["pvbatch", driver], cwd=folder, capture_output=True, text=True, timeout=600)
    said = {}
    for part in done.stdout.split("== ")[1:]:
        path, _, text = part.partition("\n")
        said[path] = text
    return done, said
