#!/bin/bash
# Solves positions on a Slurm cluster: sbatch --ntasks=64 slurm.sh POSITIONS STORE
# One worker a task. `umigame[cluster]` must be installed on every node, and STORE be a folder that all
# nodes see, or a URL. Submit it again to go on where it was ended.
#SBATCH --job-name=umigame
#SBATCH --cpus-per-task=1
set -euo pipefail
positions=$1 store=$2
address=tcp://$(hostname):$((20000 + SLURM_JOB_ID % 20000))
# A worker that dies is told to the job at once, which counts deaths by position.
export DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=0

dask scheduler --port "${address##*:}" --no-dashboard &
srun --overlap dask worker "$address" --nthreads 1 --no-dashboard --death-timeout 60 &
python -m umigame.cluster solve "$positions" --store "$store" --scheduler "$address"
# The workers end with the scheduler.
kill %1
wait %2 || true
