// What is seen over a motion: guides reach as far as what goes along them, numbers keep in step with the picture, arrows may have the scale of an instant, points leave traces, words stand apart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, fixture, open, settled } from './page.js';

/** Along the second's way in the first's frame: rotated by hand, apart from the page's own code. */
const rotated = ([w, x, y, z], [a, b, c]) => {
  const m = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];
  return m.map(([i, j, k]) => i * a + j * b + k * c);
};

function poseOf(columns, { scene }, body, k) {
  const { name, at, turn } = scene.bodies[body];
  if (!columns[`${name}.x`]) return { at, turn };
  const angle = columns[`${name}.angle`]?.[k];
  return { at: [columns[`${name}.x`][k], columns[`${name}.y`][k], columns[`${name}.z`]?.[k] ?? 0],
    turn: angle === undefined ? ['qw', 'qx', 'qy', 'qz'].map((end) => columns[`${name}.${end}`][k]) : [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)] };
}

for (const name of ['press', 'robot', 'stewart', 'valvetrain']) {
  test(`guides of ${name} reach beyond all that goes along them`, async () => {
    const data = fixture(name), [one] = data.results, columns = columnsOf(one), { scene } = one;
    const { page, troubles, close } = await open(data);
    const drawn = await page.evaluate(() => window.roberval.session.first.figures.filter(({ guide, role }) => guide && role !== 'outline'));
    assert.equal(drawn.length, scene.figures.filter(({ guide }) => guide).length);
    for (const figure of drawn) {
      const [first, second] = figure.guide.markers.map((k) => scene.markers[k]);
      assert.equal(figure.on, first.on);
      for (const axis of figure.guide.axes) {
        const e = rotated(first.turn, [axis === 'x' ? 1 : 0, axis === 'y' ? 1 : 0, axis === 'z' ? 1 : 0]), along = (p) => p.reduce((sum, x, i) => sum + (x - first.at[i]) * e[i], 0);
        const ends = figure.kind === 'box' ? [-1, 1].map((side) => along(figure.at) + side * [[1, 0, 0], [0, 1, 0], [0, 0, 1]].reduce((sum, unit, i) => sum + (figure.size[i] / 2) * Math.abs(rotated(figure.turn, unit).reduce((all, x, n) => all + x * e[n], 0)), 0))
          : (figure.points ?? [figure.from, figure.to]).map(along);
        const [low, high] = [Math.min(...ends), Math.max(...ends)];
        for (let k = 0; k < one.series.samples; ++k) {
          const [a, b] = [first, second].map(({ on }) => poseOf(columns, one, on, k)), there = rotated(b.turn, second.at).map((x, i) => x + b.at[i] - a.at[i]), back = rotated([a.turn[0], -a.turn[1], -a.turn[2], -a.turn[3]], there), u = along(back);
          assert.ok(u - figure.guide.beside >= low - 1e-5 * scene.size && u + figure.guide.beside <= high + 1e-5 * scene.size, `${scene.things[figure.of].name} at ${u}, guide ${low} to ${high}`);
        }
      }
    }
    assert.deepEqual(troubles, []);
    await close();
  });
}

test('while it plays, numbers are of the frame that is drawn', async () => {
  const data = fixture('press'), columns = columnsOf(data.results[0]);
  const { page, troubles, close } = await open(data);
  await page.evaluate(() => { const { session } = window.roberval; session.choose(session.first.thingOf.get('joint wrist')); });
  await page.getByRole('combobox', { name: 'Units' }).selectOption('si');
  const seen = await page.evaluate(() => new Promise((done) => {
    const { session, player } = window.roberval, all = [];
    session.store.set({ speed: 1 });
    player.toggle();
    const look = () => {
      const said = document.querySelector('.clock').textContent, cell = document.querySelector('.components .now[data-column="wrist.Fy"]'), [, clock] = /t = (\S+)/.exec(said) ?? [];
      const slide = window.roberval.picture.view.sketches[0].moving.find(({ body }) => session.first.scene.bodies[body].name === 'slide').group.getAttribute('transform').split(' ');
      all.push({ said, place: session.get('place'), cell: Number(cell.textContent.replaceAll('−', '-')), clock: Number(clock.replaceAll('−', '-')), y: parseFloat(slide.at(-1)) });
      if (all.length < 25) requestAnimationFrame(() => setTimeout(look));
      else done(all);
    };
    requestAnimationFrame(() => setTimeout(look));
  }));
  const at = (values, place) => values[Math.floor(place)] + (place % 1) * (values[Math.min(Math.floor(place) + 1, values.length - 1)] - values[Math.floor(place)]);
  assert.ok(new Set(seen.map(({ place }) => place)).size > 10, 'it plays');
  for (const { place, cell, clock, said, y } of seen) {
    assert.ok(Math.abs(clock - at(columns.time, place)) < 1e-5 * 2.4, `${said}, the picture at ${place}`);
    assert.ok(Math.abs(cell - at(columns['wrist.Fy'], place)) <= 2e-5 * Math.abs(cell) + 1e-3, `${cell} at ${place}`);
    assert.ok(Math.abs(y - at(columns['slide.y'], place)) < 1e-5, `the slide at ${y}`);
  }
  await page.evaluate(() => window.roberval.player.toggle());
  assert.equal(await page.evaluate(() => window.roberval.session.get('place') % 1), 0, 'at rest it is a sample');
  assert.deepEqual(troubles, []);
  await close();
});

