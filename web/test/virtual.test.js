// Virtual motions: bodies swing along one freedom, velocities as arrows, numbers per unit of the freedom.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, open, settled } from './page.js';

const show = async (page, label) => {
  await page.getByLabel('What is shown').selectOption({ label });
  await settled(page);
};
const set = (page, values) => page.evaluate((given) => window.roberval.session.store.set({ playing: false, ...given }), values);
const frames = (page) => page.evaluate(() => window.roberval.session.frames(0));
const turnOf = ({ turn }) => 2 * Math.atan2(turn[3], turn[0]);

test('bodies of a suspension go along its freedom, and its ends stay together to first order', async () => {
  const data = fixture('suspension'), { scene } = data.results[0], { page, troubles, close } = await open(data);
  await show(page, 'body.y');
  assert.equal(await page.evaluate(() => window.roberval.session.get('playing')), true, 'it swings at once');
  const gap = async (phase) => {   // how far the two halves of each revolute joint come apart, over how far bodies move
    await set(page, { phase });
    const now = await frames(page);
    let apart = 0, moved = 0;
    for (const { type, markers } of scene.things) {
      if (type !== 'revolute') continue;
      const [p, q] = markers.map((k) => {
        const { on, at } = scene.markers[k], angle = turnOf(now[on]), { at: [x, y] } = now[on];
        return [x + Math.cos(angle) * at[0] - Math.sin(angle) * at[1], y + Math.sin(angle) * at[0] + Math.cos(angle) * at[1]];
      });
      apart = Math.max(apart, Math.hypot(p[0] - q[0], p[1] - q[1]));
    }
    scene.bodies.forEach(({ at }, k) => { moved = Math.max(moved, Math.hypot(now[k].at[0] - at[0], now[k].at[1] - at[1])); });
    return { apart, moved };
  };
  const wide = await gap(0.02), small = await gap(0.01);
  assert.ok(wide.moved > 1e-3 * scene.size, 'it moves so that one sees it');
  assert.ok(Math.abs(wide.apart / small.apart - 4) < 0.05, `half the way, a quarter of the gap: ${wide.apart / small.apart}`);
  const rest = await gap(0);
  assert.ok(rest.moved < 1e-12 && rest.apart < 1e-9 * scene.size, 'phase 0 is the first state');
  assert.deepEqual(troubles, []);
  await close();
});

test('arrows are velocities of points, and their numbers those over the rate of the freedom', async () => {
  const data = fixture('suspension'), { scene } = data.results[0], [motion] = scene.virtual_motions, { page, close } = await open(data);
  await show(page, 'body.y');
  await set(page, { phase: 0, values: true });
  await settled(page);
  const arrows = await page.evaluate(() => window.roberval.session.arrows(0, window.roberval.session.frames(0)));
  // Every point of the chassis, which only goes up, has the velocity of body.y itself.
  const chassis = scene.bodies.findIndex(({ name }) => name === 'chassis'), its = arrows.filter(({ body }) => body === chassis);
  assert.ok(its.length >= 2);
  for (const { vector } of its) assert.ok(Math.abs(vector[0]) < 1e-9 && Math.abs(vector[1] - motion.rate) < 1e-9, vector.join());
  // No point is faster than 1 m/s, along every rigid body: the difference of two velocities is square to what lies between the points.
  for (const a of arrows) {
    assert.ok(Math.hypot(...a.vector) < 1 + 1e-9);
    for (const b of arrows.filter(({ body }) => body === a.body)) assert.ok(Math.abs([0, 1].reduce((sum, i) => sum + (a.vector[i] - b.vector[i]) * (a.at[i] - b.at[i]), 0)) < 1e-12);
  }
  assert.ok((await page.locator('.overlay .value').allTextContents()).includes('1'), 'a way over a way is a bare number');
  assert.match(await page.locator('.legend li:visible').allTextContents().then((all) => all.join()), /^velocity$/);
  const size = await page.evaluate(() => window.roberval.picture.view.size);
  for (const phase of [Math.PI / 2, -Math.PI / 2]) {
    await set(page, { phase });
    await settled(page);
    for (const { tip: [x, y] } of await page.evaluate(() => window.roberval.picture.arrows)) assert.ok(x > 0 && x < size[0] && y > 0 && y < size[1], 'no arrow is cut off');
  }
  const row = page.locator('.speeds tbody tr', { hasText: 'chassis' });
  assert.deepEqual(await row.locator('td').allTextContents(), ['0', '1', '0']);
  await close();
});

test('a press: velocities per radian of the crank are those of its first samples', async () => {
  const data = fixture('press'), { scene } = data.results[0], name = scene.virtual_motions[0].name, { page, close } = await open(data);
  await page.locator('#virtual-motions').getByLabel(name).check();
  assert.equal(await page.getByLabel('What is shown').inputValue(), 'virtual 0');
  const { told, differences } = await page.evaluate(() => {
    const { session } = window.roberval, { first } = session, { rate, freedom, bodies } = first.scene.virtual_motions[0], angle = first.series.of(freedom);
    const of = (column) => first.series.of(column), list = { told: [], differences: [] };
    const body = Object.keys(bodies)[0];
    list.told = [bodies[body].velocity[0] / rate, bodies[body].velocity[1] / rate, bodies[body].angular / rate];
    if (angle) list.differences = ['x', 'y', 'angle'].map((end) => (of(`${body}.${end}`)[1] - of(`${body}.${end}`)[0]) / (angle[1] - angle[0]));
    else list.differences = ['x', 'y', 'angle'].map((end) => (of(`${body}.${end}`)[1] - of(`${body}.${end}`)[0]) / (of(`${body}.angle`)[1] - of(`${body}.angle`)[0]));
    return list;
  });
  assert.ok(Math.abs(told[2] - 1) < 1e-12, 'the crank turns as its angle does');
  told.forEach((value, i) => assert.ok(Math.abs(value - differences[i]) < 1e-3, `${value}, the samples say ${differences[i]}`));
  await close();
});

test('choosing a sample, a mode or nothing ends it', async () => {
  const { page, close } = await open(fixture('swing')), state = () => page.evaluate(() => ['virtual', 'mode'].map((name) => window.roberval.session.get(name)));
  const names = fixture('swing').results[0].scene.virtual_motions.map(({ name }) => name);
  await show(page, names[1]);
  assert.deepEqual(await state(), [1, -1]);
  await page.locator('#modes tbody label').first().click();
  assert.deepEqual(await state(), [-1, 0]);
  assert.equal(await page.locator('#virtual-motions input[type=radio]').first().isChecked(), true, 'not shown');
  await page.getByLabel('What is shown').selectOption('motion');
  assert.deepEqual(await state(), [-1, -1]);
  await close();
  const press = await open(fixture('press'));
  await show(press.page, fixture('press').results[0].scene.virtual_motions[0].name);
  await press.page.getByLabel('One sample on').click();
  assert.equal(await press.page.evaluate(() => window.roberval.session.get('virtual')), -1);
  await press.close();
});

test('without freedoms that is said, and of a machine that is wrong nothing', async () => {
  const data = fixture('suspension');
  data.results[0].scene.virtual_motions = [];
  data.results[0].result.mobility.degrees_of_freedom = 0;
  const none = await open(data);
  assert.match(await none.page.locator('#virtual-motions').textContent(), /No freedom is left/);
  await none.close();
  data.results[0].scene.virtual_motions = null;
  const wrong = await open(data);
  assert.equal(await wrong.page.locator('#virtual-motions').count(), 0);
  assert.deepEqual(wrong.troubles, []);
  await wrong.close();
});
