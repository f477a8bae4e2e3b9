"""The commands of `python -m umigame.cluster`, a file each."""
