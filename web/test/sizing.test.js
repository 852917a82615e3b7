// What is sized: figures with their reasons, and the points of the diagrams against result.json.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, open, settled } from './page.js';

const RPM = Math.PI / 30;
const numeral = (text) => Number(text.replaceAll('−', '-'));

/** In the page: what is drawn in the chart whose caption begins with a name, in the units of its axes: numbers at the grid say where they are. */
const drawn = (page, name) => page.evaluate((wanted) => {
  const figure = [...document.querySelectorAll('#sizing figure')].find((one) => one.querySelector('figcaption').firstChild.textContent === wanted), svg = figure.querySelector('.chart svg');
  const texts = [...svg.querySelectorAll('.grid text:not(.axis)')], at = (text) => Number(text.textContent.replaceAll('−', '-'));
  const axis = (of, place) => {
    const [a, b] = [of[0], of.at(-1)], scale = (at(b) - at(a)) / (place(b) - place(a));
    return (p) => at(a) + (p - place(a)) * scale;
  };
  const x = axis(texts.filter((text) => text.getAttribute('text-anchor') === 'middle'), (text) => Number(text.getAttribute('x'))), y = axis(texts.filter((text) => text.getAttribute('text-anchor') === 'end'), (text) => Number(text.getAttribute('y')) - 4);
  const points = (path) => [...(path?.getAttribute('d') ?? '').matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, p, q]) => [x(Number(p)), y(Number(q))]);
  const of = (selector) => points(svg.querySelector(selector));
  return { names: [...svg.querySelectorAll('.axis')].map(({ textContent }) => textContent), motoring: of('.motoring'), regenerating: of('.regenerating'), beyond: of('.cross.beyond'), rms: of('.rms'), hot: Boolean(svg.querySelector('.rms.beyond')),
    peak: of('.limit:not(.lasting)'), continuous: of('.lasting'), load: of('g:not(.over) > .load'), level: svg.querySelector('g:not(.over) > .level')?.getAttribute('d'), levelAt: y(Number(/ ([\d.]+)H/.exec(svg.querySelector('.level')?.getAttribute('d') ?? '')?.[1])),
    over: of('.over .load'), second: of('.ring.second'), step: [Math.abs(x(1) - x(0)), Math.abs(y(1) - y(0))], key: figure.querySelector('.chartkey').textContent };
}, name);

/** Both lists hold the same points, to a hundredth of a pixel. */
function same(found, wished, [dx, dy], what) {
  assert.equal(found.length, wished.length, what);
  const ordered = (list) => [...list].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const left = ordered(wished);
  for (const [x, y] of ordered(found)) {
    const k = left.findIndex(([u, v]) => Math.abs(u - x) < 0.02 * dx && Math.abs(v - y) < 0.02 * dy);
    assert.ok(k >= 0, `${what}: ${x}, ${y} is none of them`);
    left.splice(k, 1);
  }
}

