// How it looks: screenshots against those in docs/pictures, phone, print, dark, and what helps those who do not see well.
//
// ROBERVAL_PICTURES=write takes new ones.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture, open, settled } from './page.js';

const folder = new URL('../../docs/pictures/', import.meta.url);
// Fonts and the antialiasing of edges differ from machine to machine. So means over blocks are compared, and a block counts as different from 20 of 255 on: of the whole page, which is
// mostly text, 6 % may differ, of the picture, which is mostly empty, 0.6 %.
const BLOCK = 10, DIFFERENT = 20, PAGE = 0.06, PICTURE = 0.006;

async function same(page, name, picture) {
  const path = new URL(name, folder);
  if (process.env.ROBERVAL_PICTURES === 'write') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, picture);
    return;
  }
  assert.ok(existsSync(path), `docs/pictures/${name} is not there: ROBERVAL_PICTURES=write npm test`);
  const shares = await page.evaluate(compared, [picture.toString('base64'), readFileSync(path).toString('base64'), BLOCK, DIFFERENT]);
  assert.ok(shares.page < PAGE && shares.board < PICTURE, `${name}: ${(100 * shares.page).toFixed(2)} % of the page differ, ${(100 * shares.board).toFixed(2)} % of the picture`);
}

/** In the page: the share of blocks that differ, in all and where the board is. */
async function compared([one, two, block, least]) {
  const pixels = async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }), pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixels(one), await pixels(two)];
  if (a.width !== b.width || a.height !== b.height) return { page: 1, board: 1 };
  const mean = ({ data, width }, x, y, channel) => {
    let sum = 0;
    for (let j = 0; j < block; ++j) for (let i = 0; i < block; ++i) sum += data[4 * ((y + j) * width + x + i) + channel];
    return sum / block ** 2;
  };
  const box = document.querySelector('.board')?.getBoundingClientRect() ?? new DOMRect(0, 0, 0, 0), count = { page: [0, 0], board: [0, 0] };
  for (let y = 0; y + block <= a.height; y += block) {
    for (let x = 0; x + block <= a.width; x += block) {
      const differs = [0, 1, 2].some((channel) => Math.abs(mean(a, x, y, channel) - mean(b, x, y, channel)) > least);
      const inside = x >= box.left && x + block <= box.right && y >= box.top && y + block <= box.bottom;
      for (const part of inside ? ['page', 'board'] : ['page']) count[part] = [count[part][0] + differs, count[part][1] + 1];
    }
  }
  return { page: count.page[0] / count.page[1], board: count.board[1] ? count.board[0] / count.board[1] : 0 };
}

