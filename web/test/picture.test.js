// The mechanism is drawn where the numbers say, is played, and answers clicks and keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, fixture, open, settled } from './page.js';

const app = (page, act) => page.evaluate(`(() => { const { session, player, picture } = window.roberval; ${act} })()`);

test('a sketch puts bodies where the columns are', async () => {
  const data = fixture('press'), columns = columnsOf(data.results[0]);
  const { page, troubles, close } = await open(data);
  const k = 30, rod = 2;
  await app(page, `player.go(${k});`);
  await settled(page);
  // The end of the rod that the wrist holds: 700 mm from its origin along its x.
  const x = columns['rod.x'][k] + 0.7 * Math.cos(columns['rod.angle'][k]), y = columns['rod.y'][k] + 0.7 * Math.sin(columns['rod.angle'][k]);
  const seen = await page.evaluate((body) => {
    const path = document.querySelector(`.sketch .outline path.casing[data-body="${body}"]`), matrix = path.getScreenCTM(), end = path.getPointAtLength(path.getTotalLength());
    const host = document.querySelector('.board').getBoundingClientRect(), point = end.matrixTransform(matrix);
    return [point.x - host.left, point.y - host.top];
  }, rod);
  const [px, py] = await page.evaluate(([a, b]) => window.roberval.picture.view.project([a, b, 0]), [x, y]);
  assert.ok(Math.hypot(seen[0] - px, seen[1] - py) < 0.5, `drawn at ${seen}, columns say ${[px, py]}`);
  // And the slide's pin is there, too: the joint holds in the picture as in the numbers.
  assert.ok(Math.hypot(x - columns['slide.x'][k], y - columns['slide.y'][k]) < 1e-9);
  assert.deepEqual(troubles, []);
  await close();
});

test('space is drawn: the canvas is not blank and changes along the motion', async () => {
  const { page, troubles, close } = await open(fixture('door'));
  const count = () => page.evaluate(() => {
    const { view } = window.roberval.picture, canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 200, height: 150 });
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    window.roberval.picture.paint();
    pen.drawImage(view.canvas, 0, 0, 200, 150);
    const { data } = pen.getImageData(0, 0, 200, 150);
    let drawn = 0, sum = 0;
    for (let k = 0; k < data.length; k += 4) {
      if (data[k] < 250 || data[k + 1] < 250) ++drawn;
      sum = (sum * 31 + data[k]) % 1000000007;
    }
    return { drawn, sum };
  });
  const first = await count();
  assert.ok(first.drawn > 500 && first.drawn < 25000, `${first.drawn} pixels of 30000 are drawn`);
  await app(page, 'player.go(40);');
  await settled(page);
  assert.notEqual((await count()).sum, first.sum);
  assert.deepEqual(troubles, []);
  await close();
});

test('corners of a body in space are seen where its quaternion puts them', async () => {
  const data = fixture('door'), columns = columnsOf(data.results[0]), k = 20;
  const { page, close } = await open(data);
  await app(page, `player.go(${k}); picture.view.view('top');`);
  await settled(page);
  // Turned about z by phi: q = (cos phi/2, 0, 0, sin phi/2). The handle edge of the leaf is at (0.9 cos phi, 0.9 sin phi).
  const phi = 2 * Math.atan2(columns['door.qz'][k], columns['door.qw'][k]);
  assert.ok(Math.abs(phi - columns.opening[k]) < 1e-9);
  const at = (r) => page.evaluate(([x, y]) => window.roberval.picture.view.project([x, y, 1.05]), [r * Math.cos(phi), r * Math.sin(phi)]);
  const host = await page.locator('.board').boundingBox();
  const body = async (r) => {
    const [x, y] = await at(r);
    await app(page, 'session.choose(-1);');
    await page.mouse.click(host.x + x, host.y + y);
    return page.evaluate(() => window.roberval.session.get('chosen').body);
  };
  assert.equal(await body(0.5), 1, 'the middle of the leaf is the door');
  assert.equal(await body(1.1), -1, 'beyond its edge there is nothing');
  await close();
});

