"""Roberval: statics, inverse dynamics, motion and joint reactions of rigid multibody systems, on numpy arrays.

    import roberval as rb
    m = rb.Model("press.yaml")
    r = m.inverse(to="1 s", step="1 ms")
    r["servo.effort"].unit, r["servo.effort"].verdict

Numbers are SI; texts may have units ("10 ms"). The words are those of the model file and of the command line."""
from ._library import __version__
from .arrays import Linkage, LinkageSample, Reach, Tree
from .errors import (AnalysisError, AuditError, Diagnostic, InconsistentError, Interrupted, LockedError, ModelError,
                     ModelWarning, NoEquilibriumError, NotAssembledError, NotFiniteError, RobervalError)
from .evaluation import Evaluation, Value
from .model import Model
from .result import VERDICTS, Column, Result, StateSpace
from .simulation import Event, Simulation
from .study import Study, StudyResult

__all__ = ["__version__", "AnalysisError", "AuditError", "Column", "Diagnostic", "Evaluation", "Event", "InconsistentError",
           "Interrupted", "Linkage", "LinkageSample", "LockedError", "Model", "ModelError", "ModelWarning",
           "NoEquilibriumError", "NotAssembledError", "NotFiniteError", "Reach", "Result", "RobervalError", "Simulation",
           "StateSpace", "Study", "StudyResult", "Tree", "VERDICTS", "Value"]
