"""A press ram in two rigid guides: which of their reactions are accidents of the solver?

The rigid model leaves the share of the guides open; their sums are determined. With one guide all is. It prints

    two guides: not unique left.Fy left.Tz right.Fy right.Tz; determined side tilt
    one guide: not unique nothing
"""
import pathlib

import roberval as rb

folder = pathlib.Path(__file__).parents[1] / "guide"
result = rb.Model(folder / "guide.yaml").inverse()
open_ = sorted(name for name, word in result.verdicts.items() if word == "not unique")
sure = sorted(name for name in ("side", "tilt") if result[name].verdict == "unique")
one = rb.Model(folder / "one.yaml").inverse()
print(f"two guides: not unique {' '.join(open_)}; determined {' '.join(sure)}")
print("one guide: not unique", *[name for name, word in one.verdicts.items() if word == "not unique"] or ["nothing"])
