// Curves, tables, units, exports, two results over each other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, fixture, open, saved, settled } from './page.js';

test('series are chosen by a search, and the cursor of the picture gives their values', async () => {
  const data = fixture('press'), columns = columnsOf(data.results[0]);
  const { page, troubles, close } = await open(data);
  const panel = page.locator('.panel').first();
  assert.match(await panel.locator('.key').textContent(), /servo\.effort/);
  await panel.getByText('Series').click();
  await panel.getByRole('searchbox').fill('wrist.fx');
  await panel.getByRole('checkbox').check();
  await page.keyboard.press('Escape');
  await panel.scrollIntoViewIfNeeded();
  await page.evaluate(() => window.roberval.player.go(29));
  await settled(page);
  const shown = await panel.locator('.entry').allTextContents();
  assert.equal(shown.length, 2);
  const value = Number(shown[1].replace(/^wrist\.Fx/, '').replace(/N.*/, '').replace('−', '-'));
  assert.ok(Math.abs(value - columns['wrist.Fx'][29]) <= 1, `${value}, the column says ${columns['wrist.Fx'][29]}`);
  // A click on a curve takes the picture there.
  await panel.scrollIntoViewIfNeeded();
  const over = await panel.locator('.u-over').boundingBox();
  await page.mouse.click(over.x + over.width * 0.5, over.y + 20);
  const time = await page.evaluate(() => window.roberval.session.axisAt(window.roberval.session.get('place')));
  assert.ok(Math.abs(time - 1.2) < 0.15, `half way is about 1.2 s, not ${time}`);
  // The line of all panels stands there.
  const lines = await page.evaluate(() => window.roberval.plots.panels.map(({ plot }) => [Number(/translateX\((.*)px\)/.exec(plot.line.style.transform)[1]), plot.plot.valToPos(window.roberval.session.axisAt(window.roberval.session.get('place')), 'x')]));
  for (const [at, wished] of lines) assert.ok(Math.abs(at - wished) < 0.2);
  assert.deepEqual(troubles, []);
  await close();
});

test('a zoom is shared by all panels', async () => {
  const { page, close } = await open(fixture('press'));
  await page.locator('.panel').first().scrollIntoViewIfNeeded();
  const over = await page.locator('.panel .u-over').first().boundingBox();
  await page.mouse.move(over.x + over.width * 0.25, over.y + 40);
  await page.mouse.down();
  await page.mouse.move(over.x + over.width * 0.5, over.y + 60, { steps: 4 });
  await page.mouse.up();
  await settled(page);
  const scales = await page.evaluate(() => window.roberval.plots.panels.map(({ plot }) => [plot.plot.scales.x.min, plot.plot.scales.x.max]));
  assert.equal(scales.length, 2);
  assert.deepEqual(scales[0], scales[1]);
  assert.ok(scales[0][0] > 0.4 && scales[0][1] < 1.4, String(scales[0]));
  await close();
});

test('CSV holds the doubles of the columns, in the units that are shown', async () => {
  const data = fixture('press'), columns = columnsOf(data.results[0]);
  const { page, close } = await open(data);
  await page.evaluate(() => window.roberval.plots.add(['rod.angle']));
  await page.getByRole('combobox', { name: 'Units' }).selectOption('si');
  await page.getByRole('combobox', { name: 'Angles' }).selectOption('rad');
  const first = await saved(page, () => page.locator('#plots').getByRole('button', { name: 'CSV' }).click());
  assert.equal(first.name, 'Servo-press-deep-drawing.csv');
  const rows = first.bytes.toString().trim().split('\n').map((line) => line.split(','));
  assert.deepEqual(rows[0], ['time [s]', 'servo.effort [N.m]', 'height [m]', 'rod.angle [rad]']);
  assert.equal(rows.length, 122);
  rows.slice(1).forEach((row, k) => ['time', 'servo.effort', 'height', 'rod.angle'].forEach((name, i) => assert.equal(Number(row[i]), columns[name][k])));
  await page.getByRole('combobox', { name: 'Units' }).selectOption('model');
  const second = await saved(page, () => page.locator('#plots').getByRole('button', { name: 'CSV' }).click());
  const other = second.bytes.toString().trim().split('\n').map((line) => line.split(','));
  assert.deepEqual(other[0], ['time [s]', 'servo.effort [N.m]', 'height [mm]', 'rod.angle [deg]']);
  assert.ok(Math.abs(Number(other[31][2]) - 1000 * columns.height[30]) < 1e-9 * 200);
  assert.ok(Math.abs(Number(other[31][3]) - (columns['rod.angle'][30] * 180) / Math.PI) < 1e-9 * 90);
  await close();
});

