// Arrows against the columns, turned into ground's axes here by other formulas; self-stresses; panels.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, fixture, open, settled } from './page.js';

/** The force arrows of a thing on the screen: from where they begin to their tips. */
const arrowsOf = (page, name, kind = 'force') => page.evaluate(([thing, wanted]) => {
  const { session, picture } = window.roberval, index = session.first.scene.things.findIndex((one) => one.name === thing);
  return picture.arrows.filter((arrow) => arrow.of === index && arrow.kind === wanted).map(({ shaft, tip, verdict, size }) => ({ from: shaft[0], tip, verdict, size }));
}, [name, kind]);

const near = (a, b, by, what) => assert.ok(Math.abs(a - b) <= by, `${what}: ${a}, not ${b}`);

test('parts of a force or a pose do not pass for the whole', async () => {
  const data = fixture('press'), [one] = data.results, { columns, samples } = one.series, all = Buffer.from(one.series.data, 'base64');
  const gone = new Set(['wrist.Fy', 'eccentric.y']), kept = columns.map((_, k) => k).filter((k) => !gone.has(columns[k].name));
  assert.equal(kept.length, columns.length - 2);
  one.series.data = Buffer.concat(kept.map((k) => all.subarray(8 * k * samples, 8 * (k + 1) * samples))).toString('base64');
  one.series.columns = kept.map((k) => columns[k]);
  const { page, troubles, close } = await open(data);
  await page.evaluate(() => window.roberval.player.go(29));
  await settled(page);
  assert.equal((await arrowsOf(page, 'wrist')).length, 0);
  assert.equal((await arrowsOf(page, 'crankpin')).length, 1);
  const body = one.scene.bodies.findIndex(({ name }) => name === 'eccentric');
  assert.deepEqual(await page.evaluate((k) => window.roberval.session.frames(0)[k], body), { at: one.scene.bodies[body].at, turn: one.scene.bodies[body].turn });
  assert.deepEqual(troubles, []);
  await close();
});

test('a reaction of the plane has the direction and length of its columns in the axes of the first marker', async () => {
  const data = fixture('press'), columns = columnsOf(data.results[0]), k = 29;
  const { page, close } = await open(data);
  await page.evaluate((n) => window.roberval.player.go(n), k);
  await settled(page);
  // wrist: first marker rod.B, whose axes are the rod's.
  const angle = columns['rod.angle'][k], fx = columns['wrist.Fx'][k], fy = columns['wrist.Fy'][k];
  const world = [fx * Math.cos(angle) - fy * Math.sin(angle), fx * Math.sin(angle) + fy * Math.cos(angle)];
  const [arrow] = await arrowsOf(page, 'wrist'), drawn = [arrow.tip[0] - arrow.from[0], arrow.from[1] - arrow.tip[1]];
  near(Math.atan2(drawn[1], drawn[0]), Math.atan2(world[1], world[0]), 1e-3, 'direction');
  near(arrow.size, Math.hypot(fx, fy), 1e-6, 'magnitude');
  const [other] = await arrowsOf(page, 'crankpin'), other_force = Math.hypot(columns['crankpin.Fx'][k], columns['crankpin.Fy'][k]);
  const long = ({ from, tip }) => Math.hypot(tip[0] - from[0], tip[1] - from[1]);
  near(long(arrow) / long(other), Math.hypot(...world) / other_force, 2e-3, 'lengths are in the ratio of the forces');
  // It begins at the pin.
  const pin = await page.evaluate(([x, y]) => window.roberval.picture.view.project([x, y, 0]), [columns['slide.x'][k], columns['slide.y'][k]]);
  assert.ok(Math.hypot(pin[0] - arrow.from[0], pin[1] - arrow.from[1]) < 0.2);
  await close();
});

