"""One model in two coordinates: the same motion, forces and events."""
import math

import numpy as np
import cli


def run(command, model, *more):
    return cli.run_model(model, command, *more) if isinstance(model, dict) else cli.run([command, model, *more])


def instants(events):
    """events that are less than 1e-6 s apart by their names: at one instant they are told in any order"""
    groups, last = [], -math.inf
    for event in events:
        if event["t"] - last > 1e-6:
            groups.append([])
        groups[-1].append(event)
        last = event["t"]
    return [event for group in groups for event in sorted(group, key=lambda e: (e["name"], e["kind"]))]


class Case(cli.Case):
    coordinates = cli.other_coordinates()

    def in_them(self, model, *more, command="simulate"):
        return run(command, model, "--coordinates", self.coordinates, *more)

    def both(self, model, *more, command="simulate"):
        runs = [run(command, model, *more), self.in_them(model, *more, command=command)]
        for one in runs:
            self.assertEqual(one.code, 0, one.err)
        return runs

    def agree(self, a, b, tolerance, what=""):
        """each column to `tolerance` of the largest value of its unit"""
        self.assertEqual(list(a.series), list(b.series))
        kinds = {}
        for name in a.series:
            if "error" not in name and not name.startswith("energy"):
                kinds.setdefault(a.units.get(name, ''), []).append(name)
        spin = max((float(np.max(np.abs(a.series[n]))) for n in kinds.get("rad/s", [])), default=0)
        floor = 1e-10 + 1e-13 * spin**2                                 # of places 1e-15 m off that turn: accelerations and forces of nothing
        for names in kinds.values():
            size = max(float(np.max(np.abs(a.series[n]))) for n in names)
            for n in names:
                off = float(np.max(np.abs(np.asarray(a.series[n]) - np.asarray(b.series[n]))))
                self.assertLessEqual(off, tolerance * size + floor, f"{what} {n}: {off} of {size}")

    def agree_on_events(self, a, b, impulse=1e-6):
        """the same things happen at the same times, with the same impulses; their impulses"""
        told = [instants(r.result["integration"].get("events", [])) for r in (a, b)]
        self.assertEqual([(e["name"], e["kind"]) for e in told[0]], [(e["name"], e["kind"]) for e in told[1]])
        np.testing.assert_allclose([e["t"] for e in told[1]], [e["t"] for e in told[0]], atol=1e-7)
        impulses = [[e["impulse"] for e in t if e["kind"] == "impact"] for t in told]
        floor = 1e-9 * max(map(abs, impulses[0]), default=0)            # a bounce of 1e-12 m is known to 1e-4 of itself: its height is 1e4 times what places are rounded to
        np.testing.assert_allclose(impulses[1], impulses[0], rtol=impulse, atol=floor)
        return impulses[1]
