'''Roberval: statics, inverse dynamics, motion and joint reactions of rigid multibody systems, on numpy arrays.

    import roberval as rb
    m = rb.Model("press.yaml")
    r = m.inverse(to="1 s", step="1 ms")
    r["servo.effort"].unit, r["servo.effort"].verdict

Numbers are SI; texts may have units ("10 ms"). The words are those of the model file and of the command line.

>>> import roberval as rb
>>> m = rb.Model(text="""
... roberval: 1
... space: planar
... gravity: [0, -9.81]
... bodies: {arm: {mass: 2 kg, inertia: 0.1, centroid: [0.5, 0]}}
... joints: {hinge: {type: revolute, between: [ground, arm]}}
... drives: {motor: {coordinate: hinge.angle, motion: "t"}}
... motion: {from: 0, to: 1, step: 0.5}
... """)
>>> r = m.inverse()
>>> r["motor.effort"].unit, r["motor.effort"].verdict
('N.m', 'unique')
>>> print(f"{r['motor.effort'][0]:.2f}")
9.81
'''
from ._library import __version__
from .arrays import Linkage, LinkageSample, Reach, Tree
from .errors import (AnalysisError, AuditError, Diagnostic, InconsistentError, Interrupted, LockedError, ModelError,
                     ModelWarning, NoEquilibriumError, NotAssembledError, NotFiniteError, RobervalError)
from .evaluation import Evaluation, Event, Simulation, Value
from .model import Model
from .result import VERDICTS, Column, Result, StateSpace
from .study import Study, StudyResult, Tolerance, Tolerances

__all__ = ["__version__", "AnalysisError", "AuditError", "Column", "Diagnostic", "Evaluation", "Event", "InconsistentError",
           "Interrupted", "Linkage", "LinkageSample", "LockedError", "Model", "ModelError", "ModelWarning",
           "NoEquilibriumError", "NotAssembledError", "NotFiniteError", "Reach", "Result", "RobervalError", "Simulation",
           "StateSpace", "Study", "StudyResult", "Tolerance", "Tolerances", "Tree", "VERDICTS", "Value"]