test('a load ends at its point, a drive turns with its sign', async () => {
  const data = fixture('press'), columns = columnsOf(data.results[0]), k = 29;
  const { page, close } = await open(data);
  await page.evaluate((n) => window.roberval.player.go(n), k);
  await settled(page);
  const [load] = await arrowsOf(page, 'forming');
  const punch = await page.evaluate(([x, y]) => window.roberval.picture.view.project([x, y, 0]), [columns['slide.x'][k], columns['slide.y'][k] - 0.7]);
  assert.ok(Math.hypot(load.tip[0] - punch[0], load.tip[1] - punch[1]) < 0.2, 'the drawing force ends at the punch');
  assert.ok(load.from[1] > load.tip[1] === columns['forming.Fy'][k] > 0, 'upwards where Fy > 0');
  const [drive] = await arrowsOf(page, 'servo', 'torque');
  near(drive.size, Math.abs(columns['servo.effort'][k]), 1e-6, 'the effort');
  const turn = await page.evaluate(() => {
    const { session, picture } = window.roberval, index = session.first.scene.things.findIndex(({ name }) => name === 'servo');
    const { shaft, tip } = picture.arrows.find(({ of, kind }) => of === index && kind === 'torque'), [cx, cy] = picture.view.project([0, 0, 0]);
    const angles = [...shaft, tip].map(([x, y]) => Math.atan2(cy - y, x - cx));
    return angles.slice(1).reduce((sum, angle, i) => sum + Math.sign(Math.sin(angle - angles[i])), 0);
  });
  assert.equal(Math.sign(turn), Math.sign(columns['servo.effort'][k]), 'anticlockwise where positive');
  await close();
});

test('in space the components stand in the axes of the first marker, and verdicts give the style', async () => {
  const data = fixture('door'), columns = columnsOf(data.results[0]), k = 10;
  const { page, close } = await open(data);
  await page.evaluate((n) => { window.roberval.player.go(n); window.roberval.picture.view.project3(true); window.roberval.picture.view.view('front'); }, k);
  await settled(page);
  const [arrow] = await arrowsOf(page, 'top');
  assert.equal(arrow.verdict, 'not unique');
  near(arrow.size, Math.hypot(columns['top.Fx'][k], columns['top.Fy'][k], columns['top.Fz'][k]), 1e-9, 'magnitude');
  // Ground's marker has ground's axes. Looked at in parallel, the arrow is the projection of the vector: compare with two other points.
  const F = ['Fx', 'Fy', 'Fz'].map((end) => columns[`top.${end}`][k]), scale = 0.3 / arrow.size;
  const [a, b] = await page.evaluate(([p, q]) => [p, q].map((x) => window.roberval.picture.view.project(x)), [[0, 0, 1.85], [F[0] * scale, F[1] * scale, 1.85 + F[2] * scale]]);
  near(Math.atan2(arrow.tip[1] - arrow.from[1], arrow.tip[0] - arrow.from[0]), Math.atan2(b[1] - a[1], b[0] - a[0]), 1e-3, 'direction on the screen');
  const style = await page.evaluate(() => {
    const path = document.querySelector('.overlay .shaft.v-not-unique'), head = document.querySelector('.overlay .head.v-not-unique');
    return { dash: getComputedStyle(path).strokeDasharray, hollow: getComputedStyle(head).fill, board: getComputedStyle(document.querySelector('.board')).backgroundColor };
  });
  assert.notEqual(style.dash, 'none');
  assert.equal(style.hollow, style.board, 'the head is hollow');
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.overlay .shaft.v-unique')).strokeDasharray), 'none');
  await close();
});

