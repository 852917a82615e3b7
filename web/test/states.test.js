// Equilibria, the path of equilibria, modes that swing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, fixture, open, settled } from './page.js';

test('equilibria are shown one by one', async () => {
  const data = fixture('suspension'), { equilibria } = data.results[0].result;
  const { page, troubles, close } = await open(data);
  assert.equal(await page.locator('#equilibria label').count(), equilibria.length + 1);
  await page.locator('#equilibria label').nth(3).click();
  await settled(page);
  const frames = await page.evaluate(() => window.roberval.session.frames(0));
  const third = equilibria[2].bodies.lower;
  assert.deepEqual(frames[2].at.slice(0, 2), third.at);
  assert.ok(Math.abs(Math.cos(2 * Math.atan2(frames[2].turn[3], frames[2].turn[0]) - third.angle) - 1) < 1e-12);
  assert.equal(await page.evaluate(() => window.roberval.picture.arrows.length), 0, 'forces of others are not shown');
  await page.locator('#equilibria label').first().click();
  await settled(page);
  assert.ok((await page.evaluate(() => window.roberval.picture.arrows.length)) > 3);
  assert.deepEqual(troubles, []);
  await close();
});

test('a path turns back at its folds, which are marked', async () => {
  const data = fixture('truss'), columns = columnsOf(data.results[0]), { events } = data.results[0].result.follow;
  const { page, troubles, close } = await open(data);
  assert.equal(await page.locator('.pathplot .event').count(), events.length);
  assert.deepEqual(await page.locator('.pathplot .event text').allTextContents(), events.map(({ kind }) => kind));
  // von Mises: P = 2 k y (L / sqrt(a^2 + y^2) - 1) is largest where (a^2 + y^2)^3 = L^2 a^4.
  const a = 0.1, L2 = 0.1 ** 2 + 0.02 ** 2, y = Math.sqrt((L2 * a ** 4) ** (1 / 3) - a * a), P = 2 * 50e3 * y * (Math.sqrt(L2 / (a * a + y * y)) - 1);
  assert.match(await page.locator('#path table').textContent(), new RegExp(P.toPrecision(6)));
  // Stable parts are heavy, the others dashed; the first unstable one runs from the first event to the second.
  const parts = await page.evaluate(() => [...document.querySelectorAll('.pathplot .stable, .pathplot .unstable')].map((path) => path.getAttribute('class')));
  assert.deepEqual(parts, ['stable', 'unstable', 'stable']);
  await page.locator('#path table button').first().click();
  await settled(page);
  assert.equal(await page.evaluate(() => window.roberval.session.sample), events[0].sample);
  assert.ok(Math.abs(columns['top.y'][events[0].sample] - y) < 1e-6);
  assert.deepEqual(troubles, []);
  await close();
});

test('modes swing by their shape, with its phases', async () => {
  const data = fixture('swing'), mode = data.results[0].result.modes[1], { shape } = mode;
  const { page, troubles, close } = await open(data);
  await page.locator('#modes tbody label').nth(1).click();
  await page.evaluate(() => window.roberval.session.store.set({ playing: false, phase: 0.7, amplitude: 0.02 }));
  await settled(page);
  const { now, rest } = await page.evaluate(() => ({ now: window.roberval.session.frames(0), rest: window.roberval.session.first.scene.bodies }));
  const real = ([re, im]) => re * Math.cos(0.7) - im * Math.sin(0.7);
  const turn = (k) => 2 * Math.atan2(now[k].turn[3], now[k].turn[0]) - 2 * Math.atan2(rest[k].turn[3], rest[k].turn[0]);
  // The lower arm turns by both angles, the upper by the first: their ratio is that of the shape.
  const upper = real(shape['hang.angle']), lower = upper + real(shape['knee.angle']);
  assert.ok(Math.abs(turn(2) / turn(1) - lower / upper) < 1e-6 * Math.abs(lower / upper));
  // To first order the knee stays together: the lower arm's origin moves with the end of the upper.
  const moved = [now[2].at[0] - rest[2].at[0], now[2].at[1] - rest[2].at[1]], arm = [rest[2].at[0], rest[2].at[1]];
  assert.ok(Math.abs(moved[0] + turn(1) * arm[1]) < 1e-9 && Math.abs(moved[1] - turn(1) * arm[0]) < 1e-9);
  assert.match(await page.locator('#modes tbody').textContent(), /∠/, 'parts out of phase are told');
  assert.deepEqual(troubles, []);
  await close();
});

test('motions of bodies that the program gives with a mode are taken', async () => {
  const data = fixture('suspension'), [one] = data.results;
  one.result.equilibria = [];
  one.result.modes = [{ frequency: 1, damping: 0.1, eigenvalue: [-1, 6], shape: { 'A.angle': [1, 0] }, participation: {}, bodies: Object.fromEntries(one.scene.bodies.slice(1).map(({ name }) => [name, { at: [[0, 1], [1, 0], [0, 0]], turn: [[0, 0], [0, 0], [0, 0]] }])) }];
  const { page, close } = await open(data);
  await page.locator('#modes tbody label').first().click();
  await page.evaluate(() => window.roberval.session.store.set({ playing: false, phase: Math.PI / 2 }));
  const { now, rest } = await page.evaluate(() => ({ now: window.roberval.session.frames(0), rest: window.roberval.session.first.scene.bodies }));
  const shift = [now[1].at[0] - rest[1].at[0], now[1].at[1] - rest[1].at[1]];
  assert.ok(shift[0] < -1e-3 && Math.abs(shift[1]) < 1e-12, 'Re(i e^(i pi/2)) = -1 along x, nothing along y');
  await close();
});

test('modes along a parameter: crossings in a table, curves of all modes, no path of equilibria', async () => {
  const data = fixture('rotor'), [event] = data.results[0].result.follow.events;
  const { page, troubles, close } = await open(data);
  assert.match(await page.locator('.crossings tbody').textContent(), new RegExp(`^flutter${event.at.toPrecision(6).replace(/0+$/, '').replace(/[.]$/, '')}`));
  assert.equal(await page.locator('#path').count(), 0);
  assert.deepEqual((await page.locator('.panel').first().locator('.entry .name').allTextContents()).slice(0, 2), ['mode1.im', 'mode2.im']);
  await page.locator('.crossings button').click();
  const at = await page.evaluate(() => window.roberval.session.axisAt(window.roberval.session.sample));
  assert.ok(Math.abs(at - event.at) < 418.9 / 100, `${at}, the crossing is at ${event.at}`);
  // The bowl's own coordinates are its motion: in a mode that whirls x and y differ by a quarter in phase.
  const whirl = data.results[0].result.modes.findIndex(({ shape }) => Math.hypot(...shape['bowl.x']) > 0.99);
  await page.locator('#modes tbody label').nth(whirl).click();
  const place = (phase) => page.evaluate((value) => {
    window.roberval.session.store.set({ playing: false, phase: value });
    return window.roberval.session.frames(0)[1].at;
  }, phase);
  const { shape } = data.results[0].result.modes[whirl], [a, b] = [await place(0), await place(Math.PI / 2)];
  assert.ok(Math.abs(a[1] / a[0] - shape['bowl.y'][0] / shape['bowl.x'][0]) < 1e-9);
  assert.ok(Math.abs(b[1] * shape['bowl.x'][1] - b[0] * shape['bowl.y'][1]) < 1e-9);
  assert.deepEqual(troubles, []);
  await close();
});
