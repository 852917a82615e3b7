// The page of a study: figures, points, bars and carpets against its data; choices, filters, what is left out; no markup from names.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture, open, settled } from './page.js';

const HOSTILE = '</script><img src=x onerror=alert(1)>';
const numeral = (text) => Number(text.replaceAll('−', '-'));

/** Columns of the rows by their names, and marks: verdicts of each quantity, statuses, folders. */
function tableOf({ rows }) {
  const bytes = Buffer.from(rows.data, 'base64'), marks = Buffer.from(rows.marks, 'base64'), columns = { variant: 0 };
  rows.columns.forEach(({ name }, k) => { columns[name] = k + 1; });
  const quantities = rows.columns.filter(({ of }) => of === 'quantity').map(({ name }) => name);
  return { of: (name) => Array.from({ length: rows.count }, (_, i) => bytes.readDoubleLE(8 * (columns[name] * rows.count + i))), verdicts: (name) => marks.subarray(quantities.indexOf(name) * rows.count).subarray(0, rows.count), statuses: marks.subarray(quantities.length * rows.count).subarray(0, rows.count), kept: marks.subarray((quantities.length + 1) * rows.count).subarray(0, rows.count), save: () => { rows.marks = marks.toString('base64'); } };
}

/** In the page: marks of a figure by their shape, as pixels; and numbers of its axes at their pixels. */
const drawn = (page, selector, shapes) => page.evaluate(([selector, shapes]) => {
  const svg = document.querySelector(selector).querySelector('svg:not(.sample)'), at = (text) => Number(text.textContent.replaceAll('−', '-'));
  const texts = [...svg.querySelectorAll('.grid text:not(.axis)')], axis = (list, place) => {
    if (list.length < 2) return null;
    const [a, b] = [list[0], list.at(-1)], scale = (at(b) - at(a)) / (place(b) - place(a));
    return { from: at(a) - place(a) * scale, scale };
  };
  const x = axis(texts.filter((text) => text.getAttribute('text-anchor') === 'middle'), (text) => Number(text.getAttribute('x'))), y = axis(texts.filter((text) => text.getAttribute('text-anchor') === 'end'), (text) => Number(text.getAttribute('y')) - 4);
  const points = (shape) => [...svg.querySelectorAll(`.${shape}`)].flatMap((path) => [...path.getAttribute('d').matchAll(/M([\d.]+) ([\d.]+)/g)].map(([, p, q]) => [x ? x.from + x.scale * p : Number(p), y.from + y.scale * q]));
  return { names: [...svg.querySelectorAll('.axis')].map(({ textContent }) => textContent), step: [Math.abs(x?.scale ?? 1), Math.abs(y.scale)], marks: Object.fromEntries(shapes.map((shape) => [shape, points(shape)])) };
}, [selector, shapes]);

/** Both lists hold the same points, to a fifth of a pixel. */
function same(found, wished, [dx, dy], what) {
  assert.equal(found.length, wished.length, what);
  const left = wished.slice();
  for (const [x, y] of found) {
    const k = left.findIndex(([u, v]) => Math.abs(u - x) < 0.2 * dx && Math.abs(v - y) < 0.2 * dy);
    assert.ok(k >= 0, `${what}: ${x}, ${y} is none of them`);
    left.splice(k, 1);
  }
}

