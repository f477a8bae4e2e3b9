"""`check-proof`: replays a certificate."""

from umigame.cluster.proof.check_proof import add_arguments, run

NAME = "check-proof"
HELP = "Check the certificate of a proof, without the engine"

__all__ = ["HELP", "NAME", "add_arguments", "run"]
