// A page with a result in it, open in Debian's chromium.

import { chromium } from 'playwright-core';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const template = (name) => readFileSync(new URL(`../dist/${name}.html`, import.meta.url), 'utf8');
const TEMPLATES = { report: template('report'), study: template('study') };
const FLAGS = ['--headless', '--disable-gpu-rasterization', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox', '--force-color-profile=srgb', '--font-render-hinting=none'];
const folder = mkdtempSync(join(tmpdir(), 'roberval-page-'));

let browser = null, pages = 0;

after(() => browser?.close());

/** The data of a fixture: {"results": [...]}, or {"study": ..., "rows": ..., ...}. */
export const fixture = (name) => JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), 'utf8'));

/** The page as the program writes it. */
export const pageOf = (data) => TEMPLATES[data.study ? 'study' : 'report'].replace('<!--ROBERVAL-DATA-->', () => `<script type="application/json" id="roberval-data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`);

/** Columns of a fixture's result as plain arrays. */
export function columnsOf({ series }) {
  const bytes = Buffer.from(series.data, 'base64'), all = {};
  series.columns.forEach(({ name }, k) => {
    all[name] = Array.from({ length: series.samples }, (_, i) => bytes.readDoubleLE(8 * (k * series.samples + i)));
  });
  return all;
}

/** Series from plain arrays, for results that are made in a test. */
export function seriesOf(columns) {
  const samples = Object.values(columns)[0].values.length, bytes = Buffer.alloc(8 * samples * Object.keys(columns).length);
  Object.values(columns).forEach(({ values }, k) => values.forEach((value, i) => bytes.writeDoubleLE(value, 8 * (k * samples + i))));
  return { columns: Object.entries(columns).map(([name, { unit, verdict }]) => ({ name, unit, verdict: verdict ?? null })), samples, data: bytes.toString('base64') };
}

/** Opens data in a page; `troubles` collects console errors, failures and every request but the page itself. */
export async function open(data, { width = 1360, height = 900, ...options } = {}) {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', acceptDownloads: true, ...options });
  const page = await context.newPage(), troubles = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !/GPU stall due to ReadPixels/.test(message.text()) && troubles.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => troubles.push(`error: ${error.stack}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const path = join(folder, `${++pages}.html`);
  writeFileSync(path, pageOf(data));
  page.on('request', (request) => !request.url().startsWith('data:') && !request.url().startsWith('blob:') && request.url() !== `file://${path}` && troubles.push(`request: ${request.url()}`));
  await page.goto(`file://${path}`);
  await page.waitForFunction(() => window.roberval?.study || window.roberval?.picture.drawn > 1 || (window.roberval?.picture.drawn > 0 && document.readyState === 'complete'));
  await settled(page);
  return { page, troubles, close: () => context.close() };
}

/** CPU seconds that the processes of the browser have taken so far, together. */
export async function cpuSeconds() {
  const session = await browser.newBrowserCDPSession(), { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Waits until what was asked for is drawn. */
export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)))));

/** A file that the page saves when something is clicked. */
export async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
