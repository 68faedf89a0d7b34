"""Completion in bash and zsh: every command, every option of every command's table, the values that --help lists, decks,
results and folders. The functions run as the shells run them; what they offer is compared with --help and with the
tables of options in the sources."""
import functools
import os
import re
import shutil
import subprocess
import sys

import runs

BASH = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_hepta
printf '%s\\n' "${COMPREPLY[@]}"
"""

# A terminal with zsh in it, where compadd tells what it is given; lines to complete come one after another.
ZSH = r"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -D -u; cd $2"
zpty -w z 'bindkey -e; bindkey "^I" complete-word; LISTMAX=0; unsetopt AUTO_LIST AUTO_MENU'
zpty -w z 'ended() { print -r -- "<end>"; comppostfuncs=(ended) }; comppostfuncs=(ended)'
zpty -w z 'compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  typeset -a hits; builtin compadd -O hits "$@"
  local hit; for hit in $hits; do print -r -- "<hit>$hit</hit>"; done
  builtin compadd "$@" }'
zpty -w z 'print "<re""ady>"'
local line out asked
repeat 200 { zpty -r z line || break; [[ $line == *'<ready>'* ]] && break }
for asked in "${@[3,-1]}"; do
  out=
  zpty -w -n z "$asked"$'\t'
  repeat 2000 { zpty -r z line || break; out+=$line; [[ $out == *'<end>'* ]] && break }
  zpty -w -n z $'\C-u'
  print -r -- "<line>$out"
done
"""


def in_bash(script, where, *words):
    done = subprocess.run(["bash", "-c", BASH, "bash", script, runs.PROGRAM, *words], cwd=where, capture_output=True,
                          text=True, timeout=60)
    assert not done.stderr, done.stderr
    return done.stdout.split()


def in_zsh(script, where, lines):
    """The words that are offered, a list for each line."""
    path = os.path.dirname(runs.PROGRAM) + ":" + os.environ["PATH"]
    done = subprocess.run(["zsh", "-fc", ZSH, "zsh", os.path.dirname(script), where, *["hepta " + line for line in lines]],
                          env=dict(os.environ, PATH=path), capture_output=True, text=True, timeout=300)
    answers = done.stdout.split("<line>")[1:]
    assert len(answers) == len(lines) and all("<end>" in a for a in answers), done.stdout + done.stderr
    return [re.findall("<hit>(.*?)</hit>", a) for a in answers]


@functools.lru_cache(None)
def help_of(*words):
    return runs.hepta(*words, "--help").stdout


def names(text):
    return re.findall(r"^  ([a-z]+)  *\S", text, re.M)


def options(text):
    """Long and short options in a help text."""
    found = []
    for short, name in re.findall(r"^ +(?:(-\w), )?(--[a-z-]+)", text, re.M):
        found += [name] + ([short] if short else [])
    return found


def commands():
    """["run"], ["bench", "spmv"], ...: all that have options."""
    found = [[name] for name in names(help_of()) if name != "bench"]
    return found + [["bench", name] for name in names(help_of("bench"))]


def check_tables(checks):
    """Every option that a command's source sets, or has in a table, is in its --help, and the other way round."""
    for words in commands():
        path = os.path.join(runs.SOURCE, *(words if len(words) > 1 else ("bench", "tuning") if words == ["tune"] else ("sim", "commands", words[0])))
        path = next(p for p in (path + ".c", os.path.join(path, "command.c"),
                                os.path.join(runs.SOURCE, "bench", "tuning", os.path.basename(path) + ".c")) if os.path.exists(p))
        with open(path) as f:
            text = f.read()
        table = re.findall(r'\{"([a-z-]+)", (?:no|required|optional)_argument', text)
        table = table or re.findall(r'hp_args_is\(option, "([a-z-]+)"\)', text) + ["help"]
        reported = [name[2:] for name in options(help_of(*words)) if name.startswith("--")]
        what = "hepta %s: options in the table and in --help" % " ".join(words)
        checks.true(what, not table or sorted(set(table)) == sorted(reported), sorted(set(table) ^ set(reported)))
        checks.true(what + ": there are some", len(table) > 1 or words == ["info"], path)


