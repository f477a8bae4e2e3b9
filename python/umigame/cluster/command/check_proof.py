"""`check-proof`: replays a certificate."""

from umigame.cluster.proof.check_proof import add_arguments as add
from umigame.cluster.proof.check_proof import run

NAME = "check-proof"
HELP = "Check the certificate of a proof, without the engine"
EXAMPLES = """\
examples:
  python -m umigame.cluster check-proof proof.jsonl.gz
  python -m umigame.cluster check-proof proof.jsonl.gz --sample 20 \\
      --solve 'umigame solve - --jsonl --window {low} {high}'"""

__all__ = ["EXAMPLES", "HELP", "NAME", "add", "run"]
