// Pages as the program writes them: ROBERVAL (default build/checked/roberval) makes them of examples.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { open, settled } from './page.js';

const top = new URL('../../', import.meta.url).pathname;
const program = process.env.ROBERVAL ?? join(top, 'build/checked/roberval');

function hasReport() {
  if (!existsSync(program)) return false;
  try {
    return /report/.test(execFileSync(program, ['--help'], { encoding: 'utf8' }));
  } catch {
    return false;
  }
}

/** The data that `roberval report` puts into a page. */
function report(model) {
  const out = join(mkdtempSync(join(tmpdir(), 'roberval-report-')), 'page.html');
  execFileSync(program, ['report', model, '--out', out], { cwd: top, stdio: 'ignore' });
  return JSON.parse(/<script type="application\/json" id="roberval-data">([^]*?)<\/script>/.exec(readFileSync(out, 'utf8'))[1]);
}

// Joints whose markers are at one place.
const TOGETHER = ['revolute', 'spherical', 'universal', 'fixed'];

for (const name of ['press', 'shaper', 'planetary', 'backhoe', 'door', 'stewart', 'cardan', 'bricard', 'suspension', 'robot']) {
  test(`report of ${name}`, { skip: hasReport() ? false : `${program} has no report` }, async () => {
    const { page, troubles, close } = await open(report(`examples/${name}/${name}.yaml`));
    // Markers of a joint that the poses of the page bring together, at every sample.
    const apart = await page.evaluate((kinds) => {
      const { session } = window.roberval, { scene, samples } = session.first;
      const turned = ([w, x, y, z], [a, b, c]) => {   // by the matrix, unlike the page
        const row = (p, q, r) => p * a + q * b + r * c;
        return [row(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)), row(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)), row(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))];
      };
      let most = 0, joints = 0;
      for (let k = 0; k < Math.max(samples, 1); k += Math.max(1, Math.floor(samples / 20))) {
        const frames = session.poses[0].at(k);
        for (const { kind, type, markers } of scene.things) {
          if (kind !== 'joint' || !kinds.includes(type) || !markers) continue;
          const [p, q] = markers.map((m) => turned(frames[scene.markers[m].on].turn, scene.markers[m].at).map((x, i) => x + frames[scene.markers[m].on].at[i]));
          most = Math.max(most, Math.hypot(...p.map((x, i) => x - q[i])) / scene.size);
          ++joints;
        }
      }
      return { most, joints };
    }, TOGETHER);
    assert.ok(apart.joints > 0 && apart.most < 1e-9, JSON.stringify(apart));
    await page.evaluate(() => window.roberval.player.go(Math.floor(0.3 * window.roberval.session.first.samples)));   // at rest some have no forces
    await settled(page);
    // All is drawn, and clicks on everything in the list do no harm.
    assert.ok((await page.evaluate(() => window.roberval.picture.arrows.length)) > 0);
    const options = page.locator('.list').getByRole('option');
    for (let k = 0; k < Math.min(await options.count(), 10); ++k) await options.nth(k).click();
    await page.keyboard.press(' ');
    await page.waitForTimeout(200);
    await settled(page);
    assert.deepEqual(troubles, []);
    await close();
  });
}