test('torque over speed: the points are those of result.json, within limits as the model gives them', async () => {
  const data = fixture('sized'), { motor } = data.results[0].result.sizing.drives, { plot } = motor;
  const { page, troubles, close } = await open(data);
  const chart = await drawn(page, 'motor'), points = plot.x.map((speed, k) => ({ at: [Math.abs(speed) / RPM, Math.abs(plot.y[k])], power: speed * plot.y[k] }));
  // test/motor.csv, below 27 N.m and 3800 rpm; continuous below 11 N.m.
  const peak = (n) => (n > 3800 ? 0 : Math.min(27, n <= 2000 ? 30 : n <= 3000 ? 30 - (n - 2000) * 0.006 : 24 - (n - 3000) * 0.012));
  const beyond = points.filter(({ at: [n, T] }) => T > peak(n)), within = points.filter((point) => !beyond.includes(point));
  assert.equal(beyond.length, motor.outside, 'as many as result.json counts');
  assert.ok(beyond.length > 10 && within.length > 50);
  same(chart.beyond, beyond.map(({ at }) => at), chart.step, 'beyond');
  same(chart.motoring, within.filter(({ power }) => power >= 0).map(({ at }) => at), chart.step, 'motoring');
  same(chart.regenerating, within.filter(({ power }) => power < 0).map(({ at }) => at), chart.step, 'regenerating');
  same(chart.peak, [[0, 27], [2000, 27], [2500, 27], [3000, 24], [3800, 14.4], [3800, 0]], chart.step, 'peak');
  same(chart.continuous, [[0, 11], [2000, 11], [3000, 9], [3800, 5.8], [3800, 0]], chart.step, 'continuous');
  same(chart.rms, [[motor.mean_speed / RPM, motor.rms]], chart.step, 'rms');
  assert.ok(motor.rms_to_continuous > 1 && chart.hot, 'the rms is beyond the continuous limit');
  assert.deepEqual(chart.names, ['speed [rpm]', 'torque [N·m]']);
  for (const word of ['peak', 'continuous', 'motoring', 'regenerating', 'beyond its limits', 'rms']) assert.ok(chart.key.includes(word), word);
  assert.match(await page.locator('#sizing figcaption').first().textContent(), new RegExp(`${motor.outside} samples beyond its limits`));
  // Points beyond are in the colour of a warning, others in that of their verdict.
  const colours = await page.evaluate(() => ['.chart .beyond.cross', '.chart .motoring', '.chart .regenerating'].map((name) => getComputedStyle(document.querySelector(name)).stroke));
  assert.deepEqual(colours, ['rgb(213, 94, 0)', 'rgb(0, 114, 178)', 'rgb(0, 114, 178)']);
  assert.deepEqual(troubles, []);
  await close();
});

test('limits: without a top speed the line goes on, without a continuous rating there is none', async () => {
  const data = fixture('sized'), { motor } = data.results[0].result.sizing.drives;
  motor.plot = { x: [-10, 0, 20, null], y: [3, -4, 60, 2], speed: [0, null], peak: [50, 50], continuous: null, peak_limit: 50, speed_limit: null };
  const { page, troubles, close } = await open(data);
  const chart = await drawn(page, 'motor');
  assert.equal(chart.peak.length, 2, 'not closed');
  assert.ok(chart.peak.every(([, T]) => Math.abs(T - 50) < 0.02 * chart.step[1]));
  assert.equal(chart.continuous.length, 0);
  same(chart.regenerating, [[10 / RPM, 3]], chart.step, 'regenerating');
  same(chart.motoring, [[0, 4]], chart.step, 'motoring');
  same(chart.beyond, [[20 / RPM, 60]], chart.step, 'beyond');
  assert.deepEqual(troubles, []);
  await close();
});

test('a force along a length is drawn over its speed in the units of the page', async () => {
  const data = fixture('sized'), { motor } = data.results[0].result.sizing.drives;
  Object.assign(motor.units, { peak: 'N', rms: 'N', mean_speed: 'm/s', top_speed: 'm/s' });
  const { page, close } = await open(data);
  assert.deepEqual((await drawn(page, 'motor')).names, ['speed [m/s]', 'force [N]']);
  assert.match(await page.locator('#sizing thead').first().textContent(), /peak \[N\].*rms \[N\]mean speed \[m\/s\]/);
  await close();
});

