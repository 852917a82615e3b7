// No network, no markup from names, no errors in the console, whatever is shown.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture, open, pageOf, settled } from './page.js';

const HOSTILE = ['</script><script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><svg onload=alert(1)>', '<!--', '${alert(1)}', '\u202e\u0000'.replace('\u0000', ''), "'; alert(1); '", 'javascript:alert(1)'];

test('every fixture is shown and played without an error and without a request', async () => {
  for (const name of ['press', 'door', 'valvetrain', 'stewart', 'robot', 'planetary', 'truss', 'rotor', 'suspension', 'swing', 'overlay']) {
    const { page, troubles, close } = await open(fixture(name));
    const count = await page.locator('.list').getByRole('option').count();
    for (let k = 0; k < Math.min(count, 12); ++k) await page.locator('.list').getByRole('option').nth(k).click();
    await page.keyboard.press(' ');
    await page.waitForTimeout(250);
    await settled(page);
    assert.deepEqual(troubles, [], name);
    await close();
  }
});

test('names are text, wherever they stand', async () => {
  const data = fixture('press');
  const text = JSON.stringify(data);
  // Every name of the model becomes a hostile one, consistently in scene, result and series.
  const names = ['main', 'crankpin', 'wrist', 'gib', 'servo', 'forming', 'eccentric', 'slide'];
  let changed = text;
  names.forEach((name, k) => { changed = changed.replaceAll(`"${name}"`, JSON.stringify(HOSTILE[k])).replaceAll(`"${name}.`, JSON.stringify(HOSTILE[k]).slice(0, -1) + '.'); });
  const hostile = JSON.parse(changed), { scene, result } = hostile.results[0];
  scene.title = HOSTILE[1] + HOSTILE[0];
  scene.file = HOSTILE[0];
  scene.text = HOSTILE.join('\n');
  result.notes = HOSTILE;
  scene.failure = { text: HOSTILE[1], gaps: [{ of: 0, from: [0, 0, 0], to: [0.1, 0, 0], length: 0.1, angle: 0 }], loop: [0, 1] };
  const { page, troubles, close } = await open(hostile);
  await page.evaluate(() => window.roberval.session.store.set({ names: true, values: true }));
  const options = page.locator('.list').getByRole('option'), count = await options.count();
  assert.equal(count, 10);
  for (let k = 0; k < count; ++k) await options.nth(k).click();
  await page.getByText('Series').first().click();
  await settled(page);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('script').count(), 0, 'nothing of the data became a script');
  assert.equal(await page.locator('h1').textContent(), scene.title);
  assert.ok((await page.locator('.thing .name').allTextContents()).includes(HOSTILE[0]));
  assert.deepEqual(troubles, []);
  await close();
});

test('the policy of the page forbids requests', async () => {
  const { page, close } = await open(fixture('press'));
  const refused = await page.evaluate(async () => {
    const seen = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => seen.push(violatedDirective));
    await fetch('http://127.0.0.1:9/x').catch(() => {});
    const image = new Image();
    await new Promise((done) => {
      image.onerror = done;
      image.src = 'http://127.0.0.1:9/x.png';
    });
    return seen;
  });
  assert.deepEqual(refused.sort(), ['connect-src', 'img-src']);
  await close();
});

test('the built page: one file, small, with the notices of what is in it', () => {
  const page = readFileSync(new URL('../dist/report.html', import.meta.url), 'utf8');
  assert.ok(page.length < 1e6, `${page.length} bytes`);
  assert.equal(page.split('<!--ROBERVAL-DATA-->').length, 2);
  assert.match(page, /Copyright © 2010-\d{4} three\.js authors/);
  assert.match(page, /Copyright \(c\) \d{4} Leon Sorokin/);
  assert.doesNotMatch(page, /<(link|script|img)[^>]+(src|href)=/);
  assert.match(pageOf(fixture('swing')), /id="roberval-data">\{"results"/);
});

test('a page without data says what it is', async () => {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--headless', '--no-sandbox'] });
  const page = await browser.newPage();
  await page.goto(new URL('../dist/report.html', import.meta.url).href);
  assert.match(await page.textContent('main'), /roberval report/);
  await browser.close();
});