test('head and quantities are those of study.json', async () => {
  const data = fixture('study'), { study } = data, { peak, foot } = study.quantities;
  const { page, troubles, close } = await open(data);
  assert.equal(await page.locator('h1').textContent(), 'Throw and rod of a press');
  const head = await page.locator('.heading').textContent();
  for (const words of ['press.yaml', 'inverse', 'a grid', '60 variants', '57 done', '3 failed: locked', `${study.over_limit} over a limit`]) assert.ok(head.includes(words), words);
  const cells = await page.locator('.statistics tr', { has: page.getByRole('rowheader', { name: 'peak' }) }).locator('td').allTextContents();
  assert.equal(cells[0], 'N·m');
  assert.equal(cells[1], '57');
  for (const [k, value] of [[2, peak.least.value], [4, peak.largest.value], [6, peak.mean], [7, peak.sigma], [8, peak.percentiles[1]], [11, peak.percentiles[50]], [14, peak.percentiles[99]]]) assert.ok(Math.abs(numeral(cells[k]) - value) < 1e-5 * Math.abs(value), `${cells[k]}, not ${value}`);
  assert.ok(cells[3].startsWith(`${peak.least.variant}air = ${peak.least.parameters.air} kN, r = ${peak.least.parameters.r} mm`), cells[3]);
  assert.match(cells[15], /≤ 70 kN m/);
  assert.match(cells[16], new RegExp(`^${peak.limit.over}${[peak.limit.share, ...peak.limit.share_interval].map((part) => `${Number((100 * part).toPrecision(3))} %`).join('[ (…]*')}\\)$`));
  assert.equal(cells[17], 'unique');
  assert.equal(await page.locator('.statistics .exceeded').count(), 1, 'foot is within its limit');
  assert.equal(foot.limit.over, 0);
  assert.equal(numeral(await page.locator('.correlations tr', { has: page.getByRole('rowheader', { name: 'heat' }) }).locator('td').nth(1).textContent()), Number(study.quantities.heat.correlations.r.toPrecision(3)));
  await page.getByRole('combobox', { name: 'Units' }).selectOption('limits');
  const other = await page.locator('.statistics tr', { has: page.getByRole('rowheader', { name: 'foot' }) }).locator('td').allTextContents();
  assert.equal(other[0], 'kN');
  assert.ok(Math.abs(numeral(other[4]) * 1000 - foot.largest.value) < 1e-5 * foot.largest.value);
  assert.equal(await page.locator('.held').count(), 0, 'nothing is left out');
  assert.deepEqual(troubles, []);
  await close();
});

test('scatter plots: every point, those over a limit and those not unique by their marks; what is chosen is drawn', async () => {
  const data = fixture('study'), table = tableOf(data), open_ = data.rows.verdicts.indexOf('not unique');
  table.verdicts('peak').fill(open_, 0, 4);
  table.save();
  const { page, troubles, close } = await open(data);
  const [length, peak, heat] = ['rod_length', 'peak', 'heat'].map(table.of), there = peak.map((value, k) => k).filter((k) => !Number.isNaN(peak[k]));
  let plot = await drawn(page, '.scatter', ['dot', 'cross', 'ring']);
  assert.deepEqual(plot.names, ['rod_length [mm]', 'peak [N·m]']);
  const over = there.filter((k) => peak[k] > 70000), rest = there.filter((k) => peak[k] <= 70000 && k >= 4);
  same(plot.marks.dot, rest.map((k) => [length[k], peak[k]]), plot.step, 'within');
  assert.equal(plot.marks.cross.length, over.length, 'over');
  assert.equal(plot.marks.ring.length, 4, 'not unique');
  assert.match(await page.locator('.scatter .chartkey').first().textContent(), /r \[mm\]:8090100110over a limit \(46\)not unique \(4\).*peak ≤ 70 kN m/);
  const colours = await page.locator('.scatter').first().locator('svg:not(.sample) g[style]').evaluateAll((list) => new Set(list.map((one) => one.getAttribute('style'))).size);
  assert.equal(colours, 4, 'one for each throw');
  // Another quantity over a quantity.
  const figure = page.locator('.scatter').first();
  await figure.getByRole('combobox', { name: 'Quantity' }).selectOption('quantity heat');
  await figure.getByRole('combobox', { name: 'over' }).selectOption('quantity peak');
  await figure.getByRole('combobox', { name: 'colour' }).selectOption('');
  await settled(page);
  plot = await drawn(page, '.scatter', ['dot']);
  assert.deepEqual(plot.names, ['peak [N·m]', 'heat [N·m]']);
  same(plot.marks.dot, rest.map((k) => [peak[k], heat[k]]), plot.step, 'heat over peak');
  // More and fewer plots.
  assert.equal(await page.locator('.scatter').count(), 3);
  await page.getByRole('button', { name: 'Another plot' }).click();
  assert.equal(await page.locator('.scatter').count(), 4);
  await page.getByRole('button', { name: 'Take this plot away' }).last().click();
  assert.equal(await page.locator('.scatter').count(), 3);
  assert.deepEqual(troubles, []);
  await close();
});

