#!/usr/bin/python3
"""The mobile robot of Wojtyra and Fraczek in full, through the command line: ranks and verdicts, reactions at one state
by least norm, three eliminations and compliances, every inadmissible elimination refused, and its way over the ground.

Sources: computed independently (state, three variants, lam_min_norm, lam_compliant, simulation at t = 2 s),
exact.*.admissible_eliminations (1-based rows, exact rational ranks), python001-004/robot.py (row order; signs: test/py/rolling.py).
test/py/rolling.py is an oracle of its own for any other state; Reference below holds it against the same numbers without the program.

Tolerances.  T8 = 1e-8: the state is exact to the last digit, reactions are of order 1 to 10 and sigma_20 = 2e-2, so 1e-12 is what a
correct program reaches; TURN = 1e-6: the trajectory at t = 2 s was integrated with a drift of 6e-10 and its reactions hang on it with
factors of some 100.  ROAD = 1e-7: how well positions are integrated over 7.5 s (asked of the program; the oracle has 1e-10).
Values that must be equal bit for bit are compared without a tolerance: the way to one answer may not touch the motion.
"""
import concurrent.futures
import itertools
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import planar           # noqa: E402
import rolling          # noqa: E402
from rolling import BODIES, FIRM, LOOSE, WHEELS      # noqa: E402

T8, TURN, ROAD = 1e-8, 1e-6, 1e-7
INSTANT = {"from": 0, "to": 0, "step": 1}
POOL = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2)

# ---- the state: delta -0.2, heading -0.3, trolley 0.1, u 0.6, d' 0.02, d'' -0.5
Q = [
    0.15, -0.05, -0.3, 0.34106729782512124, -0.10910404133226792, -0.5, -0.041067297825121224, 0.009104041332267922,
    -0.09999999999999998, 0.33365182386759673, 0.034430615974116244, 1.27478302178722, 0.04609872085284453, 0.12338121442430934,
    1.266809631802573, 0.22681500463574988, 0.19832202734949123, -0.3, -0.4771512401105529, 0.11787541536330114, -0.19999999999999998]
QD = [
    0.5732018934753628, -0.17731212399680407, -0.6081301065260188, 0.5372589465238524, -0.29350590017683337, -1.0165957449318508,
    0.6091448404268737, -0.061118347816774735, -0.19966446812019073, 0.6323976164957235, -0.27048140428293777, -0.5919000585411588,
    0.6826148949460644, -0.09441263785993007, -0.6243601545108772, 0.730124398553393, -0.20491891116622635, -0.6081301065260188,
    0.6192413692599253, -0.07242895519427883, 0.5203907017761304]
QDD = [
    -0.20672426315120326, -0.31798938950327554, -1.1708284974478906, -0.3465858925433823, -0.5198384385688098, 9.004953463075518,
    -0.06686263375902425, -0.11614034043774361, -11.34661045797125, -0.34545286102564376, -1.0378733391369017, -1.5424498785369747,
    -0.044749647062137056, -0.7568346072562138, -0.7992071163588133, -0.06891100112123273, -0.9846184249497897, -1.1708284974478906,
    0.1712530108317771, 0.22963558298067385, -0.6423119146154093]
LAM_1 = [
    0.635979198754203, 0.06147367329092989, 1.231424893897176, 2.4961934648057786, 0.08992995835430452, 0.0, 0.09493882345728906,
    0.3585782758430322, 0.16167422369210419, 0.4399217043092821, 0.19857468176498216, 0.6699402775841028, 0.17509911781074528,
    0.6669720864861463, 0.12815698097341346, 0.0026367972135213458, 1.7720319236390334, 2.7319758987492864, -0.38376877948416704,
    3.128704183306641, 0.0, -1.1088065506795313]
LAM_2 = [
    0.6359791987542024, 0.06147367329092444, -0.07835412281440159, 0.09865905655862828, -0.1828125298146221, -2.718327398694682,
    0.09493882345728898, 0.35857827584303226, 0.1616742236921044, 0.43992170430928323, 0.1985746817649822, 0.6699402775841022,
    0.1750991178107459, 0.6669720864861477, 0.12815698097341222, 0.002636797213520994, 1.772031923639035, 0.0, -3.1157446782334186,
    8.483740722970538, 0.0, -1.1088065506795304]
LAM_3 = [
    0.635979198754203, 0.0614736732909304, 1.4154134477008526, 2.8329822534790394, 0.12824290681259257, 0.38185153409041317,
    0.094938823457289, 0.3585782758430319, 0.16167422369210466, 0.4399217043092836, 0.19857468176498208, 0.6699402775841025,
    0.1750991178107457, 0.6669720864861477, 0.12815698097341366, 0.0026367972135210365, 1.772031923639035, 3.1157446782334586, 0.0,
    2.3764662745239185, 0.0, -1.1088065506795315]
LAM_LEAST = [
    0.6359791987542027, 0.06147367329092988, 1.0636690487326173, 2.1891184499865606, 0.05499723609254807, -0.3481620215194025,
    0.0949388234572846, 0.35857827584302077, 0.16167422369210288, 0.4399217043092831, 0.19857468176497756, 0.6699402775840907,
    0.17509911781074555, 0.6669720864861488, 0.1281569809734158, 0.0026367972135199914, 1.7720319236390205, 2.382065784129702,
    -0.7336788941037576, 1.9072873002405775, 1.907287300240577, -1.108806550679532]
LAM_COMPLIANT = [
    0.6359791987542025, 0.061473673290929357, 1.3153907718267686, 2.6498919733987054, 0.10741463491089255, 0.17426355409520328,
    0.09493882345728466, 0.35857827584302, 0.1616742236921031, 0.4399217043092841, 0.19857468176497758, 0.6699402775840899,
    0.17509911781074597, 0.6669720864861498, 0.12815698097341552, 0.0026367972135198418, 1.772031923639021, 2.9071144159297777,
    -0.20863026230368098, 1.3927046844720508, 1.3927046844720508, -1.1088065506795326]