test('the picture is filled by the machine and its arrows, and none is cut off', async () => {
  for (const name of ['press', 'door', 'stewart']) {
    const { page, close } = await open(fixture(name));
    const { low, high, size } = await page.evaluate(() => {
      const { session, picture } = window.roberval, all = [];
      for (let k = 0; k < session.first.samples; ++k) {
        session.store.set({ place: k });
        picture.paint();
        for (const { kind, tip, shaft } of picture.arrows) if (kind === 'force') all.push(tip, shaft[0]);
      }
      const points = all.concat(session.box.points.map((p) => picture.view.project(p)));
      const span = (list, i, pick) => list.reduce((most, p) => pick(most, p[i]), pick === Math.min ? Infinity : -Infinity);
      return { low: [0, 1].map((i) => span(points, i, Math.min)), high: [0, 1].map((i) => span(points, i, Math.max)), size: picture.view.size };
    });
    for (const i of [0, 1]) assert.ok(low[i] >= 0 && high[i] <= size[i], `${name}: ${low} to ${high} of ${size}`);
    assert.ok([0, 1].some((i) => high[i] - low[i] > 0.75 * size[i]), `${name} fills ${[0, 1].map((i) => (high[i] - low[i]) / size[i])} of the board`);
    await close();
  }
});

test('plays, pauses, loops, steps', async () => {
  const { page, troubles, close } = await open(fixture('press'));
  const place = () => page.evaluate(() => window.roberval.session.get('place'));
  assert.equal(await place(), 0);
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(() => window.roberval.session.get('place') > 3);
  await page.getByRole('button', { name: 'Pause' }).click();
  const stopped = await place();
  await page.waitForTimeout(120);
  assert.equal(await place(), stopped, 'a pause holds');
  await page.getByRole('button', { name: 'One sample on' }).click();
  assert.equal(await place(), Math.round(stopped) + 1);
  await page.getByRole('button', { name: 'To the first sample' }).click();
  assert.equal(await place(), 0);
  await app(page, 'player.go(119); session.store.set({ speed: 5 });');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(() => window.roberval.session.get('place') < 60);
  assert.ok(await page.evaluate(() => window.roberval.session.get('playing')), 'it goes on after the end');
  assert.deepEqual(troubles, []);
  await close();
});

test('real time is real: speed times seconds', async () => {
  const { page, close } = await open(fixture('press'));
  await app(page, 'session.store.set({ speed: 0.5 });');
  const { seconds, moved } = await page.evaluate(async () => {
    const { session, player } = window.roberval;
    player.toggle();
    await new Promise((done) => setTimeout(done, 200));
    const [from, start] = [session.axisAt(session.get('place')), performance.now()];
    await new Promise((done) => setTimeout(done, 1200));
    return { moved: session.axisAt(session.get('place')) - from, seconds: (performance.now() - start) / 1000 };
  });
  // Frames come late on a busy machine, at both ends.
  assert.ok(Math.abs(moved - 0.5 * seconds) < 0.15, `${moved} s of motion in ${seconds} s at half speed`);
  await close();
});

test('keys', async () => {
  const { page, close } = await open(fixture('press'));
  const get = (name) => page.evaluate((key) => window.roberval.session.get(key), name);
  await page.keyboard.press('.');
  await page.keyboard.press('ArrowRight');
  assert.equal(await get('place'), 2);
  await page.keyboard.press('End');
  assert.equal(await get('place'), 120);
  await page.keyboard.press('Home');
  await page.keyboard.press('n');
  assert.equal(await get('names'), true);
  await page.keyboard.press(' ');
  assert.equal(await get('playing'), true);
  await page.keyboard.press(' ');
  assert.equal(await get('playing'), false);
  const before = await page.evaluate(() => window.roberval.picture.view.scale);
  await page.locator('.board').focus();
  await page.keyboard.press('+');
  assert.ok((await page.evaluate(() => window.roberval.picture.view.scale)) > before);
  await page.keyboard.press('f');
  assert.ok(Math.abs((await page.evaluate(() => window.roberval.picture.view.scale)) - before) < 1e-9);
  // The list: by arrows, and the search.
  await page.getByRole('searchbox', { name: /Find a joint/ }).fill('wrist');
  await page.getByRole('listbox').focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('.details h2').textContent(), 'wrist');
  await page.getByRole('searchbox', { name: /Find a joint/ }).fill(' ');
  assert.equal(await get('playing'), false, 'a blank in a field is text');
  await close();
});