test('a variant is chosen by pointer, by keys and in the table, and marked everywhere', async () => {
  const data = fixture('study'), table = tableOf(data);
  const { page, troubles, close } = await open(data);
  const svg = page.locator('.scatter .chart svg').first();
  await svg.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const row = await page.evaluate(() => window.roberval.view.store.get('row'));
  assert.ok(row >= 0);
  assert.match(await page.locator('.scatter .reading').first().textContent(), new RegExp(`^Variant ${row + 1}: air = ${table.of('air')[row]} kN, r = \\d+ mm, rod_length = 105 mm`));
  assert.equal(await page.locator('.scatter .chosen[d^=M]').count(), 3);
  assert.equal(await page.locator('.carpet .chosen[d^=M]').count(), Number(table.of('air')[row] === 22), 'where the carpet has it');
  assert.equal(await page.locator('.variants tr[aria-selected=true] th').textContent(), String(row + 1));
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.chosen[d^=M]').count(), 0);
  await page.locator('.variants').getByRole('button', { name: '28', exact: true }).click();
  assert.equal(await page.evaluate(() => window.roberval.view.store.get('row')), 27);
  await svg.scrollIntoViewIfNeeded();
  const now = await page.locator('.scatter .chosen').first().boundingBox();
  await page.evaluate(() => window.roberval.view.choose(-1));
  await page.mouse.click(now.x + now.width / 2, now.y + now.height / 2);
  assert.equal(table.of('peak')[await page.evaluate(() => window.roberval.view.store.get('row'))], table.of('peak')[27], 'what lies there');
  assert.deepEqual(troubles, []);
  await close();
});

test('carpet: nodes are those of the grid at the levels that are held; the shift moves them', async () => {
  const data = fixture('study'), table = tableOf(data);
  const { page, troubles, close } = await open(data);
  const [air, r, length, peak] = ['air', 'r', 'rod_length', 'peak'].map(table.of);
  const nodes = (shift, at) => peak.map((value, k) => [(length[k] - 105) / 800 + shift * ((r[k] - 80) / 30), value, air[k]]).filter(([, value, a]) => a === at && !Number.isNaN(value));
  const check = async (shift, at) => {
    const plot = await drawn(page, '.carpet', ['dot', 'cross']), wished = nodes(shift, at);
    assert.equal(plot.marks.dot.length + plot.marks.cross.length, wished.length);
    // The abscissa has no numbers: pixels are a linear function of it.
    const order = (list) => list.slice().sort((a, b) => a[1] - b[1]), [f, w] = [order(plot.marks.dot), order(wished.filter(([, value]) => value <= 70000))];
    const [first, last] = [f[0], f.at(-1)], scale = (last[0] - first[0]) / (w.at(-1)[0] - w[0][0]);
    f.forEach(([x, y], k) => assert.ok(Math.abs(y - w[k][1]) < 0.2 * plot.step[1] && Math.abs(x - first[0] - scale * (w[k][0] - w[0][0])) < 0.2, `${x} ${y}`));
  };
  await check(0.6, 22);
  assert.match(await page.locator('.carpet .chartkey').textContent(), /rod_length constant \[mm\]r constant \[mm\].*1 of 20 without a value/);
  await page.getByRole('combobox', { name: 'air', exact: true }).selectOption({ label: 'air = 26 kN' });
  await page.getByRole('slider', { name: 'Shift' }).fill('1');
  await check(1, 26);
  // The choices never take the same axis twice.
  const [a, b] = [page.locator('.carpet').getByRole('combobox', { name: 'over' }), page.locator('.carpet').getByRole('combobox', { name: 'and' })];
  await a.selectOption('parameter r');
  assert.equal(await b.inputValue(), 'parameter rod_length');
  await b.selectOption('parameter air');
  assert.equal(await page.locator('.carpet .fixed label').count(), 1);
  assert.equal(await page.locator('.carpet .curve').count(), 4, 'two kinds of curves, and their samples in the key');
  assert.deepEqual(troubles, []);
  await close();
});