Q_TURN = [
    0.9622880606465929, -0.12025777517812686, -0.49117676612494743, 1.1386437468900568, -0.21459054747696163, -0.6925763860307795,
    0.7859323744031286, -0.025925002879022677, -0.2897771462241514, 1.1586755008365126, -0.07220470246508529, 1.0836620603926852,
    0.8932508266325508, 0.06977112994219306, 1.0755770609472768, 1.0849206646820568, 0.10900461702630355, -0.49117676612494743,
    0.3599957761281263, 0.05393820310033427, 0.05791062842469089]
TURN_1 = [
    -0.09212427379926084, -0.33929902440065957, -0.438763520822642, -0.524314831930338, 0.008910673221620926, 0.0,
    -0.003945987594716673, 0.003055501128950716, 0.00621823059495762, -0.0016787021524713207, 0.04241940556015929, 0.0696874305887075,
    0.03325040566635834, 0.07486426072001061, 0.00353924801511563, -3.181779018874452e-05, 0.28242561112948944, -0.5632569945802254,
    0.12262770449968717, 4.117798248121971, 0.0, 0.4624310420148969]
TURN_2 = [
    -0.09212427423806509, -0.3392990245328459, -0.07911148451694193, -0.0908302820888587, 0.16985497827301843, 0.5397734480758087,
    -0.003945987576584667, 0.00305550115223357, 0.006218230559179165, -0.0016787021928328942, 0.04241940552423716, 0.06968743052696996,
    0.0332504056381086, 0.07486426063906615, 0.0035392479274144193, -3.1817789111413024e-05, 0.28242561086657025, 0.0,
    0.6858847014685359, 3.014053854943187, 0.0, 0.46243104231071386]
TURN_3 = [
    -0.09212427428450168, -0.3392990245476352, -0.5170640209467862, -0.6186895435140705, -0.026128803964654886, -0.11751505844896021,
    -0.00394598757453786, 0.0030555011547238886, 0.00621823055574206, -0.0016787021955449405, 0.042419405519373246, 0.0696874305188977,
    0.03325040563537264, 0.07486426063041807, 0.0035392479175398828, -3.181778928882141e-05, 0.2824256108341724, -0.6858847017326546,
    0.0, 4.35809644626784, 0.0, 0.46243104241752875]
KE_TURN = 2.3736354121497247
# x, y, heading of the platform and turn of the trolley each 1.25 s of the free motion
PATH = [
    [0.0, 0.0, 0.0, 0.0],
    [0.6211678958104383, -0.011847692621641807, -0.12735487155301092, 0.08475437991036427],
    [1.1585330784797754, -0.2586006642610709, -0.736903771655112, -0.0981009572552809],
    [1.530842235996856, -0.7577366352510443, -0.9857697675909206, -0.7378091206097808],
    [1.8784986471490848, -1.2785436124353504, -0.9465815306768248, -0.9768016571722409],
    [2.3512304518191107, -1.6536457905662918, -0.36178107712205365, -0.9605567154378957],
    [2.969246561635751, -1.7217428606901057, 8.398778543841867e-06, -0.3363078764122561],
]

# the platform's forward speed each 0.25 s of the free motion, from the reference's poses and its kinetic energy (v1.KE)
PACE = [
    0.5, 0.5, 0.5, 0.4994028908, 0.4943632761, 0.4837013334, 0.479152924, 0.4794935653, 0.4804458933, 0.4814467051, 0.4823049482,
    0.4874899749, 0.5019873712, 0.5091459811, 0.5060690642, 0.5030229279, 0.5014935676, 0.5007357824, 0.5003626409, 0.5007392537,
    0.4995341586, 0.4920098379, 0.4878406462, 0.4880607819, 0.4890551912, 0.4901355672, 0.4910790877, 0.4967231895, 0.5077125994,
    0.5097241533, 0.5055058825]

VARIANTS = {"C.Fy,W4.Fy": LAM_1, "W1.Fy,W4.Fy": LAM_2, "W2.Fy,W4.Fy": LAM_3}
STEER = f"{0.2599314798252642!r} + 0.02*t - 0.25*t^2"
A = QDD[0] * math.cos(Q[2]) + QDD[1] * math.sin(Q[2])                 # v = u x1 (W3 and W4 allow no other), so u' = a.x1
JOINTS = (*rolling.PAIRS, "H", *WHEELS)

# the steering of the simulation: 5a, to the right, straight, to the left, straight
BLENDS = ((.5, 1.5, 1), (2.5, 3.5, -1), (4.5, 5.5, -1), (6.468664228, 7.468664228, 1))
TURNING = "5*0.05" + "".join(f" {'+' if s > 0 else '-'} 0.2*0.05*step(t, {t0!r}, 0, {t1!r}, 1)" for t0, t1, s in BLENDS)


def turning(t):
    return .25 + .01 * sum(s * planar.step(t, t0, 0.0, t1, 1.0) for t0, t1, s in BLENDS)


def full(q):
    return np.append(np.zeros(3), q)


def at_state(**more):
    return rolling.robot(Q, STEER, speed=f"0.6 + ({A!r})*t", motion=INSTANT, **more)


def with_outputs(model):
    model["output"] = rolling.accelerations(model)
    return model


def standing(*place):
    """The model at rest at rolling.pose(*place), and its oracle."""
    q, d = rolling.pose(*place)
    return rolling.robot(q, d), q


PLACES = {"straight": (0.0,), "the state": (-.2, -.3, .1, .15, -.05), "turned": (.4, .7, .3, .2, -.1), "86 deg": (1.5, -2.0, 1.1),
          "86 deg to the right": (-1.5, .4, -.2), "exact 49.2 deg": (2 * math.atan(60 / 131), math.atan2(4, 3), math.atan2(5, 12))}