/** Pixels of the colour of what is not unique, and of bodies. */
const coloured = (page, picture) => page.evaluate(async (text) => {
  const image = new Image();
  image.src = `data:image/png;base64,${text}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }), pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height), count = { orange: 0, grey: 0 };
  for (let k = 0; k < data.length; k += 4) {
    if (data[k] > 190 && data[k + 1] > 70 && data[k + 1] < 120 && data[k + 2] < 40) ++count.orange;
    if (data[k] > 100 && data[k] < 190 && data[k + 2] - data[k] > 8 && data[k + 2] - data[k] < 60) ++count.grey;
  }
  return count;
}, picture.toString('base64'));

const SHOTS = [
  ['press', 'player.go(29); session.choose(2);'],
  ['door', 'player.go(0); session.choose(1);'],
  ['robot', 'player.go(12); session.choose(1);'],
  ['valvetrain', 'player.go(70); session.choose(2);'],
  ['planetary', 'player.go(9); session.choose(5);'],
  ['stewart', 'player.go(5);'],
  ['suspension', 'session.swing({ virtual: 0 }); session.store.set({ playing: false, phase: Math.PI / 2, values: true });'],
  ['truss', "player.go(40); document.getElementById('path').scrollIntoView();"],
  ['sized', "player.go(60); document.getElementById('sizing').scrollIntoView();"],
  ['study', "document.querySelector('.scatter:last-child').remove(); view.choose(31); document.getElementById('carpet').scrollIntoView({ block: 'end' });"],
];

for (const [name, act] of SHOTS) {
  test(`the page of ${name} looks as before`, async () => {
    const { page, close } = await open(fixture(name), { width: 1280, height: 860 });
    await page.evaluate(`(() => { const { session, player, view } = window.roberval; ${act} })()`);
    await settled(page);
    await page.waitForTimeout(150);
    await same(page, `page-${name}.png`, await page.screenshot());
    await close();
  });
}

test('dark', async () => {
  const { page, close } = await open(fixture('door'), { width: 1280, height: 860, colorScheme: 'dark' });
  const dark = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number).reduce((a, b) => a + b) / 3);
  assert.ok((await dark()) < 60);
  await page.evaluate(() => window.roberval.session.choose(0));
  await settled(page);
  await same(page, 'page-dark.png', await page.screenshot());
  await page.getByRole('combobox', { name: 'Light or dark' }).selectOption('light');
  await settled(page);
  assert.ok((await dark()) > 200, 'the switch wins over the system');
  await close();
});

test('a phone: nothing is wider than the screen, the picture comes first', async () => {
  for (const name of ['press', 'door', 'truss']) {
    const { page, close } = await open(fixture(name), { width: 390, height: 800, hasTouch: true, isMobile: true });
    await settled(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, name);
    const board = await page.locator('.board').boundingBox();
    assert.ok(board.y < 300 && board.height > 300, `${name}: the picture is at ${board.y}`);
    if (name === 'press') await same(page, 'page-phone.png', await page.screenshot());
    await close();
  }
});

test('printed: picture, legend and tables, no buttons', async () => {
  const { page, close } = await open(fixture('door'));
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  await settled(page);
  const seen = await coloured(page, await page.locator('.board').screenshot());
  assert.ok(seen.orange > 100 && seen.grey > 2000, `arrows ${seen.orange} pixels, the door ${seen.grey}`);
  assert.equal(await page.locator('.toolbar').isVisible(), false);
  assert.equal(await page.locator('.settings').isVisible(), false);
  for (const part of ['.board', '.legend', '.tables', '.text', '.panel']) assert.ok(await page.locator(part).first().isVisible(), part);
  const pdf = await page.pdf({ format: 'A4' });
  assert.ok(pdf.length > 20000);
  await close();
});

test('what lies below the window is printed as of now', async () => {
  const { page, close } = await open(fixture('door'), { height: 300 });
  const told = () => page.locator('.panel .reading').first().textContent();
  await page.evaluate(() => window.roberval.player.go(12));
  await settled(page);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const value = await page.evaluate(() => window.roberval.plots.panels[0].plot.curves[0].values[12]);
  assert.ok(value !== 0 && Math.abs(Number((await told()).replace('\u2212', '-')) - value) < 1e-5 * Math.abs(value), `${await told()}, the series has ${value}`);
  await close();
});

test('all controls have names and can be reached by the keyboard, with a ring', async () => {
  const { page, close } = await open(fixture('door'));
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, input, select, [tabindex]')].filter((element) => {
    const label = element.getAttribute('aria-label') || element.textContent.trim() || element.closest('label')?.textContent.trim() || element.title;
    return !label;
  }).map((element) => element.outerHTML.slice(0, 80)));
  assert.deepEqual(unnamed, []);
  const seen = new Set();
  for (let k = 0; k < 60; ++k) {
    await page.keyboard.press('Tab');
    seen.add(await page.evaluate(() => `${document.activeElement.tagName}.${document.activeElement.className}`));
  }
  for (const wished of ['DIV.board', 'INPUT.time', 'DIV.list', 'BUTTON.play']) assert.ok(seen.has(wished), `${wished} is not reached`);
  await page.locator('.list').focus();
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.list')).outlineStyle), 'solid');
  await page.locator('.list').getByRole('option').first().click();
  await page.waitForFunction(() => document.querySelector('[role=status]').textContent.includes('bottom'));
  await close();
});

test('the comparison of pictures can fail', async () => {
  const { page, close } = await open(fixture('press'), { width: 1280, height: 860 });
  await page.evaluate(() => { window.roberval.player.go(29); window.roberval.session.choose(2); });
  await settled(page);
  const stored = readFileSync(new URL('page-press.png', folder)).toString('base64');
  await page.evaluate(() => window.roberval.picture.view.zoom(1.3));
  await settled(page);
  const shares = await page.evaluate(compared, [(await page.screenshot()).toString('base64'), stored, BLOCK, DIFFERENT]);
  assert.ok(shares.board > PICTURE, `a picture larger by 1.3 differs in ${shares.board}`);
  await close();
});