def check_form(checks):
    """In --help two blanks stand between an option with its value and what it does: manual and completion rely on it."""
    for words in commands():
        for line in help_of(*words).splitlines():
            if re.match(r" +(-\w, )?--", line):
                spec = re.sub(r'"[^"]*"', "X", line.strip()).split("  ")[0]
                right = re.fullmatch(r"(-\w, )?--[a-z-]+(\[=\S+\]| \S+)?", spec)
                checks.true("hepta %s: %s" % (" ".join(words), line.strip()), right is not None, spec)


def check_bash(checks, script, where):
    def offers(words, expected, exactly=True):
        found = in_bash(script, where, *words)
        right = sorted(found) == sorted(expected) if exactly else set(expected) <= set(found)
        checks.true("bash: hepta " + " ".join(words), right, found)

    offers([""], names(help_of()) + ["--help", "--version"])
    offers(["che"], ["check"])
    offers(["bench", ""], names(help_of("bench")) + ["--help"])
    for words in commands():
        offers(words + ["-"], options(help_of(*words)))
    offers(["run", "--backend", ""], ["cpu", "cuda"])
    offers(["run", "--progress", "al"], ["always"])
    offers(["compare", "A.cfg", "--set-of", ""], ["solvers", "amg", "formats", "executions", "gpus", "papers"])
    offers(["bench", "krylov", "--method", "gmres,t"], ["gmres,tfqmr"])
    offers(["bench", "krylov", "--precision", ""], ["single", "double"])
    offers(["bench", "spmv", "--format", "s"], ["sell", "sg-dia"])
    offers(["run", ""], ["A.cfg", "B.DATA", "sub"])
    offers(["run", "--quiet", "A"], ["A.cfg"])
    offers(["run", "sub/"], ["sub/C.cfg"])
    offers(["import", ""], ["B.DATA", "sub"])
    offers(["plot", ""], ["R.h5", "sub"])
    offers(["run", "A.cfg", "--restart", ""], ["R.h5", "sub"])
    offers(["run", "A.cfg", "--log", "n"], ["notes.txt"])
    offers(["run", "A.cfg", "--json", "=", "n"], ["notes.txt"])  # bash takes --json=n apart
    offers(["run", "A.cfg", "--json", "A"], ["A.cfg"])  # its value is optional: what follows is another word
    offers(["run", "A.cfg", "--threads", ""], [])
    offers(["run", "A.cfg", "--set", "linear.method", "=", "g"], [])


def check_zsh(checks, script, where):
    expected = {"": names(help_of()) + ["--help", "--version"],
                "bench s": ["spmv", "sgdia", "step", "solve"],
                "run --backend ": ["cpu", "cuda"],
                "bench krylov --method gmres,t": ["tfqmr"],
                "run ": ["A.cfg", "B.DATA", "sub"],
                "run A.cfg --restart ": ["R.h5", "sub"],
                "run A.cfg --json=n": ["notes.txt"]}
    expected.update({" ".join(words) + " -": options(help_of(*words)) for words in commands()})
    for line, found in zip(expected, in_zsh(script, where, expected)):
        checks.true("zsh: hepta " + line, sorted(set(found)) == sorted(expected[line]), found)


def main():
    checks = runs.Checks()
    scripts = os.path.join(os.path.dirname(runs.PROGRAM), "share", "completion")
    if not os.path.isdir(scripts):
        runs.skip("no completion beside the program")
    check_tables(checks)
    check_form(checks)
    with runs.folder() as where:
        os.mkdir(os.path.join(where, "sub"))
        for name in ("A.cfg", "B.DATA", "R.h5", "R.grid.h5", "notes.txt", "sub/C.cfg"):
            open(os.path.join(where, name), "w").close()
        check_bash(checks, os.path.join(scripts, "hepta"), where)
        if shutil.which("zsh"):
            check_zsh(checks, os.path.join(scripts, "_hepta"), where)
        else:
            print("without zsh, which is not installed")
    return checks.result()


sys.exit(main())