# exact.*.admissible_eliminations: pairs of rows, 1-based
STRAIGHT = {(20, 4), (20, 6), (20, 18), (20, 19), (21, 4), (21, 6), (21, 18), (21, 19), (21, 20)}
STEERED = {(20, 3), (20, 4), (20, 5), (20, 6), (20, 18), (20, 19), (21, 3), (21, 4), (21, 5), (21, 6), (21, 18), (21, 19), (21, 20)}


def row_name(k):
    """Theory's row (1-based) as a component of --frame ground, standing straight; None is the drive."""
    if k <= 14:
        return f"{rolling.PAIRS[(k - 1) // 2]}.{'Fx' if k % 2 else 'Fy'}"
    return {15: "H.Fx", 16: "H.Tz", 17: None}.get(k) or (f"W{k - 17}.Fy" if k > 17 else None)


class Check(cli.Case):
    def facts(self, model, *flags):
        done, doc = cli.check(model, *flags)
        self.assertEqual(done.code, 0, done.said())
        return doc

    def test_mobility(self):
        for name, place in PLACES.items():
            for criterion in ((), ("--criterion", "ranks"), ("--criterion", "svd"), ("--criterion", "qr")):
                for initial in (True, False):
                    if criterion and not initial:
                        continue
                    with self.subTest(name, criterion=criterion, initial=initial):
                        q, d = rolling.pose(*place)
                        mob = self.facts(rolling.robot(q, d, initial=initial), *criterion)["mobility"]
                        want = {"coordinates": 21, "rows": 22, "rank": 20, "redundant": 2, "degrees_of_freedom": 1,
                                "degrees_of_freedom_position": 4, "gruebler": 0}
                        self.assertEqual({k: mob[k] for k in want}, want)

    def test_with_a_speed_program_nothing_is_free(self):
        """one more row, on rates: the position keeps its four freedoms"""
        mob = self.facts(at_state())["mobility"]
        want = {"coordinates": 21, "rows": 23, "rank": 21, "redundant": 2, "degrees_of_freedom": 0, "degrees_of_freedom_position": 4,
                "gruebler": -1}
        self.assertEqual({k: mob[k] for k in want}, want)

    @cli.long
    def test_verdicts(self):
        for name, place in PLACES.items():
            model, q = standing(*place)
            mech = rolling.Rolling(model)
            for flags in ((), ("--criterion", "ranks"), ("--criterion", "svd"), ("--criterion", "qr"), ("--frame", "ground")):
                with self.subTest(name, flags=flags):
                    doc = self.facts(model, *flags)
                    got = {j: r["verdict"] for j, r in doc["reactions"].items()}
                    self.assertEqual(got, {**dict.fromkeys(LOOSE, "not unique"), **dict.fromkeys(FIRM, "unique")})
                    self.assertEqual(doc["drives"]["steer"]["verdict"], "unique")
                    z = np.zeros(24)
                    marks = mech.answer(full(q), z, z, 0.0, "ground" if "ground" in flags else "joint")["marks"]
                    for key, want in marks.items():
                        j, c = key.split(".")
                        if want == "free" and c != "Tz" and "ground" in flags:
                            continue                                          # held, but along the other axis: zero, by whatever name
                        self.assertEqual(doc["reactions"][j]["components"][c]["verdict"], want, key)

    def test_self_stress_modes_balance(self):
        for name, place in PLACES.items():
            with self.subTest(name):
                model, q = standing(*place)
                mech = rolling.Rolling(model)
                modes = self.facts(model, "--frame", "ground")["self_stress"]
                self.assertEqual(len(modes), 2)
                table = []
                for mode in modes:
                    W = np.zeros(24)
                    for key, x in mode.items():
                        j, c = key.split(".")
                        self.assertIn(j, LOOSE)
                        p, joint = mech.point(list(full(q)), mech.joints[j].second), mech.joints[j]
                        F = np.array([x * (c == "Fx"), x * (c == "Fy"), x * (c == "Tz")])
                        for ref, sign in ((joint.second, 1.0), (joint.first, -1.0)):
                            k = 3 * ref[0].index
                            W[k:k + 2] += sign * F[:2]
                            W[k + 2] += sign * (F[2] + (p[0] - full(q)[k]) * F[1] - (p[1] - full(q)[k + 1]) * F[0])
                    self.near(np.abs(W[3:]).max(), 0.0, 1e-9, str(mode))
                    table.append([mode.get(f"{j}.{c}", 0.0) for j in LOOSE for c in ("Fx", "Fy")])
                self.assertEqual(np.linalg.matrix_rank(table, 1e-6), 2)

    def test_standing_straight_the_modes_are_those_of_the_theory(self):
        """W4 +1 balanced by W1, W2, B_y, C_y -0.5 (multipliers), and W3 likewise; their difference is the pair W3, W4.
        In forces on the second body the signs of wheels turn round: W4 +1, W1 and W2 -0.5, and B_y, C_y +0.5 on the knuckles."""
        modes = self.facts(standing(0.0)[0])["self_stress"]
        keys = ["W1.Fy", "W2.Fy", "W3.Fy", "W4.Fy", "B.Fy", "C.Fy"]
        table = np.array([[m.get(k, 0.0) for k in keys] for m in modes])
        want = np.array([[-.5, -.5, 0, 1, .5, .5], [-.5, -.5, 1, 0, .5, .5]])
        self.assertEqual(np.linalg.matrix_rank(np.vstack([table, want]), 1e-9), 2)
        self.assertTrue(all(k in keys for m in modes for k in m), modes)

    def test_ask_for_combinations(self):
        """straight: the sum over all four wheels is determined, none of them is; W1 and W2 share alike.  The words are in the text."""
        for ask, want in (("W1.Fy + W2.Fy + W3.Fy + W4.Fy", "unique"), ("W1.Fy - W2.Fy", "unique"), ("W3.Fy + W4.Fy", "not unique"),
                          ("W1.Fy", "not unique"), ("B.Fy + W1.Fy", "unique"), ("B.Fy - W1.Fy", "not unique"), ("A.Fx - 3*H.Tz", "unique")):
            with self.subTest(ask):
                done = cli.run_model(standing(0.0)[0], "check", "--ask", ask, out=False, quiet=False)
                self.assertEqual(done.code, 0, done.said())
                lines = [x for x in done.out.splitlines() if ask in x]
                self.assertTrue(lines, f"the text does not repeat {ask!r}:\n{done.out[-600:]}")
                self.assertEqual(any("not unique" in x for x in lines), want == "not unique", lines)
                self.assertTrue(any("unique" in x for x in lines), lines)

    def test_acceptance_model_is_this_one(self):
        root = os.environ.get("ROBERVAL_ACCEPTANCE", os.path.join(cli.ROOT, "..", "shared", "acceptance"))
        path = os.path.join(root, "mobile-robot", "model.yaml")
        if not os.path.exists(path):
            self.skipTest("no acceptance models at hand")
        a = cli.run(["check", path, "--json"], out=False)
        self.assertEqual(a.code, 0, a.said())
        mine, hers = self.facts(standing(0.0)[0]), a.json()
        for part in ("mobility", "reactions", "drives"):
            strip = lambda x: {k: v for k, v in x.items() if k != "decision"}
            self.assertEqual(strip(mine[part]), strip(hers[part]), part)