test('loads over time, with the equivalent load as a level; a click takes the picture there', async () => {
  const data = fixture('sized'), { sizing } = data.results[0].result;
  const { page, troubles, close } = await open(data);
  for (const [name, item, mean] of [['main', sizing.bearings.main, 'P'], ['crankpin', sizing.plain.crankpin, 'p_mean'], ['bore', sizing.guides.bore, 'P']]) {
    const chart = await drawn(page, name);
    same(chart.load, item.plot.x.map((t, k) => [t, item.plot.y[k]]), chart.step, name);
    assert.ok(Math.abs(chart.levelAt - item[mean]) < 0.02 * chart.step[1], `${name}: level at ${chart.levelAt}, ${mean} is ${item[mean]}`);
  }
  assert.deepEqual((await drawn(page, 'main')).names, ['t [s]', 'P [N]']);
  assert.deepEqual((await drawn(page, 'crankpin')).names, ['t [s]', 'p [Pa]']);
  const svg = page.locator('#sizing figure', { hasText: 'bore' }).locator('.chart svg');
  await svg.scrollIntoViewIfNeeded();
  const box = await svg.boundingBox();
  await page.mouse.click(box.x + 64 + (box.width - 78) / 2, box.y + 80);
  await settled(page);
  assert.ok(Math.abs((await page.evaluate(() => window.roberval.session.axisAt(window.roberval.session.get('place')))) - 0.05) < 0.002);
  const now = Number(/M([\d.]+)/.exec(await svg.locator('.instant').getAttribute('d'))[1]);
  assert.ok(Math.abs(now - (64 + (box.width - 78) / 2)) < 3, 'the line stands there');
  assert.deepEqual(troubles, []);
  await close();
});

test('tables: figures with their verdicts, and what is missing with its reason', async () => {
  const data = fixture('sized'), { sizing } = data.results[0].result;
  const { page, troubles, close } = await open(data);
  const row = (name) => page.locator('#sizing .tables tr', { has: page.getByRole('rowheader', { name, exact: true }) }), cells = async (name) => row(name).locator('td').allTextContents();
  const main = await cells('main'), { main: item } = sizing.bearings;
  ['P0', 'P', 'L10', 'L10h', 's0'].forEach((name, k) => assert.ok(Math.abs(numeral(main[k]) - item[name]) <= Math.max(1e-3 * item[name], item.errors[name] ?? 0), `${name}: ${main[k]}, result.json has ${item[name]}`));
  assert.equal(main[5], 'unique');
  const left = await cells('left'), { left: open_ } = sizing.bearings;
  assert.equal(open_.P, null);
  assert.deepEqual(left.slice(0, 5), ['–', '–', '–', '–', '–']);
  assert.deepEqual(left.slice(5), ['not unique', open_.why]);
  assert.equal(await row('left').locator('td').first().getAttribute('title'), open_.why);
  assert.equal(await row('left').locator('.shaft.v-not-unique').count(), 1, 'verdicts look as elsewhere');
  assert.equal(await page.locator('#sizing figure', { hasText: 'left' }).count(), 0, 'what is not known is not drawn');
  const motor = await cells('motor');
  assert.ok(Math.abs(numeral(motor[3]) - sizing.drives.motor.mean_speed / RPM) < 1, 'shafts in rpm');
  assert.match(motor[8], /^0\.62\d* at 0\.078 s$/);
  assert.deepEqual(await row('motor').locator('.exceeded').allTextContents(), [motor[7], motor[8]]);
  assert.equal(await page.locator('#sizing .hint').count(), 0, 'all samples are drawn');
  const bore = await cells('bore');
  assert.ok(Math.abs(numeral(bore[2]) * 1000 - sizing.guides.bore.L10) < 1e-3 * sizing.guides.bore.L10, 'the life of guides in km');
  // A name chooses what it belongs to.
  await row('main').getByRole('button').click();
  assert.equal(await page.evaluate(() => { const { session } = window.roberval; return session.first.scene.things[session.get('chosen').thing].name; }), 'main');
  assert.deepEqual(troubles, []);
  await close();
});