test('a click on a pin chooses it: panel, list, line of the model', async () => {
  const { page, troubles, close } = await open(fixture('press'));
  const host = await page.locator('.board').boundingBox();
  const [x, y] = await page.evaluate(() => window.roberval.picture.view.project([0, 0, 0]));
  await page.mouse.click(host.x + x, host.y + y);
  assert.equal(await page.locator('.details h2').textContent(), 'main');
  assert.match(await page.locator('.details .sub').first().textContent(), /joint, revolute between ground and eccentric/);
  assert.equal(await page.locator('.list').getByRole('option', { selected: true }).locator('.name').textContent(), 'main');
  assert.match(await page.locator('.text li.chosen code').textContent(), /^ {2}main: \{type: revolute/);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.list').getByRole('option', { selected: true }).count(), 0);
  assert.deepEqual(troubles, []);
  await close();
});

test('a machine that does not assemble shows its gaps and its loop', async () => {
  const data = fixture('press'), [one] = data.results;
  one.series = { columns: [], samples: 0, data: '' };
  one.result = { roberval: one.result.roberval, analysis: 'check', notes: [] };
  one.scene.failure = { text: "the joint 'wrist' does not close: 0.12 m are missing", gaps: [{ of: 2, from: [0, -0.6, 0], to: [0, -0.72, 0], length: 0.12, angle: 0 }], loop: [0, 1, 2] };
  const { page, troubles, close } = await open(data);
  assert.match(await page.getByRole('alert').textContent(), /does not close: 0.12 m are missing/);
  assert.equal(await page.locator('.overlay .gap text').textContent(), 'wrist: 120 mm');
  const drawn = await page.evaluate(() => [...document.querySelectorAll('.gap circle')].map((circle) => [Number(circle.getAttribute('cx')), Number(circle.getAttribute('cy'))]));
  const wished = await page.evaluate(() => [[0, -0.6, 0], [0, -0.72, 0]].map((p) => window.roberval.picture.view.project(p).slice(0, 2)));
  assert.deepEqual(drawn, wished);
  assert.ok((await page.locator('.sketch .loop').count()) >= 3);
  await page.locator('.failure li button').click();
  assert.equal(await page.locator('.details h2').textContent(), 'wrist');
  assert.deepEqual(troubles, []);
  await close();
});

test('standard views: what is up is up, whatever gravity says', async () => {
  for (const up of [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0.6, 0.8]]) {
    const data = fixture('door');
    data.results[0].scene.up = up;
    const { page, troubles, close } = await open(data);
    for (const side of ['front', 'right', 'corner', 'top', 'back']) {
      const [from, to, near] = await page.evaluate(([name, axis]) => {
        const { view } = window.roberval.picture;
        view.view(name);
        return [[0, 0, 0], axis.map((x) => 0.2 * x), view.camera.position.toArray()].map((p, k) => (k < 2 ? view.project(p) : p));
      }, [side, up]);
      if (side !== 'top') assert.ok(to[1] < from[1] - 1 && Math.abs(to[0] - from[0]) < 25, `${up} ${side}: ${from} ${to}`);
      else assert.ok(near.reduce((sum, x, i) => sum + x * up[i], 0) > 2, 'from above');
    }
    assert.deepEqual(troubles, []);
    await close();
  }
});