class State(cli.Case):
    """inverse at theory's state: the free motion is prescribed, so that nothing pushes"""

    def compare(self, done, want, tol=T8, what=""):
        for key, x in want.items():
            self.assertIn(key, done.series)
            self.near(done.series[key][0], x, tol, f"{what} {key}")

    def test_the_motion_is_the_free_one(self):
        done = self.ok(with_outputs(at_state()))
        for k, b in enumerate(BODIES):
            for i in range(3):
                self.near(done.series[f"{b}.{('x', 'y', 'angle')[i]}"][0], Q[3 * k + i], 1e-12, f"{b} {i}")
                self.near(done.series[f"V{i}_{b}"][0], QD[3 * k + i], T8, f"rate {b} {i}")
                self.near(done.series[f"A{i}_{b}"][0], QDD[3 * k + i], T8, f"second rate {b} {i}")
        self.near(done.series["speed.effort"][0], 0.0, T8, "speed.effort")
        self.assertEqual(done.result["mobility"]["rank"], 21)

    def test_least_norm(self):
        for frame in ("ground", "joint"):
            want = rolling.reactions_of(LAM_LEAST, Q)
            done = self.ok(at_state(), "inverse", "--frame", frame)
            self.compare(done, want if frame == "ground" else rolling.in_joint_axes(want, Q), what=frame)
            for key in (f"{j}.Fy" for j in LOOSE):
                self.assertEqual(done.marks[key], "not unique", key)
        again = self.ok(at_state(), "inverse", "--frame", "joint", "--redundant", "min-norm")
        self.assertEqual(again.series.keys(), done.series.keys())
        for key, x in done.series.items():
            self.near(again.series[key], x, 0.0, key)

    def test_order_of_joints_and_bodies_does_not_matter(self):
        m = at_state()
        want = rolling.reactions_of(LAM_LEAST, Q)
        rng = np.random.default_rng(3)
        for k in range(4):
            for part in ("joints", "bodies"):
                keys = list(m[part])
                m[part] = {keys[i]: m[part][keys[i]] for i in rng.permutation(len(keys))}
            self.compare(self.ok(m, "inverse", "--frame", "ground"), want, what=f"order {k}")

    def test_three_eliminations(self):
        for what, lam in VARIANTS.items():
            for frame in ("ground", "joint"):
                if frame == "joint" and "C." in what:
                    continue                                                  # C's row of the theory is along ground's y
                with self.subTest(what, frame=frame):
                    done = self.ok(at_state(), "inverse", "--redundant", f"eliminate={what}", "--frame", frame)
                    want = rolling.reactions_of(lam, Q)
                    self.compare(done, want if frame == "ground" else rolling.in_joint_axes(want, Q))
                    for key in what.split(","):
                        self.near(done.series[key][0], 0.0, 0.0, f"{key} is left out")
                    self.near(done.series["speed.effort"][0], 0.0, T8, "speed.effort")
                    for key, mark in done.marks.items():
                        joint, _, c = key.partition(".")
                        if joint in LOOSE and c != "Tz" and not (c == "Fx" and frame == "joint" and joint in WHEELS):
                            self.assertEqual(mark, "not unique", key)
                        elif joint in FIRM and done.series[key].any():
                            self.assertEqual(mark, "unique", key)
                    for j in JOINTS:
                        self.assertEqual(done.result["reactions"][j]["verdict"], "not unique" if j in LOOSE else "unique", j)

    def test_any_nonzero_component_names_a_wheel(self):
        """in ground's axes Fx of a wheel is as good as its Fy; and the order of names is nothing"""
        for what in ("C.Fy,W4.Fx", "W4.Fy,C.Fy"):
            done = self.ok(at_state(), "inverse", "--redundant", f"eliminate={what}", "--frame", "ground")
            self.compare(done, rolling.reactions_of(LAM_1, Q), what=what)

    def test_in_the_joint_axes_another_component_is_left_out(self):
        """C.Fy in the platform's axes is not C.Fy in ground's: the oracle says what follows"""
        model = at_state()
        mech = rolling.Rolling(model)
        got = self.ok(model, "inverse", "--redundant", "eliminate=C.Fy,W4.Fy")
        want = mech.answer(full(Q), full(QD), full(QDD), 0.0, "joint", ("C.Fy", "W4.Fy"))["values"]
        self.compare(got, want)
        self.near(got.series["C.Fy"][0], 0.0, 0.0, "C.Fy")
        self.assertGreater(abs(want["C.Fx"] - rolling.in_joint_axes(rolling.reactions_of(LAM_1, Q), Q)["C.Fx"]), .003)

    def test_pushed_by_the_speed_program(self):
        """another acceleration: speed.effort is what the free motion lacks; everything by the oracle"""
        model = with_outputs(rolling.robot(Q, STEER, speed="0.6 + 1.5*t", motion=INSTANT))
        mech, t = rolling.Rolling(model), 0.0
        q, v = full(Q), full(QD)
        a = mech.acceleration_at(q, v, t)
        done = self.ok(model, "inverse", "--frame", "ground")
        want = mech.answer(q, v, a, t, "ground")["values"]
        self.compare(done, want)
        worst, size = rolling.balance(mech, done.series, [0.0])
        self.near(worst, 0.0, 1e-9 * max(1, size), "Newton and Euler")
        self.assertGreater(abs(want["speed.effort"]), 10)

    def test_in_the_turn_of_the_simulation(self):
        """t = 2 s of the free motion: steering holds, the speed follows from the kinetic energy"""
        d = turning(2.0)
        mech = rolling.Rolling(rolling.robot(Q_TURN, d, speed="1"))
        q = mech.assemble(full(Q_TURN), 0.0)
        v = mech.velocity_from(q, np.zeros(24), 0.0)
        u = math.sqrt(KE_TURN / mech.kinetic_energy(q, v))
        free = rolling.Rolling(rolling.robot(Q_TURN, d))
        a = free.acceleration_at(q, u * v, 0.0)
        A2 = a[3] * math.cos(q[5]) + a[4] * math.sin(q[5])
        model = rolling.robot(q[3:], d, speed=f"{u!r} + ({A2!r})*t", motion=INSTANT)
        for what, lam in zip(VARIANTS, (TURN_1, TURN_2, TURN_3)):
            with self.subTest(what):
                done = self.ok(model, "inverse", "--redundant", f"eliminate={what}", "--frame", "ground")
                self.compare(done, rolling.reactions_of(lam, Q_TURN), TURN)
                self.near(done.series["speed.effort"][0], 0.0, T8, "speed.effort")