test('a bearing of two, a screw, a range and a long run are told as what they are', async () => {
  const data = fixture('sized'), { sizing } = data.results[0].result, { main } = sizing.bearings;
  sizing.bearings = { 'main.a': { ...main, L10: null, L10_least: 3.25, L10h: null, why: null, verdict: 'compliance' } };
  data.results[0].series.of = 5000;
  sizing.screws = { bore: { ...main, L10: null, L10h: null, why: 'no load: its life has no end' } };
  const { page, troubles, close } = await open(data);
  const text = await page.locator('#sizing .tables').textContent();
  assert.match(text, /Bearings.*main\.a.*complianceL10 at least 3\.25 10⁶ turns/);
  assert.match(text, /Ball screws.*bore.*––.*no load: its life has no end/);
  assert.match(await page.locator('#sizing .hint').textContent(), /101 of 5000 samples/);
  await page.locator('#sizing').getByRole('button', { name: 'main.a' }).first().click();
  assert.equal(await page.evaluate(() => { const { session } = window.roberval; return session.first.scene.things[session.get('chosen').thing].name; }), 'main');
  assert.deepEqual(troubles, []);
  await close();
});

test('units of the model are those of tables and diagrams', async () => {
  const data = fixture('sized'), { main } = data.results[0].result.sizing.bearings;
  data.results[0].scene.units = { ...data.results[0].scene.units, force: 'kN', time: 'ms' };
  const { page, close } = await open(data);
  const chart = await drawn(page, 'main');
  assert.deepEqual(chart.names, ['t [ms]', 'P [kN]']);
  same(chart.load, main.plot.x.map((t, k) => [1000 * t, main.plot.y[k] / 1000]), chart.step, 'main');
  assert.match(await page.locator('#sizing thead').nth(1).textContent(), /P0 \[kN\]P \[kN\]/);
  await page.getByRole('combobox', { name: 'Units' }).selectOption('si');
  assert.deepEqual((await drawn(page, 'main')).names, ['t [s]', 'P [N]']);
  await close();
});

test('a second result lies over the first, and can be taken away', async () => {
  const data = fixture('sized'), [first] = data.results, second = structuredClone(first), { sizing } = second.result;
  sizing.bearings.main.plot.y = sizing.bearings.main.plot.y.map((P) => P / 2);
  data.results.push(second);
  const { page, troubles, close } = await open(data);
  let chart = await drawn(page, 'main');
  same(chart.load, first.result.sizing.bearings.main.plot.x.map((t, k) => [t, first.result.sizing.bearings.main.plot.y[k]]), chart.step, 'first');
  same(chart.over, sizing.bearings.main.plot.x.map((t, k) => [t, sizing.bearings.main.plot.y[k]]), chart.step, 'second');
  assert.ok((await drawn(page, 'motor')).second.length > 50);
  assert.equal(await page.locator('#sizing tr.second').count(), 5);
  await page.getByRole('checkbox', { name: 'Second result' }).uncheck();
  await settled(page);
  chart = await drawn(page, 'main');
  assert.deepEqual([chart.over.length, await page.locator('#sizing tr.second').count()], [0, 0]);
  assert.deepEqual(troubles, []);
  await close();
});

test('names that are markup stay names, nothing is wider than a phone, and nothing is there without sizing', async () => {
  const data = fixture('sized'), { sizing } = data.results[0].result, name = '<img src=x onerror=alert(1)>';
  sizing.drives[name] = { ...sizing.drives.motor, why: '<b>no</b>' };
  const phone = await open(data, { width: 390, height: 800, hasTouch: true, isMobile: true });
  assert.equal(await phone.page.evaluate(() => document.documentElement.scrollWidth), 390);
  const widths = await phone.page.evaluate(() => [...document.querySelectorAll('#sizing figure')].map((one) => one.getBoundingClientRect().right));
  assert.ok(widths.length === 5 && widths.every((right) => right <= 390), String(widths));
  assert.equal(await phone.page.locator('#sizing img, #sizing b').count(), 0);
  assert.ok((await phone.page.locator('#sizing').textContent()).includes(name));
  assert.deepEqual(phone.troubles, []);
  await phone.close();
  const { page, close } = await open(fixture('press'));
  assert.equal(await page.locator('#sizing, nav a[href="#sizing"]').count(), 0);
  await close();
});
