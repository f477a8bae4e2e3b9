#!/bin/bash
# Solves positions on hosts that ssh reaches: ssh.sh POSITIONS STORE HOST...
# One worker a core. `umigame[cluster]` must be installed on every host, with `dask` in the PATH that ssh
# gives, and STORE be a folder that this host sees, or a URL: only this host writes it. SCHEDULER is the
# name by which the hosts reach this one. Run it again to go on where it was ended.
set -euo pipefail
positions=$1 store=$2
shift 2
address=tcp://${SCHEDULER:-$(hostname)}:${PORT:-8786}
export DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=0

dask scheduler --port "${address##*:}" --no-dashboard &
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
for host in "$@"; do
    # -tt: the worker ends when its connection does.
    ssh -tt ${SSH_OPTIONS:-} "$host" "dask worker $address --nworkers auto --nthreads 1 --no-dashboard --death-timeout 60" </dev/null >&2 &
done
python -m umigame.cluster solve "$positions" --store "$store" --scheduler "$address"