test('histograms: bars of all variants, joined as one chooses, with the limit', async () => {
  const data = fixture('study'), { bars } = data.histograms[0];
  const { page, troubles, close } = await open(data);
  const heights = () => page.locator('.histogram').first().locator('.bar title').evaluateAll((list) => list.map(({ textContent }) => Number(/: (\d+) variant/.exec(textContent)[1])));
  for (const wanted of [10, 60, 240]) {
    await page.locator('#histograms').getByRole('combobox', { name: 'Bars' }).selectOption(String(wanted));
    const each = 240 / wanted, all = Array.from({ length: wanted }, (_, k) => bars.slice(k * each, (k + 1) * each).reduce((a, b) => a + b, 0));
    assert.deepEqual(await heights(), all.filter((n) => n > 0));
  }
  assert.equal(bars.reduce((a, b) => a + b, 0), 57);
  assert.equal(await page.locator('.histogram').first().locator('.limit').count(), 2, 'and in the key');
  assert.equal(await page.locator('.histogram .beyond').count(), 2, 'peak and foot have limits');
  assert.match(await page.locator('.histogram .chartkey').first().textContent(), /mean .*≤ 70 kN m: 46 of 57 over/);
  await page.getByText('Quantities', { exact: true }).last().click();
  await page.getByRole('checkbox', { name: 'heat' }).uncheck();
  assert.equal(await page.locator('.histogram').count(), 2);
  assert.deepEqual(troubles, []);
  await close();
});