test('arrows may be measured by the largest of this instant', async () => {
  const { page, close } = await open(fixture('press'));
  await page.evaluate(() => window.roberval.player.go(2));
  await settled(page);
  const longest = () => page.evaluate(() => Math.max(0, ...window.roberval.picture.arrows.filter(({ kind }) => kind === 'force').map(({ shaft, tip }) => Math.hypot(tip[0] - shaft[0][0], tip[1] - shaft[0][1]))));
  const before = await longest();
  await page.getByRole('combobox', { name: 'Arrows measured by' }).selectOption('instant');
  await settled(page);
  const after = await longest(), wished = await page.evaluate(() => { const { session, picture } = window.roberval, { low, high } = session.reached; return 0.22 * Math.max(...high.map((x, i) => x - low[i])) * picture.view.scale; });
  assert.ok(before < 10, `the peak at 0.6 s leaves ${before} px`);
  assert.ok(Math.abs(after - wished) < 0.02 * wished, `${after} px, the longest is to be ${wished}`);
  assert.match(await page.locator('.overlay').textContent(), /longest arrow 2\d{4} N/);
  await close();
});

test('points leave traces', async () => {
  const data = fixture('press'), columns = columnsOf(data.results[0]);
  const { page, troubles, close } = await open(data);
  await page.locator('.toolbar summary', { hasText: 'Traces' }).click();
  await page.locator('.toolbar .options label', { hasText: 'slide.B' }).or(page.locator('.toolbar .options label').first()).first().click();
  await settled(page);
  const { points, ways } = await page.evaluate(() => {
    const { session, picture } = window.roberval, [point] = session.get('traces'), corners = document.querySelector('.trace').getAttribute('d').slice(1).split('L').map((pair) => pair.split(' ').map(Number));
    return { points: point, ways: corners.map(([x, y]) => [(x - picture.view.shift[0]) / picture.view.scale, (picture.view.shift[1] - y) / picture.view.scale]) };
  });
  assert.equal(ways.length, data.results[0].series.samples);
  ways.forEach(([x, y], k) => {
    const { at, turn } = poseOf(columns, data.results[0], points.on, k), there = rotated(turn, points.at).map((value, i) => value + at[i]);
    assert.ok(Math.hypot(x - there[0], y - there[1]) < 2e-3, `sample ${k}`);   // a tenth of a pixel
  });
  assert.deepEqual(troubles, []);
  await close();
});

test('names and values do not lie over each other, where joints share a point too', async () => {
  for (const name of ['press', 'door', 'robot', 'stewart']) {
    const { page, close } = await open(fixture(name));
    await page.evaluate(() => window.roberval.session.store.set({ names: true, values: true }));
    await settled(page);
    const over = await page.evaluate(() => {
      const words = [...document.querySelectorAll('.overlay .name, .overlay .value')].map((word) => ({ text: word.textContent, box: word.getBBox() })), found = [];
      words.forEach((one, k) => words.slice(0, k).forEach((two) => {
        const wide = Math.min(one.box.x + one.box.width, two.box.x + two.box.width) - Math.max(one.box.x, two.box.x), high = Math.min(one.box.y + one.box.height, two.box.y + two.box.height) - Math.max(one.box.y, two.box.y);
        if (wide > 3 && high > 4) found.push(`${one.text} over ${two.text}`);
      }));
      return { found, count: words.length };
    });
    assert.ok(over.count > 5);
    assert.deepEqual(over.found, [], name);
    await close();
  }
});

test('the equilibrium that was reached keeps its arrows, others have none', async () => {
  const { page, troubles, close } = await open(fixture('suspension'));
  const count = () => page.evaluate(() => window.roberval.picture.arrows.length), all = await count();
  assert.ok(all > 2);
  const { reached, others } = await page.evaluate(() => ({ reached: window.roberval.session.reachedEquilibrium, others: window.roberval.session.first.answer.equilibria.length }));
  assert.ok(reached >= 0 && others > 1);
  for (let k = 0; k < others; ++k) {
    await page.evaluate((equilibrium) => window.roberval.session.store.set({ equilibrium }), k);
    await settled(page);
    assert.equal(await count(), k === reached ? all : 0, `equilibrium ${k + 1}`);
  }
  assert.deepEqual(troubles, []);
  await close();
});

test('of two results each has its colour and its name', async () => {
  const { page, close } = await open(fixture('overlay'));
  const ink = (selector) => page.evaluate((one) => getComputedStyle(document.querySelector(one)).stroke, selector);
  assert.notEqual(await ink('.sketch.second path'), await ink('.sketch:not(.second) path'));
  assert.match(await page.locator('.legend').textContent(), /Servo press, deep drawing \(second result\)/);
  await close();
});