class Inadmissible(cli.Case):
    def refused(self, done, names, what):
        self.assertEqual(done.code, 2, f"{what}: {done.said()}")
        for n in names:
            self.assertIn(n, done.err, what)

    def sweep(self, model, components, admissible):
        """every pair of components: {pair: accepted?} against the exact ranks"""
        pairs = list(itertools.combinations(components, 2))
        pairs = [p for k, p in enumerate(pairs) if cli.MORE or k % 4 == 0 or p in admissible or p[::-1] in admissible]        # all with ROBERVAL_MORE=1

        def call(p):
            return cli.run_model(model, "inverse", "--redundant", f"eliminate={components[p[0]]},{components[p[1]]}", "--frame", "ground")
        bad = []
        for pair, done in zip(pairs, POOL.map(call, pairs)):
            names = [components[k] for k in pair]
            if (pair[1], pair[0]) in admissible:
                if done.code != 0:
                    bad.append(f"{names} is admissible: {done.said()}")
                elif any(done.series[n][0] != 0.0 for n in names):
                    bad.append(f"{names} do not read zero")
                continue
            firm = [n for n in names if n.split(".")[0] in FIRM]
            if done.code != 2 or not any(n in done.err for n in names):
                bad.append(f"{names} is not admissible: {done.said()}")
            elif firm and not any(n in done.err for n in firm) and len(firm) == 2:
                bad.append(f"{names}: the message names none: {done.err}")
            elif not firm and not all(n in done.err for n in names) and names[0].split(".")[0] not in ("B", "C"):
                bad.append(f"{names}: the message must name both: {done.err}")
        self.assertFalse(bad, f"{len(bad)} of {len(pairs)}:\n" + "\n".join(bad[:6]))

    def test_all_pairs_standing_straight(self):
        """exact.straight.admissible_eliminations: 9 of 231 pairs of rows; the 21 pairs with the drive's row cannot be written"""
        q, d = rolling.pose(0.0)
        model = rolling.robot(q, d, speed="0.5 + t", motion=INSTANT)
        names = {k: row_name(k) for k in range(1, 23) if row_name(k)}
        self.sweep(model, names, STRAIGHT)

    def test_pairs_steered(self):
        """exact: 13 pairs at tan(delta/2) = 60/131, heading 3-4-5, trolley 5-12-13; the rows of pairs that are unique were tried above"""
        q, d = rolling.pose(*PLACES["exact 49.2 deg"])
        model = rolling.robot(q, d, speed="0.5 + t", motion=INSTANT)
        names = {k: row_name(k) for k in (3, 4, 5, 6, 18, 19, 20, 21, 22)}
        self.sweep(model, names, STEERED)

    def test_what_cannot_be_left_out(self):
        for what, frame, names in (
                ("A.Fx,W4.Fy", "ground", ["A.Fx"]), ("A.Fx", "joint", ["A.Fx"]), ("H.Tz,W4.Fy", "joint", ["H.Tz"]),
                ("C.Fy,W3.Fy,W4.Fy", "ground", ["C.Fy", "W3.Fy", "W4.Fy"]), ("W1.Fy,W2.Fy,W3.Fy", "joint", ["W1.Fy", "W2.Fy", "W3.Fy"]),
                ("W4.Fx,C.Fy", "joint", ["W4.Fx"]), ("B.Tz,W4.Fy", "joint", ["B.Tz"]), ("W9.Fy,W4.Fy", "joint", ["W9"]),
                ("W4.Fz,C.Fy", "joint", ["Fz"]), ("steer.effort,W4.Fy", "joint", ["steer"]), ("W4.Fy,W4.Fy", "joint", ["W4.Fy"]),
                ("W4,C", "joint", ["W4"]), ("", "joint", ["eliminate"])):
            with self.subTest(what, frame=frame):
                self.refused(cli.run_model(at_state(), "inverse", "--redundant", f"eliminate={what}", "--frame", frame), names, what)

    def test_the_same_rows_can_become_dependent(self):
        """C.Fy of ground stops being loose where the rear knuckle's normal lies along ground's x (heading - 0.2 = 90 deg)"""
        for heading, accepted in ((math.pi / 2 + .2, False), (.3, True)):
            q, d = rolling.pose(.2, heading)
            model = rolling.robot(q, d, speed="0.5", motion=INSTANT)
            done = cli.run_model(model, "inverse", "--redundant", "eliminate=C.Fy,W4.Fy", "--frame", "ground")
            with self.subTest(heading):
                rear = q[3 * BODIES.index("rear") + 2]
                if accepted:
                    self.assertEqual(done.code, 0, done.said())
                elif abs(math.cos(rear)) < 1e-12:
                    self.refused(done, ["C.Fy"], "rear knuckle across")
                else:
                    self.fail(f"the rear knuckle stands at {rear}")