test('units: tables, panels and facts change together', async () => {
  const { page, close } = await open(fixture('press'));
  assert.equal(await page.getByRole('combobox', { name: 'Units' }).inputValue(), 'model', 'it begins in the units of the model');
  assert.equal(await page.getByRole('combobox', { name: 'Angles' }).inputValue(), 'deg', 'the model declares degrees');
  await page.getByRole('combobox', { name: 'Units' }).selectOption('si');
  const cell = () => page.locator('table.numbers tr', { hasText: 'height' }).first().textContent();
  assert.match(await page.locator('.facts').first().textContent(), /size 1\.4 m/);
  assert.match(await cell(), /^heightm0\.2/);
  await page.getByRole('combobox', { name: 'Units' }).selectOption('model');
  assert.match(await cell(), /^heightmm200/);
  assert.match(await page.locator('.facts').first().textContent(), /size 1400 mm/);
  assert.equal(await page.getByRole('combobox', { name: 'Angles' }).inputValue(), 'deg', 'the model declares degrees');
  await close();
});

test('two results: the second is dashed, in the picture and in curves, at the same time', async () => {
  const data = fixture('overlay'), columns = data.results.map(columnsOf);
  const { page, troubles, close } = await open(data);
  await page.locator('.panel').nth(1).scrollIntoViewIfNeeded();
  await page.evaluate(() => window.roberval.player.go(30));
  await settled(page);
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.querySelector('.sketch.second path')).strokeDasharray), 'none');
  // t = 0.6 s is sample 30 of the first, sample 24 of the second.
  assert.ok(Math.abs(columns[1].time[24] - columns[0].time[30]) < 1e-12);
  const frames = await page.evaluate(() => window.roberval.session.frames(1).map(({ at }) => at));
  assert.ok(Math.abs(frames[3][1] - columns[1]['slide.y'][24]) < 1e-9);
  const entries = await page.locator('.panel').nth(1).locator('.entry').allTextContents();
  assert.equal(entries.length, 2);
  const value = Number(/height second([\d.]+)/.exec(entries[1])[1]) / 1000;   // mm
  assert.ok(Math.abs(value - columns[1].height[24]) < 1e-6, `${value}, the second result says ${columns[1].height[24]}`);
  await page.getByRole('checkbox', { name: 'Second result' }).uncheck();
  await settled(page);
  assert.equal(await page.locator('.panel').nth(1).locator('.entry').count(), 1);
  assert.equal(await page.locator('.sketch.second').isVisible(), false);
  assert.deepEqual(troubles, []);
  await close();
});

test('pictures are saved: PNG of the mechanism and of curves, SVG of the sketch', async () => {
  const { page, troubles, close } = await open(fixture('press'));
  await page.evaluate(() => window.roberval.player.go(29));
  const size = ({ bytes }) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const png = await saved(page, () => page.locator('.toolbar').getByRole('button', { name: 'PNG' }).click());
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
  const [width, height] = await page.evaluate(() => window.roberval.picture.view.size);
  assert.deepEqual(size(png), [2 * width, 2 * height]);
  const blue = await page.evaluate(async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }), pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    let arrows = 0, ink = 0;
    for (let k = 0; k < data.length; k += 4) {
      if (data[k] < 20 && Math.abs(data[k + 1] - 114) < 12 && Math.abs(data[k + 2] - 178) < 12) ++arrows;
      if (data[k] < 60 && data[k + 1] < 66 && data[k + 2] < 72) ++ink;
    }
    return { arrows, ink };
  }, png.bytes.toString('base64'));
  assert.ok(blue.arrows > 500 && blue.ink > 2000, `pixels of arrows ${blue.arrows}, of the sketch ${blue.ink}`);
  const curves = await saved(page, () => page.locator('#plots').getByRole('button', { name: 'PNG' }).click());
  assert.equal(curves.bytes.subarray(1, 4).toString(), 'PNG');
  const svg = await saved(page, () => page.locator('.toolbar').getByRole('button', { name: 'SVG' }).click());
  const parsed = await page.evaluate((text) => {
    const tree = new DOMParser().parseFromString(text, 'image/svg+xml');
    return { root: tree.documentElement.nodeName, error: tree.querySelector('parsererror')?.textContent ?? null, paths: tree.querySelectorAll('path').length, scripts: tree.querySelectorAll('script').length };
  }, svg.bytes.toString());
  assert.deepEqual([parsed.root, parsed.error, parsed.scripts], ['svg', null, 0]);
  assert.ok(parsed.paths > 10);
  assert.deepEqual(troubles, []);
  await close();
});

test('tables hold result.json: values in brackets are not unique', async () => {
  const { page, close } = await open(fixture('door'));
  const row = (name) => page.locator('table.numbers tr', { hasText: name }).first().textContent();
  assert.match(await row('top.Fz'), /\[196\.2\].*not unique/);
  assert.match(await row('weight'), /weightN392\.4.*unique/);
  assert.match(await page.locator('.audit').textContent(), /6 coordinates, 11 rows of rank 6: 0 degrees of freedom left, 5 redundant/);
  await close();
});