test('a self-stress that is pushed: v + s share, the load stays', async () => {
  const data = fixture('door'), [one] = data.results, columns = columnsOf(one), modes = one.result.self_stress;
  const { page, troubles, close } = await open(data);
  const most = await page.evaluate(() => window.roberval.session.largest.force);
  const slider = page.getByRole('slider', { name: 'Self-stress 2' });
  await slider.evaluate((element) => {
    element.value = '0.5';
    element.dispatchEvent(new Event('input'));
  });
  await page.evaluate(() => window.roberval.session.choose(1));
  await settled(page);
  const s = 0.5 * most;
  for (const end of ['Fx', 'Fz', 'Ty']) {
    const text = await page.locator(`.components td[data-column="top.${end}"]`).textContent();
    const wished = columns[`top.${end}`][0] + s * (modes[1][`top.${end}`] ?? 0);
    near(Number(text.replace('−', '-')), wished, 1e-5 * Math.abs(most), `top.${end}`);
  }
  // Both hinges together carry what they did: forces sum to the weight, moments about the bottom hinge are the same.
  const sums = await page.evaluate(() => {
    const { session } = window.roberval, frames = session.frames(0), all = { force: [0, 0, 0], torque: [0, 0, 0] };
    for (const { kind, at, vector, of } of session.wrenches[0].at(0, frames, session.pushed)) {
      if (session.first.scene.things[of].kind !== 'joint') continue;
      all[kind] = all[kind].map((x, i) => x + vector[i]);
      if (kind === 'force') all.torque = all.torque.map((x, i) => x + at[(i + 1) % 3] * vector[(i + 2) % 3] - at[(i + 2) % 3] * vector[(i + 1) % 3]);
    }
    return all;
  });
  near(sums.force[0], 0, 1e-9, 'sum of Fx');
  near(sums.force[2], 40 * 9.81, 1e-9, 'sum of Fz is the weight');
  near(sums.torque[1], -40 * 9.81 * 0.45, 1e-8, 'moment about y');
  // Another sample has other self-stresses: nothing is added there, and the page says so.
  await page.evaluate(() => window.roberval.player.go(10));
  await settled(page);
  near(Number((await page.locator('.components td[data-column="top.Fz"]').textContent()).replace('−', '-')), columns['top.Fz'][10], 1e-3, 'top.Fz');
  assert.match(await page.locator('#self-stress .note').textContent(), /first state/);
  assert.deepEqual(troubles, []);
  await close();
});

test('the panel says why, and what makes it unique', async () => {
  const { page, close } = await open(fixture('door'));
  await page.getByRole('option', { name: /top/ }).click();
  const text = await page.locator('.details').textContent();
  assert.match(text, /5 self-stresses take part/);
  assert.match(text, /top\.Fz −1/);
  assert.match(text, /free top\.z \(top: cylindrical\)|free top\.z \(top: type cylindrical\)/);
  assert.match(text, /measure bottom\.Fz/);
  assert.match(text, /All reactions at once/);
  assert.match(await page.getByRole('status').textContent(), /^$|joint top, not unique/);
  await close();
});

test('components by themselves: each with its own verdict', async () => {
  const data = fixture('robot'), { page, close } = await open(data);
  await page.getByRole('combobox', { name: 'Arrows for' }).selectOption('parts');
  await page.evaluate(() => window.roberval.player.go(20));
  await settled(page);
  const found = await page.evaluate(() => {
    const { session, picture } = window.roberval;
    return picture.arrows.filter(({ verdict }) => verdict !== 'load').map(({ of, verdict, size }) => [session.first.scene.things[of].name, verdict, size]);
  });
  const { reactions } = data.results[0].result;
  for (const [name, verdict] of found) {
    const allowed = Object.values(reactions[name]?.components ?? {}).map((one) => one.verdict);
    if (reactions[name]) assert.ok(allowed.includes(verdict), `${name} ${verdict}`);
  }
  assert.ok(found.some(([, verdict]) => verdict === 'unique') && found.some(([, verdict]) => verdict === 'not unique'));
  await close();
});

test('without forces, as of check, the panel tells verdicts and what a self-stress adds', async () => {
  const data = fixture('door'), [one] = data.results;
  one.series = { columns: [], samples: 0, data: '' };
  for (const { components, resultant } of Object.values(one.result.reactions)) for (const facts of [resultant, ...Object.values(components)]) Object.assign(facts, { first: null, min: null, max: null });
  const { page, troubles, close } = await open(data), column = Object.entries(one.result.self_stress[1])[0], [joint, end] = column[0].split('.');
  await page.evaluate((name) => window.roberval.session.choose(window.roberval.session.first.thingOf.get(`joint ${name}`)), joint);
  assert.deepEqual((await page.locator('.components thead th').allTextContents()).filter(Boolean), ['self-stress', 'unit']);
  await page.getByLabel('Self-stress 2').fill('1');
  await settled(page);
  const row = page.locator('.components tr', { has: page.locator(`th:text-is("${end}")`) });
  assert.equal(Number((await row.locator('.now').textContent()).replace('\u2212', '-')), column[1], 'of a check 1 N is pushed at most');
  assert.deepEqual(troubles, []);
  await close();
});