class Compliance(cli.Case):
    JOINT, WHEEL = "1e-7 m/N", "1e-5 m/N"

    def keys(self, joint=JOINT, wheel=WHEEL, pairs=rolling.PAIRS, wheels=tuple(WHEELS), h=True):
        out = {j: {"x": joint, "y": joint} for j in pairs}
        if h:
            out["H"] = {"y": joint, "rz": "1e-7 rad/(N.m)"}
        return {**out, **{w: {"y": wheel} for w in wheels}}

    def check_values(self, done, lam, tol=T8):
        for key, x in rolling.reactions_of(lam, Q).items():
            self.near(done.series[key][0], x, tol, key)

    def test_lam_compliant(self):
        done = self.ok(at_state(compliance=self.keys()), "inverse", "--frame", "ground")
        self.check_values(done, LAM_COMPLIANT)
        for j in JOINTS:
            self.assertEqual(done.result["reactions"][j]["verdict"], "compliance" if j in LOOSE else "unique", j)
        for j in LOOSE:
            self.assertEqual(done.marks[f"{j}.Fy"], "compliance", j)
        again = self.ok(at_state(compliance=self.keys()), "inverse", "--frame", "ground", "--redundant", "compliance")
        self.assertEqual({k: list(x) for k, x in again.series.items()}, {k: list(x) for k, x in done.series.items()})

    def test_in_the_axes_of_the_joint(self):
        done = self.ok(at_state(compliance=self.keys()))
        for key, x in rolling.in_joint_axes(rolling.reactions_of(LAM_COMPLIANT, Q), Q).items():
            self.near(done.series[key][0], x, T8, key)

    def test_a_bare_number_is_si(self):
        done = self.ok(at_state(compliance=self.keys(1e-7, 1e-5, h=False)), "inverse", "--frame", "ground")
        self.check_values(done, LAM_COMPLIANT)

    def test_only_ratios_matter_and_unique_values_never_move(self):
        for joint, wheel in ((1e-4, 1e-2), (1e-10, 1e-8), (1e-7, 7e-5), (1e-7, 1e-9), (1e-5, 1e-7)):
            with self.subTest(joint=joint, wheel=wheel):
                done = self.ok(at_state(compliance=self.keys(joint, wheel)), "inverse", "--frame", "ground")
                want = rolling.reactions_of(LAM_COMPLIANT, Q)
                same = abs(wheel / joint / 100 - 1) < 1e-9
                for key, x in want.items():
                    if key.split(".")[0] in (*FIRM, "steer") or same:
                        self.near(done.series[key][0], x, T8, key)
                if not same:
                    self.assertGreater(max(abs(done.series[f"{j}.Fy"][0] - want[f"{j}.Fy"]) for j in LOOSE), 1e-3)

    def test_other_compliances_by_the_oracle(self):
        """different stiffness at each wheel, an anisotropic pin (in the platform's axes, turned by -0.3 against ground's)"""
        pins = {"B": {"x": 3e-7, "y": 2e-6}, "C": {"x": 5e-6, "y": 1e-7}}
        wheels = {"W1": 2e-6, "W2": 7e-6, "W3": 1e-6, "W4": 4e-6}
        model = at_state(compliance={**pins, **{w: {"y": c} for w, c in wheels.items()}})
        soft = {**{f"{j}.F{c}": x for j, p in pins.items() for c, x in p.items()}, **{f"{w}.Fy": c for w, c in wheels.items()}}
        mech = rolling.Rolling(at_state())
        for frame in ("joint", "ground"):
            want = mech.answer(full(Q), full(QD), full(QDD), 0.0, frame, compliance=soft)
            done = self.ok(model, "inverse", "--frame", frame)
            for key, x in want["values"].items():
                self.near(done.series[key][0], x, T8, f"{frame} {key}")

    def test_what_stays_open_stays_not_unique(self):
        """only W4 is soft and everything else rigid: it carries nothing, that is settled; one self-stress is not"""
        model = at_state(compliance={"W4": {"y": "1e-5 m/N"}})
        want = rolling.Rolling(at_state()).answer(full(Q), full(QD), full(QDD), 0.0, "joint", compliance={"W4.Fy": 1e-5})
        done = self.ok(model)
        self.near(done.series["W4.Fy"][0], 0.0, T8, "W4.Fy")
        self.assertEqual(done.marks["W4.Fy"], "compliance")
        for j in ("W1", "W2", "W3", "B", "C"):
            self.assertEqual(done.marks[f"{j}.Fy"], "not unique", j)
        for key, x in want["values"].items():
            self.near(done.series[key][0], x, T8, key)

    def test_two_soft_wheels_settle_everything(self):
        """W3 and W4 soft, the rest rigid: the rigid rows take all of it"""
        done = self.ok(at_state(compliance={"W3": {"y": "1e-5 m/N"}, "W4": {"y": "2e-5 m/N"}}))
        for w in ("W3", "W4"):
            self.near(done.series[f"{w}.Fy"][0], 0.0, T8, w)
        for j in LOOSE:
            self.assertEqual(done.result["reactions"][j]["verdict"], "compliance", j)

    def test_least_norm_can_be_asked_for_all_the_same(self):
        done = self.ok(at_state(compliance=self.keys()), "inverse", "--frame", "ground", "--redundant", "min-norm")
        self.check_values(done, LAM_LEAST)
        for j in LOOSE:
            self.assertEqual(done.result["reactions"][j]["verdict"], "not unique", j)