test('variants: sorted, filtered, a page at a time, with links to their folders', async () => {
  const data = fixture('study'), table = tableOf(data);
  table.kept[15] = 1;
  table.save();
  data.variants = 'variants/';
  const { page, troubles, close } = await open(data);
  const first = () => page.locator('.variants tbody th').allTextContents().then((list) => list.map(Number)), told = page.locator('#variants .told');
  assert.equal(await told.textContent(), '1 … 50 of 60 variants');
  await page.getByRole('button', { name: 'Variants after' }).click();
  assert.deepEqual(await first(), [51, 52, 53, 54, 55, 56, 57, 58, 59, 60]);
  const peak = table.of('peak'), order = peak.map((value, k) => [value, k + 1]).filter(([value]) => !Number.isNaN(value)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  await page.locator('.variants thead').getByRole('button', { name: /^peak/ }).click();
  assert.deepEqual((await first()).slice(0, 5), order.slice(0, 5).map(([, variant]) => variant));
  await page.keyboard.press('Enter');
  assert.deepEqual((await first())[0], order.at(-1)[1]);
  assert.equal(await page.locator('.variants [aria-sort=descending]').textContent(), 'peak [N·m]');
  const filter = page.getByRole('combobox', { name: 'Show' });
  await filter.selectOption('failed');
  assert.deepEqual(await first(), [16, 36, 56]);
  assert.match(await page.locator('.variants tbody').textContent(), /locked.*lock-up at t = 0\.326/);
  const link = page.locator('.variants a');
  assert.equal(await link.getAttribute('href'), 'variants/000016/');
  await filter.selectOption('over');
  assert.equal(await told.textContent(), '1 … 46 of 46 variants');
  assert.equal(await filter.locator('option').count(), 5, 'no variant is not unique');
  assert.deepEqual(troubles, []);
  await close();
  data.variants = null;
  const apart = await open(data);
  assert.equal(await apart.page.locator('.variants a').count(), 0);
  assert.match(await apart.page.locator('.variants tbody').textContent(), /variants\/000016\//);
  await apart.close();
});

test('a large study says what the page leaves out', async () => {
  const data = fixture('study');
  Object.assign(data.rows, { of: 240, strides: [1, 2, 1], failed: [3, 8], over: [44, 100], silent: 2 });
  data.study.study.vary.r.values = 8;
  data.study.variants = 240;
  const { page, troubles, close } = await open(data);
  const text = await page.locator('#variants .held').textContent();
  assert.match(text, /^This page holds 60 of 240 variants: every 2nd value of r and the last; where quantities are least and largest; 3 of 8 that failed; 44 of 100 over a limit\./);
  assert.match(await page.locator('#variants').textContent(), /Messages of 2 failed variants are left out/);
  assert.equal(await page.locator('#scatter .held').count(), 1);
  assert.deepEqual(troubles, []);
  await close();
});

test('random designs have no carpet; a page of 20000 points is drawn', async () => {
  const data = fixture('study'), count = 20000, { columns } = data.rows, bytes = Buffer.alloc(8 * count * (columns.length + 1));
  for (let c = 0; c <= columns.length; ++c) for (let k = 0; k < count; ++k) bytes.writeDoubleLE(c ? Math.sin(c * 1e4 * (k + 1)) : k + 1, 8 * (c * count + k));
  data.study.study.design = 'monte-carlo';
  for (const one of Object.values(data.study.study.vary)) delete one.axis;
  Object.assign(data.rows, { count, of: count, data: bytes.toString('base64'), marks: Buffer.alloc(count * 5, 0).fill(1, 0, 3 * count).toString('base64'), messages: [], failed: [0, 0] });
  data.study.failed = {};
  const { page, troubles, close } = await open(data);
  assert.equal(await page.locator('#carpet, nav a[href="#carpet"]').count(), 0);
  assert.equal((await drawn(page, '.scatter', ['dot'])).marks.dot.length, count);
  assert.deepEqual(troubles, []);
  await close();
});

test('names that are markup stay names, nothing is wider than a phone, light and dark', async () => {
  const changed = JSON.stringify(fixture('study')).replaceAll('"peak"', JSON.stringify(HOSTILE)).replaceAll('"rod_length"', JSON.stringify('<b>length</b>')).replaceAll('lock-up at', '<svg onload=alert(1)>');
  const data = JSON.parse(changed);
  data.study.study.title = HOSTILE;
  const { page, troubles, close } = await open(data, { width: 390, height: 800, hasTouch: true, isMobile: true });
  assert.equal(await page.locator('h1').textContent(), HOSTILE);
  assert.equal(await page.locator('img, main b').count(), 0);
  assert.equal(await page.locator('script').count(), 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByRole('combobox', { name: 'Light or dark' }).selectOption('light');
  const light = await paper();
  await page.getByRole('combobox', { name: 'Light or dark' }).selectOption('dark');
  assert.notEqual(await paper(), light);
  assert.deepEqual(troubles, []);
  await close();
});

test('the built page: small, without libraries and requests; empty it says what it is', async () => {
  const text = readFileSync(new URL('../dist/study.html', import.meta.url), 'utf8');
  assert.ok(text.length < 1e5, `${text.length} bytes`);
  assert.doesNotMatch(text, /<(link|script|img)[^>]+(src|href)=/);
  assert.match(text, /default-src 'none'/);
  const { page, close } = await open(fixture('study'));
  await page.goto(new URL('../dist/study.html', import.meta.url).href);
  assert.match(await page.textContent('main'), /roberval report DIR/);
  await close();
});
