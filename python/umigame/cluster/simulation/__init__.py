"""A model of a cluster of any size: scheduler, client, workers, store and failures, event by event."""

from umigame.cluster.simulation.costs import Costs
from umigame.cluster.simulation.model import Outcome, Policy, simulate
from umigame.cluster.simulation.work import Work, batches_of, lognormal_work, store_work

__all__ = ["Costs", "Outcome", "Policy", "Work", "batches_of", "lognormal_work", "simulate", "store_work"]