class Road(cli.Case):
    """the steering of the simulation at a constant 0.5 m/s, 7.5 s"""
    MOTION = {"from": 0, "to": 7.5, "step": 0.25}
    TIMES = np.arange(31) * .25

    @classmethod
    def model(cls):
        q, _ = rolling.pose(0.0)
        return with_outputs(rolling.robot(q, TURNING, speed="0.5", motion=cls.MOTION))

    def test_the_way_is_the_closed_form_of_the_kinematics(self):
        want = rolling.drive_along(self.TIMES, turning, lambda t: .5, [0, 0, 0, 0])
        for command in ("kinematics", "inverse"):
            done = self.ok(self.model(), command)
            for k, key in enumerate(("platform.x", "platform.y", "platform.angle", "trolley.angle")):
                self.near(done.series[key], want[:, k], ROAD, f"{command} {key}")
            delta = np.array([rolling.steering(turning(t)) for t in self.TIMES])
            self.near(done.series["front.angle"] - done.series["platform.angle"], delta, ROAD, "front knuckle")
            self.near(done.series["rear.angle"] - done.series["platform.angle"], -delta, ROAD, "rear knuckle")

    def test_close_to_the_free_motion(self):
        """the speed of the free motion as a table: its way follows to 5e-4 m and rad (a cubic spline through 31 points of a speed that
        is itself made of quintics; 1.4e-4 by quintic interpolation), and hardly anything has to push: the spline's slope is right to some
        0.005 m/s^2, times 20 kg; without the table it is 1 N and 0.07 m"""
        q, _ = rolling.pose(0.0)
        model = rolling.robot(q, TURNING, speed="pace(t)", motion=self.MOTION,
                              tables={"pace": {"file": "pace.csv", "x": "time", "y": "speed"}})
        text = "time [s],speed [m/s]\n" + "".join(f"{t!r},{u!r}\n" for t, u in zip(self.TIMES.tolist(), PACE))
        done = self.ok(model, "inverse", files={"pace.csv": text})
        got = np.array([done.series[k][::5] for k in ("platform.x", "platform.y", "platform.angle", "trolley.angle")]).T
        self.near(got, np.array(PATH), 5e-4, "path")
        self.near(done.series["speed.effort"], 0 * done.time, 0.3, "speed.effort")

    def test_the_step_of_samples_does_not_matter(self):
        a = self.ok(self.model(), "kinematics", "--step", "2.5")
        b = self.ok(self.model(), "kinematics")
        for body in BODIES:
            for c in ("x", "y", "angle"):
                self.near(a.series[f"{body}.{c}"], b.series[f"{body}.{c}"][::10], ROAD, f"{body}.{c}")

    def test_motion_does_not_know_of_the_way_to_one_answer(self):
        """poses, rates, second rates and efforts are bit for bit the same; unique reactions agree"""
        runs = {"least norm": self.ok(self.model(), "inverse", "--frame", "ground")}
        for what in VARIANTS:
            runs[what] = self.ok(self.model(), "inverse", "--frame", "ground", "--redundant", f"eliminate={what}")
        a = runs["least norm"]
        moving = [k for k in a.series if k.split(".")[0] in BODIES or k.endswith(".effort") or k[0] in "AV" and k[1] in "012"]
        self.assertEqual(len(moving), 21 + 2 + 42)
        for what, b in runs.items():
            for key in moving:
                self.near(b.series[key], a.series[key], 0.0, f"{what} {key}")
            for j in FIRM:
                for c in ("Fx", "Fy", "Tz"):
                    self.near(b.series[f"{j}.{c}"], a.series[f"{j}.{c}"], 1e-9, f"{what} {j}.{c}")
            for key in what.split(",") if "," in what else ():
                self.near(b.series[key], 0 * a.time, 0.0, key)
        self.assertGreater(max(np.abs(runs["C.Fy,W4.Fy"].series[f"{j}.Fy"] - a.series[f"{j}.Fy"]).max() for j in LOOSE), .1)

    @cli.long
    def test_reactions_along_the_way(self):
        """the oracle at the reported poses; Newton and Euler body by body; the power of the drives is d(kinetic energy)/dt"""
        model = self.model()
        mech = rolling.Rolling(model)
        for what in (None, "C.Fy,W4.Fy"):
            flags = ("--redundant", f"eliminate={what}") if what else ()
            done = self.ok(model, "inverse", "--frame", "ground", *flags)
            s = done.series
            for i in range(1, 31, 3):
                t = self.TIMES[i]
                q = mech.poses(s, i)
                v = mech.velocity_from(q, np.zeros(24), t)
                a = mech.acceleration_at(q, v, t)
                want = mech.answer(q, v, a, t, "ground", tuple(what.split(",")) if what else ())["values"]
                for key, x in want.items():
                    self.near(s[key][i], x, 1e-8, f"t = {t} {key}")
            worst, size = max(rolling.balance(mech, {k: x[i:i + 1] for k, x in s.items()}, [self.TIMES[i]]) for i in range(31))
            self.near(worst, 0.0, 1e-9 * max(1, size), "Newton and Euler")
            for i, t in enumerate(self.TIMES):
                q, v, a = rolling.reported(mech, s, i)
                rate = planar.Jet(t, 1.0)
                power = s["speed.effort"][i] * .5 + s["steer.effort"][i] * turning(rate).b
                self.near(power, mech.inertia_wrench(q, v, a) @ v, 1e-9, f"power at {t}")
            self.assertLess(done.result["audit"]["max_power_imbalance"], 1e-9)

    def test_verdicts_hold_all_the_way(self):
        done = self.ok(self.model())
        for j in JOINTS:
            self.assertEqual(done.result["reactions"][j]["verdict"], "not unique" if j in LOOSE else "unique", j)
        run = cli.run_model(self.model(), "check", "--motion", out=False)
        self.assertEqual(run.code, 0, run.said())

    def test_without_a_speed_program_one_freedom_is_left(self):
        q, _ = rolling.pose(0.0)
        for command in ("inverse", "kinematics"):
            done = cli.run_model(rolling.robot(q, TURNING, motion=self.MOTION), command)
            self.assertEqual(done.code, 2, done.said())
            self.assertRegex(done.err, "|".join(BODIES))


class Parallelograms(cli.Case):
    """reference keys three_crank_parallelogram, parallelogram_4bar_flat and _generic: each criterion on its own, axes that lie along the
    cranks and axes that do not (only the force along the crank is undetermined)"""

    @staticmethod
    def model(feet, angle, length):
        tip = length * np.array([math.cos(angle), math.sin(angle)])
        bodies = {"ground": {"markers": {f"A{k}": {"at": [x, 0.0], "angle": angle} for k, x in enumerate(feet)}},
                  "coupler": {"mass": 1, "inertia": 1, "pose": {"at": [float(x) for x in tip]},
                              "markers": {f"B{k}": [x, 0.0] for k, x in enumerate(feet)}}}
        joints = {}
        for k, x in enumerate(feet):
            bodies[f"c{k}"] = {"mass": 1, "inertia": 1, "pose": {"at": [x, 0.0], "angle": angle},
                               "markers": {"A": [0.0, 0.0], "B": [length, 0.0]}}
            joints[f"A{k}"] = {"type": "revolute", "between": [f"ground.A{k}", f"c{k}.A"]}
            joints[f"B{k}"] = {"type": "revolute", "between": [f"c{k}.B", f"coupler.B{k}"]}
        return {"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints}

    def test_each_criterion(self):
        three, flat = self.model((0.0, .6, 1.5), 1.1, .5), self.model((0.0, .6), 0.0, .3)
        for name, model, counts, along, frame in (
                ("three cranks", three, [12, 12, 11, 1, 1], ("not unique", "unique"), "joint"),
                ("three cranks", three, [12, 12, 11, 1, 1], ("not unique", "not unique"), "ground"),
                ("flat", flat, [9, 8, 7, 1, 2], ("not unique", "unique"), "joint"),
                ("generic", self.model((0.0, .6), .7, .3), [9, 8, 8, 0, 1], ("unique", "unique"), "joint")):
            for criterion in ((), ("--criterion", "ranks"), ("--criterion", "svd"), ("--criterion", "qr")):
                with self.subTest(name, frame=frame, criterion=criterion):
                    done, doc = cli.check(model, "--frame", frame, *criterion)
                    self.assertEqual(done.code, 0, done.said())
                    mob = doc["mobility"]
                    self.assertEqual([mob[k] for k in ("coordinates", "rows", "rank", "redundant", "degrees_of_freedom")], counts)
                    for j, r in doc["reactions"].items():
                        self.assertEqual(tuple(r["components"][c]["verdict"] for c in ("Fx", "Fy")), along, j)


class Reference(unittest.TestCase):
    """rolling.py against theory's numbers (runs without the program); 1e-12: both are solved densely, cond 100, values up to 10"""

    def test_state(self):
        q, d = rolling.pose(-.2, -.3, .1, .15, -.05)
        self.assertLess(np.abs(q - Q).max(), 1e-14)
        self.assertAlmostEqual(rolling.steering(d), -.2, delta=1e-13)
        mech = rolling.Rolling(rolling.robot(Q, STEER))
        v = mech.velocity_from(full(Q), full(QD), 0.0)
        self.assertLess(np.abs(v[3:] - QD).max(), 1e-12)
        a = mech.acceleration_at(full(Q), v, 0.0)
        self.assertLess(np.abs(a[3:] - QDD).max(), 1e-12)
        soft = {**{f"{j}.{c}": 1e-7 for j in rolling.PAIRS for c in ("Fx", "Fy")}, **{f"{w}.Fy": 1e-5 for w in WHEELS}}
        ways = [(LAM_LEAST, {}), (LAM_COMPLIANT, {"compliance": soft}), *((x, {"eliminate": w.split(",")}) for w, x in VARIANTS.items())]
        for lam, way in ways:
            got = mech.answer(full(Q), v, a, 0.0, "ground", **way)
            want = rolling.reactions_of(lam, Q)
            self.assertLess(max(abs(got["values"][k] - x) for k, x in want.items()), 1e-12)
            self.assertEqual({k.split(".")[0] for k, m in got["marks"].items() if m in ("not unique", "compliance")}, set(LOOSE))
            self.assertEqual(got["rank"], 20)

    def test_admissible_pairs(self):
        """the exact lists are those of the oracle's null space: c_E N has full rank"""
        for place, want in ((PLACES["straight"], STRAIGHT), (PLACES["exact 49.2 deg"], STEERED)):
            q, d = rolling.pose(*place)
            mech, z = rolling.Rolling(rolling.robot(q, d)), np.zeros(24)
            C, _, _ = mech.all_rows(full(q), z, 0.0)
            _, N = mech.null(C)
            maps = mech.components(full(q), C, "ground")
            rows = {k: maps[row_name(k)] @ N for k in range(1, 23) if row_name(k)}
            got = {(j, i) for i, j in itertools.combinations(rows, 2) if abs(np.linalg.det([rows[i], rows[j]])) > 1e-9}
            self.assertEqual(got, want)

    @cli.long
    def test_kinematics(self):
        times = np.arange(0, 7.6, 1.25)
        got = rolling.drive_along(times, turning, lambda t: .5, [0, 0, 0, 0])
        finer = rolling.drive_along(times, turning, lambda t: .5, [0, 0, 0, 0], 1 / 800)
        self.assertLess(np.abs(got - finer).max(), 1e-9)

    def test_row_names(self):
        self.assertEqual([row_name(k) for k in (1, 6, 15, 16, 18, 22)], ["A.Fx", "C.Fy", "H.Fx", "H.Tz", "W1.Fy", "W5.Fy"])


if __name__ == "__main__":
    cli.main()
